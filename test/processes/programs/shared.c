#include "common.h"
/* Memory that processes share, and that they do not. */
int main(void) {
  int *common = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int *own = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  common[0] = own[0] = 1;
  for (int i = 1; i <= 4; i++) {
    pid_t child = fork();
    if (child == 0) {
      common[i] = i * i;
      common[0] += i;
      own[0] += i;
      _exit(0);
    }
    ended(child);
  }
  say("common %d %d %d %d %d, own %d\n", common[0], common[1], common[2], common[3], common[4], own[0]);
  char name[] = "/tmp/shared-XXXXXX";
  int file = mkstemp(name);
  ftruncate(file, 4096);
  volatile int *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  pid_t child = fork();
  if (child == 0) {
    mapped[1] = 5;
    while (mapped[2] == 0) {
    }
    _exit(mapped[2]);
  }
  while (mapped[1] == 0) {
  }
  mapped[2] = 6;
  int status = ended(child), stored;
  pread(file, &stored, 4, 4);
  say("file %d %d\n", status, stored);
  unlink(name);
  return 0;
}
