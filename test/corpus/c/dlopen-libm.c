/* corpus: -ldl not:static,musl uncounted */
/* On the processor the linker finds these libraries by its cache, which guests do not see. */
/* Libraries loaded at run time, symbols looked up, errors named. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  void *m = dlopen("libm.so.6", RTLD_NOW);
  double (*power)(double, double) = (double (*)(double, double))dlsym(m, "pow");
  printf("%d %.10g\n", m != NULL, power(2, 0.5));
  printf("%d\n", dlsym(m, "no_such_function") == NULL);
  void *nothing = dlopen("libnothing.so.9", RTLD_LAZY);
  printf("%d %s\n", nothing == NULL, dlerror());
  int (*p)(const char *, ...) = (int (*)(const char *, ...))dlsym(RTLD_DEFAULT, "printf");
  p("%s\n", "through dlsym");
  void *z = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_GLOBAL);
  __int128 (*divide)(__int128, __int128) = (__int128(*)(__int128, __int128))dlsym(z, "__divti3");
  printf("%lld\n", (long long)divide((__int128)1 << 100, (__int128)3 << 60));
  Dl_info info;
  int known = dladdr((void *)power, &info) != 0;
  printf("%d %s\n", known, strrchr(info.dli_fname, '/'));
  printf("%d %d\n", dlclose(z), dlclose(m));
}
