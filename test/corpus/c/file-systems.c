/* Which file system something is on, and what may not go from one to another. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static dev_t device_of(const char *path) {
  struct stat told;
  return stat(path, &told) == 0 ? told.st_dev : 0;
}

static dev_t device_at(int descriptor) {
  struct stat told;
  return fstat(descriptor, &told) == 0 ? told.st_dev : 0;
}

static void tell(const char *path) {
  struct statfs told;
  /* struct statx, which not every library has. */
  unsigned more[64];
  int failed = statfs(path, &told) | (int)syscall(SYS_statx, AT_FDCWD, path, 0, 0x7ff, more);
  dev_t device = device_of(path);
  printf("%s: %d, type %lx, as here %d, without a disk %d, statx agrees %d, names of %ld, flags told %d\n", path, failed,
         (unsigned long)told.f_type, device == device_of("."), major(device) == 0,
         makedev(more[34], more[35]) == device, (long)told.f_namelen, (told.f_flags & 0x20) != 0);
  printf("  blocks %d, free %d\n", told.f_blocks > 0, told.f_bfree > 0);
}

static void tell_open(const char *what, int descriptor) {
  struct statfs told = {0};
  fstatfs(descriptor, &told);
  printf("%s: type %lx, as here %d\n", what, (unsigned long)told.f_type, device_at(descriptor) == device_of("."));
  close(descriptor);
}

static const char *after(int result) { return result == 0 ? "done" : strerror(errno); }

int main(void) {
  tell("/proc");
  tell("/proc/self");
  tell("/proc/self/maps");
  tell("/sys");
  tell("/sys/devices");
  tell("/dev/shm");
  tell("/dev/pts");
  printf("/dev/shm and /proc differ: %d, /proc and /proc/self/fd: %d\n", device_of("/dev/shm") != device_of("/proc"),
         device_of("/proc") != device_of("/proc/self/fd"));

  int ends[2];
  if (pipe(ends) == 0) tell_open("pipe", ends[0]);
  tell_open("socket", socket(AF_UNIX, SOCK_STREAM, 0));
  tell_open("eventfd", eventfd(0, 0));
  tell_open("memfd", memfd_create("memory", 0));
  tell_open("/dev/null", open("/dev/null", O_RDONLY));
  tell_open("/proc/self/status", open("/proc/self/status", O_RDONLY));

  const char *there = "/dev/shm/ilp-gate-file-systems", *other = "/dev/shm/ilp-gate-file-systems-2";
  unlink(there);
  unlink(other);
  int file = open(there, O_CREAT | O_RDWR | O_EXCL, 0600);
  printf("made there: %d\n", file >= 0);
  printf("renamed to here: %s\n", after(rename(there, "moved")));
  printf("linked to here: %s\n", after(link(there, "linked")));
  printf("still there: %d\n", access(there, F_OK) == 0);
  printf("renamed there: %s\n", after(rename(there, other)));
  printf("linked there: %s\n", after(link(other, there)));
  printf("what is not there: %s\n", after(rename("/dev/shm/file-systems-none", "moved")));
  unlink(there);
  unlink(other);
  int unnamed = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
  char link_text[64];
  snprintf(link_text, sizeof link_text, "/proc/self/fd/%d", unnamed);
  printf("given a name: %s\n", after(linkat(AT_FDCWD, link_text, AT_FDCWD, there, AT_SYMLINK_FOLLOW)));
  unlink(there);
  return 0;
}
