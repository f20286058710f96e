/* Names that end in a slash, directories that are gone, arguments that are too long, and what children are not to have. */
#include "common.h"
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#define SHOW(call) \
  do { \
    errno = 0; \
    long result = (long)(call); \
    printf("%s: %ld %s\n", #call, result, result < 0 ? strerror(errno) : ""); \
  } while (0)

static void slashes(void) {
  mkdir("directory", 0755);
  symlink("directory", "link");
  symlink("nothing", "dangling");
  close(open("file", O_CREAT | O_WRONLY, 0644));
  SHOW(rmdir("link/"));
  SHOW(rename("link/", "other"));
  SHOW(unlink("link/"));
  SHOW(unlink("file/"));
  SHOW(mkdir("link/", 0755));
  SHOW(mkdir("dangling/", 0755));
  SHOW(access("nothing", F_OK));
  SHOW(access("link/", F_OK));
  SHOW(access("directory/../link/.", F_OK));
  SHOW(mkdir("new/", 0755));
  SHOW(rmdir("new/"));
  SHOW(unlink("link"));
  SHOW(rmdir("directory"));
}

static void removed(void) {
  char path[200], bytes[300];
  struct stat is;
  mkdir("gone", 0755);
  chdir("gone");
  const int directory = open(".", O_RDONLY);
  rmdir("../gone");
  SHOW(getcwd(path, sizeof path) == NULL ? -1 : 0);
  SHOW(open("file", O_CREAT | O_WRONLY, 0644));
  SHOW(mkdir("inside", 0755));
  SHOW(open(".", O_RDONLY) >= 0);
  SHOW(syscall(SYS_getdents64, directory, bytes, sizeof bytes));
  fstat(directory, &is);
  printf("links: %d\n", (int)is.st_nlink);
  SHOW(chdir(".."));
}

static void handler(int signal) {}

static void interrupted(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  struct timespec patience = {1, 0};
  int word = 0;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  SHOW(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &patience, NULL, 0));
}

static void others(void) {
  char *text = malloc(200001), bytes[10];
  memset(text, 'a', 200000);
  text[200000] = 0;
  char *const arguments[] = {"true", text, NULL};
  SHOW(execv("/bin/true", arguments));
  const int file = open("file", O_RDWR);
  write(file, "text", 4);
  close(open("file", O_RDONLY | O_TRUNC));
  SHOW(pread(file, bytes, 10, 0));
  unlink("file");
  char *memory = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 1, 12288);
  SHOW(madvise(memory + 4096, 4096, MADV_WIPEONFORK));
  fflush(stdout);
  for (int round = 0; round < 2; round++) {
    if (fork() == 0) {
      printf("the child has %d %d %d\n", memory[4095], memory[4096], memory[8192]);
      memory[4096] = 2;
      exit(0);
    }
    wait(NULL);
    SHOW(madvise(memory, 12288, MADV_KEEPONFORK));
    fflush(stdout);
  }
  printf("and the parent %d\n", memory[4096]);
}

int main(void) {
  mkdir("edges", 0755);
  chdir("edges");
  slashes();
  removed();
  interrupted();
  others();
  unlink("dangling");
  chdir("..");
  SHOW(rmdir("edges"));
}
