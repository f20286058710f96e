/* Pages that may be executed, or no more, or again: what just-in-time compilers do, and programs that load code when it is called. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef int function(void);

static sigjmp_buf back;
static int reason;
static char *lazy;
static int faults;

static void leave(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  reason = info->si_code;
  siglongjmp(back, 1);
}

static void make_executable(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  faults++;
  if ((char *)info->si_addr < lazy || (char *)info->si_addr >= lazy + 8192) _Exit(3);
  mprotect(lazy, 8192, PROT_READ | PROT_EXEC);
}

static void catch(void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
}

/* mov eax, value; ret */
static void write_function(char *page, int value) {
  memcpy(page, "\xb8\0\0\0\0\xc3", 6);
  memcpy(page + 1, &value, 4);
}

static void call(const char *when, char *page) {
  if (sigsetjmp(back, 1) != 0) {
    printf("%s: SIGSEGV, code %d\n", when, reason);
    return;
  }
  long sum = 0;
  /* Often enough to be worth translating. */
  for (int i = 0; i < 20000; i++) sum += ((function *)page)();
  printf("%s: %ld\n", when, sum);
}

int main(void) {
  static const struct {
    const char *name;
    int protection;
  } kinds[] = {{"none", PROT_NONE},
               {"read", PROT_READ},
               {"read, write", PROT_READ | PROT_WRITE},
               {"read, execute", PROT_READ | PROT_EXEC},
               {"execute", PROT_EXEC},
               {"all", PROT_READ | PROT_WRITE | PROT_EXEC}};
  char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  write_function(page, 7);
  catch(leave);
  for (int round = 0; round < 3; round++)
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      mprotect(page, 4096, kinds[i].protection);
      call(kinds[i].name, page);
    }
  munmap(page, 4096);
  call("unmapped", page);

  lazy = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  catch(make_executable);
  for (int round = 1; round <= 5; round++) {
    mprotect(lazy, 8192, PROT_READ | PROT_WRITE);
    write_function(lazy, round);
    /* An instruction that lies in both pages. */
    write_function(lazy + 4094, 10 * round);
    mprotect(lazy, 4096, PROT_READ | (round % 2 ? 0 : PROT_EXEC));
    call("lazy", lazy);
    mprotect(lazy + 4096, 4096, PROT_READ);
    call("in two pages", lazy + 4094);
  }
  printf("%d faults\n", faults);
  return 0;
}
