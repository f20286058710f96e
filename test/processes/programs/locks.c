#include "common.h"
#include <sys/file.h>

/* Locks on files, between processes and within one. */

static void show(const char *what, long result) {
  int error = errno;
  say("%s %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

static long lock(int file, int command, int type, long start, long length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(file, command, &lock);
}

static void ask(int file, int command, int type, long start, long length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  long result = fcntl(file, command, &lock);
  say("ask %ld: type %d start %ld length %ld by %d\n", result, lock.l_type, lock.l_start, lock.l_len,
      lock.l_pid == getppid() ? 1 : lock.l_pid == getpid() ? 2 : lock.l_pid);
}

static int child(void (*run)(int), int file) {
  pid_t id = fork();
  if (id == 0) {
    run(file);
    _exit(0);
  }
  return ended(id);
}

static void tries(int file) {
  SHOW(lock(file, F_SETLK, F_RDLCK, 0, 10));
  SHOW(lock(file, F_SETLK, F_WRLCK, 0, 10));
  ask(file, F_GETLK, F_WRLCK, 0, 0);
  ask(file, F_GETLK, F_WRLCK, 25, 5);
  ask(file, F_GETLK, F_RDLCK, 0, 10);
  ask(file, F_GETLK, F_WRLCK, 20, 4);
  ask(file, F_GETLK, F_WRLCK, 1000, 1);
  SHOW(lock(file, F_SETLK, F_WRLCK, 24, 1));
}

static void one_more(int file) { ask(file, F_GETLK, F_WRLCK, 0, 0); }

static void ranges(int file) {
  SHOW(lock(file, F_SETLK, F_RDLCK, 0, 20));
  SHOW(lock(file, F_SETLK, F_WRLCK, 30, 10));
  SHOW(lock(file, F_SETLK, F_WRLCK, 25, 5));
  SHOW(lock(file, F_SETLK, F_WRLCK, 500, 0));
  child(tries, file);
  SHOW(lock(file, F_SETLK, F_UNLCK, 5, 30));
  child(one_more, file);
  SHOW(lock(file, F_SETLK, F_UNLCK, 0, 5));
  child(one_more, file);
  lseek(file, 100, SEEK_SET);
  struct flock from = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = -10, .l_len = -5};
  SHOW(fcntl(file, F_SETLK, &from));
  child(one_more, file);
  from.l_start = -200;
  SHOW(fcntl(file, F_SETLK, &from));
  from.l_type = 9;
  SHOW(fcntl(file, F_SETLK, &from));
  /* Whoever closes any descriptor of the file loses all. */
  close(open("locked", O_RDONLY));
  child(one_more, file);
  int reader = open("locked", O_RDONLY);
  SHOW(lock(reader, F_SETLK, F_WRLCK, 0, 1));
  SHOW(lock(reader, F_SETLK, F_RDLCK, 0, 1));
  close(reader);
}

static void waits_for_first(int file) {
  struct timespec before, after;
  SHOW(lock(file, F_SETLKW, F_WRLCK, 0, 1));
  say("child has it\n");
}

static void waiting(int file) {
  lock(file, F_SETLK, F_WRLCK, 0, 1);
  pid_t id = fork();
  if (id == 0) {
    waits_for_first(file);
    _exit(0);
  }
  usleep(20000);
  say("parent lets go\n");
  lock(file, F_SETLK, F_UNLCK, 0, 1);
  ended(id);
}

static void deadlock(int file) {
  int ready[2];
  char byte;
  pipe(ready);
  lock(file, F_SETLK, F_WRLCK, 0, 1);
  pid_t id = fork();
  if (id == 0) {
    lock(file, F_SETLK, F_WRLCK, 1, 1);
    write(ready[1], "x", 1);
    lock(file, F_SETLKW, F_WRLCK, 0, 1);
    _exit(0);
  }
  read(ready[0], &byte, 1);
  usleep(50000);
  SHOW(lock(file, F_SETLKW, F_WRLCK, 1, 1));
  lock(file, F_SETLK, F_UNLCK, 0, 0);
  say("ended %d\n", ended(id));
}

static void of_open_files(int file) {
  int other = open("locked", O_RDWR);
  SHOW(lock(file, F_OFD_SETLK, F_WRLCK, 0, 10));
  SHOW(lock(other, F_OFD_SETLK, F_RDLCK, 5, 1));
  SHOW(lock(dup(file), F_OFD_SETLK, F_WRLCK, 5, 1));
  SHOW(lock(other, F_SETLK, F_RDLCK, 5, 1));
  ask(other, F_OFD_GETLK, F_RDLCK, 0, 0);
  ask(other, F_GETLK, F_RDLCK, 0, 0);
  close(other);
  child(one_more, file);
  struct flock wrong = {.l_type = F_WRLCK, .l_pid = 7};
  SHOW(fcntl(file, F_OFD_SETLK, &wrong));
  SHOW(lock(file, F_OFD_SETLK, F_UNLCK, 0, 0));
}

static void takes(int file) {
  int other = open("locked", O_RDWR);
  SHOW(flock(other, LOCK_EX | LOCK_NB));
  SHOW(flock(other, LOCK_SH | LOCK_NB));
  SHOW(flock(file, LOCK_EX | LOCK_NB));
}

static void whole(int file) {
  int other = open("locked", O_RDONLY);
  SHOW(flock(file, LOCK_SH));
  SHOW(flock(other, LOCK_SH | LOCK_NB));
  SHOW(flock(other, LOCK_EX | LOCK_NB));
  SHOW(flock(other, LOCK_UN));
  child(takes, file);
  SHOW(flock(other, LOCK_EX | LOCK_NB));
  SHOW(flock(other, 3));
  SHOW(flock(99, LOCK_SH));
  int copy = dup(file);
  close(file);
  SHOW(flock(other, LOCK_EX | LOCK_NB));
  close(copy);
  SHOW(flock(other, LOCK_EX | LOCK_NB));
  pid_t id = fork();
  if (id == 0) {
    close(other);
    int mine = open("locked", O_RDWR);
    SHOW(flock(mine, LOCK_SH));
    _exit(0);
  }
  usleep(20000);
  say("parent lets go\n");
  close(other);
  ended(id);
}

static void handler(int signal) {}

static void interrupted(void) {
  int a = open("locked", O_RDWR), b = open("locked", O_RDWR);
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  flock(a, LOCK_EX);
  struct itimerval timer = {.it_value.tv_usec = 20000};
  setitimer(ITIMER_REAL, &timer, NULL);
  SHOW(flock(b, LOCK_EX));
  lock(a, F_OFD_SETLK, F_WRLCK, 0, 0);
  setitimer(ITIMER_REAL, &timer, NULL);
  SHOW(lock(b, F_OFD_SETLKW, F_WRLCK, 0, 0));
}

int main(void) {
  alarm(15);
  int file = open("locked", O_RDWR | O_CREAT | O_TRUNC, 0600);
  ranges(file);
  waiting(file);
  deadlock(file);
  of_open_files(file);
  whole(file);
  interrupted();
  unlink("locked");
}
