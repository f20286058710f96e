/* What the modes of directories allow their owner: search, list, change. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY(call) do { errno = 0; long result = (call); printf("%s = %ld %d\n", #call, result < 0 ? result : 0, errno); } while (0)

static void with(mode_t mode) {
  struct stat s;
  char to[10];
  printf("mode %o\n", mode);
  chmod("d", mode);
  TRY(stat("d", &s));
  TRY(stat("d/f", &s));
  TRY(stat("d/.", &s));
  TRY(stat("d/../f", &s));
  TRY(stat("d/none", &s));
  TRY(lstat("d/link", &s));
  TRY(readlink("d/link", to, 10));
  TRY(access("d", R_OK | W_OK | X_OK));
  TRY(access("d/f", F_OK));
  TRY(open("d", O_RDONLY | O_DIRECTORY));
  TRY(open("d", O_PATH));
  TRY(open("d/f", O_RDONLY));
  TRY(open("d/f", O_WRONLY | O_CREAT, 0600));
  TRY(open("d/new", O_WRONLY | O_CREAT, 0600));
  TRY(mkdir("d/new", 0700));
  TRY(mkdir("d/f", 0700));
  TRY(symlink("x", "d/new"));
  TRY(link("f", "d/new"));
  TRY(mkfifo("d/new", 0600));
  TRY(unlink("d/f"));
  TRY(unlink("d/none"));
  TRY(rmdir("d/e"));
  TRY(rename("d/f", "g"));
  TRY(rename("f", "d/new"));
  TRY(rename("d/e", "e"));
  TRY(chmod("d/f", 0600));
  TRY(truncate("d/f", 0));
  TRY(chdir("d"));
}

int main(void) {
  mkdir("own", 0755);
  if (getuid() == 0) {
    chown("own", 1000, 1000);
    chdir("own");
    setgroups(0, NULL);
    setgid(1000);
    setuid(1000);
  } else chdir("own");
  umask(022);
  for (mode_t mode = 0; mode <= 7; mode++) {
    char name[] = "at-0";
    name[3] += mode;
    mkdir(name, 0755);
    chdir(name);
    close(open("f", O_WRONLY | O_CREAT, 0644));
    mkdir("d", 0755);
    mkdir("d/e", 0755);
    symlink("f", "d/link");
    close(open("d/f", O_WRONLY | O_CREAT, 0644));
    int here = open(".", O_RDONLY);
    with(mode << 6);
    fchdir(here);
    close(here);
    chmod("d", 0755);
    chdir("..");
  }
  // A directory that moves has its entry `..` written.
  mkdir("still", 0555);
  mkdir("other", 0755);
  TRY(rename("still", "renamed"));
  TRY(rename("renamed", "other/still"));
  return 0;
}
