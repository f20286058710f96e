#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What inotify tells of a program's own changes. */

static int watch, cookies[64], cookie_count;

static int number_of(unsigned cookie) {
  if (cookie == 0) return 0;
  for (int i = 0; i < cookie_count; i++)
    if (cookies[i] == cookie) return i + 1;
  cookies[cookie_count++] = cookie;
  return cookie_count;
}

static void told(const char *after) {
  char events[8192];
  printf("-- %s\n", after);
  long length;
  while ((length = read(watch, events, sizeof events)) > 0)
    for (char *at = events; at < events + length;) {
      struct inotify_event *event = (struct inotify_event *)at;
      printf("%d %x %d %u %s\n", event->wd, event->mask, number_of(event->cookie), event->len, event->len ? event->name : "");
      at += sizeof *event + event->len;
    }
}

#define DO(call) (call, told(#call))
#define SHOW(call) (errno = 0, printf("%s = %ld", #call, (long)(call)), printf(" %s\n", errno ? strerror(errno) : ""))

int main(void) {
  char text[16];
  struct stat facts;
  setvbuf(stdout, NULL, _IONBF, 0);
  watch = inotify_init1(IN_NONBLOCK);
  mkdir("folder", 0755);
  mkdir("other", 0755);
  SHOW(inotify_add_watch(watch, "folder", IN_ALL_EVENTS));
  SHOW(inotify_add_watch(watch, "other", IN_ALL_EVENTS & ~IN_OPEN));
  SHOW(inotify_add_watch(watch, "nothing", IN_ALL_EVENTS));
  SHOW(inotify_add_watch(watch, "folder", 0));
  SHOW(inotify_add_watch(0, "folder", IN_ALL_EVENTS));
  int file;
  DO(file = open("folder/file", O_CREAT | O_RDWR, 0600));
  DO(write(file, "some bytes", 10));
  DO(write(file, "more", 4));
  DO(lseek(file, 0, SEEK_SET));
  DO(read(file, text, 4));
  DO(pread(file, text, 4, 100));
  SHOW(inotify_add_watch(watch, "folder/file", IN_ALL_EVENTS));
  DO(ftruncate(file, 3));
  DO(fchmod(file, 0640));
  DO(futimens(file, NULL));
  DO(fstat(file, &facts));
  int copy = dup(file);
  DO(close(file));
  DO(close(copy));
  DO(file = open("folder/file", O_RDONLY));
  DO(close(file));
  DO(file = open("folder/file", O_WRONLY | O_TRUNC));
  DO(close(file));
  DO(mkdir("folder/inner", 0755));
  DO(rmdir("folder/inner"));
  DO(link("folder/file", "folder/hard"));
  DO(symlink("file", "folder/soft"));
  DO(unlink("folder/soft"));
  DO(unlink("folder/hard"));
  DO(rename("folder/file", "folder/renamed"));
  DO(chmod("folder/renamed", 0600));
  DO(rename("folder/renamed", "other/moved"));
  DO(mknod("folder/pipe", S_IFIFO | 0600, 0));
  DO(unlink("folder/pipe"));
  SHOW(inotify_add_watch(watch, "other/moved", IN_DELETE_SELF | IN_MASK_ADD));
  file = open("other/moved", O_RDWR);
  told("opened again");
  DO(unlink("other/moved"));
  DO(write(file, "x", 1));
  DO(close(file));
  DO(mkdir("other/deep", 0755));
  SHOW(inotify_add_watch(watch, "other/deep", IN_ALL_EVENTS | IN_ONLYDIR));
  DO(rename("other/deep", "folder/deep"));
  DO(rmdir("folder/deep"));
  close(creat("other/a", 0600));
  close(creat("other/b", 0600));
  told("two files");
  SHOW(inotify_add_watch(watch, "other/b", IN_ALL_EVENTS));
  DO(rename("other/a", "other/b"));
  SHOW(inotify_add_watch(watch, "other/b", IN_ALL_EVENTS | IN_ONESHOT));
  DO(chmod("other/b", 0644));
  DO(chmod("other/b", 0600));
  SHOW(inotify_add_watch(watch, "other/b", IN_ATTRIB | IN_ONLYDIR));
  SHOW(inotify_add_watch(watch, "folder", IN_CREATE | IN_MASK_CREATE));
  SHOW(inotify_rm_watch(watch, 1));
  SHOW(inotify_rm_watch(watch, 1));
  told("removed");
  DO(close(creat("folder/unseen", 0600)));
  unlink("folder/unseen");
  DO(truncate("other/b", 5));
  DO(unlink("other/b"));
  int waiting = -1;
  mkdir("other/x", 0700);
  SHOW(ioctl(watch, FIONREAD, &waiting));
  printf("%d\n", waiting);
  SHOW(read(watch, text, 8));
  struct pollfd polled = {watch, POLLIN, 0};
  SHOW(poll(&polled, 1, 0));
  told("polled");
  SHOW(poll(&polled, 1, 0));
  int epoll = epoll_create1(0);
  struct epoll_event event = {EPOLLIN | EPOLLET};
  epoll_ctl(epoll, EPOLL_CTL_ADD, watch, &event);
  SHOW(epoll_wait(epoll, &event, 1, 0));
  mkdir("other/y", 0700);
  SHOW(epoll_wait(epoll, &event, 1, 0));
  SHOW(epoll_wait(epoll, &event, 1, 0));
  mkdir("other/z", 0700);
  SHOW(epoll_wait(epoll, &event, 1, 0));
  rmdir("other/x"), rmdir("other/y"), rmdir("other/z");
  told("folders");
  DO(rmdir("other"));
  rmdir("folder");
}
