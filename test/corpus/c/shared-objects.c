/* corpus: -ldl -rdynamic not:static,musl */
/* Symbols of the program itself by dlsym, callbacks by name, dl_iterate_phdr counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

int twice(int x) { return x * 2; }
int negate(int x) { return -x; }
int exported = 17;
static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  int *counts = data;
  counts[0]++;
  for (int i = 0; i < info->dlpi_phnum; i++) counts[1] += info->dlpi_phdr[i].p_type == PT_LOAD;
  counts[2] += strstr(info->dlpi_name, "libc.so") != NULL;
  return 0;
}

int main(void) {
  void *self = dlopen(NULL, RTLD_NOW);
  const char *names[] = {"twice", "negate", "absent"};
  for (int i = 0; i < 3; i++) {
    int (*f)(int) = (int (*)(int))dlsym(self, names[i]);
    printf("%s %d\n", names[i], f ? f(21) : 0);
  }
  *(int *)dlsym(self, "exported") += 3;
  int counts[3] = {0};
  dl_iterate_phdr(visit, counts);
  printf("%d %d %d %d\n", exported, counts[0] >= 3, counts[1] > 6, counts[2]);
  Dl_info info;
  dladdr((void *)negate, &info);
  printf("%s %d\n", info.dli_sname, info.dli_saddr == (void *)negate);
}
