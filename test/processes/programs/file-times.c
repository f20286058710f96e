#include "common.h"
/* What is done to a file or beside it, and whether the times of its modification and of its change are later than before. */
static struct stat before[3];
static const char *watched[] = {"file", "directory", "."};

static long long at(struct timespec time) { return time.tv_sec * 1000000000ll + time.tv_nsec; }

static void remember(void) {
  for (int i = 0; i < 3; i++) stat(watched[i], &before[i]);
  usleep(20000);
}

static void moved(const char *name, int result) {
  say("%s %d:", name, result);
  for (int i = 0; i < 3; i++) {
    struct stat now;
    if (stat(watched[i], &now) != 0) continue;
    say(" %s %d %d", watched[i], at(now.st_mtim) > at(before[i].st_mtim), at(now.st_ctim) > at(before[i].st_ctim));
  }
  say("\n");
  remember();
}

/* Of a file that has no name any more. */
static void moved_open(const char *name, int file) {
  struct stat old = before[0], now;
  fstat(file, &now);
  say("%s: links %d, modified %d, changed %d\n", name, (int)now.st_nlink, at(now.st_mtim) > at(old.st_mtim),
      at(now.st_ctim) > at(old.st_ctim));
}

int main(void) {
  char folder[] = "/tmp/times-XXXXXX";
  mkdtemp(folder);
  chdir(folder);
  mkdir("directory", 0755);
  int file = open("file", O_CREAT | O_RDWR, 0644);
  struct stat status;
  fstat(file, &status);
  say("new %d\n", at(status.st_mtim) == at(status.st_ctim));
  remember();
  moved("nothing", 0);
  char byte;
  moved("read", read(file, &byte, 1));
  moved("write", write(file, "text", 4));
  moved("write nothing", write(file, "", 0));
  moved("ftruncate", ftruncate(file, 2));
  moved("chmod", chmod("file", 0600));
  moved("chmod of a directory", chmod("directory", 0700));
  moved("chown", chown("file", -1, -1));
  struct timespec old[2] = {{1000, 1}, {1000, 1}}, omit[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
  moved("futimens", futimens(file, old));
  moved("futimens of neither", futimens(file, omit));
  moved("utimensat of a directory", utimensat(AT_FDCWD, "directory", old, 0));
  struct statx both;
  statx(AT_FDCWD, "file", 0, STATX_BASIC_STATS, &both);
  stat("file", &status);
  say("statx %d %d\n", both.stx_mtime.tv_sec == 1000,
      both.stx_ctime.tv_sec == status.st_ctim.tv_sec && both.stx_ctime.tv_nsec == status.st_ctim.tv_nsec);
  moved("write after futimens", write(file, "more", 4));
  moved("link", link("file", "directory/twin"));
  moved("unlink of the other name", unlink("directory/twin"));
  moved("rename there", rename("file", "other"));
  moved("rename back", rename("other", "file"));
  moved("rename of a directory", rename("directory", "moved"));
  moved("and back", rename("moved", "directory"));
  close(open("third", O_CREAT | O_WRONLY, 0644));
  remember();
  moved("exchange", renameat2(AT_FDCWD, "file", AT_FDCWD, "third", RENAME_EXCHANGE));
  renameat2(AT_FDCWD, "file", AT_FDCWD, "third", RENAME_EXCHANGE);
  remember();
  moved("symlink", symlink("file", "directory/link"));
  moved("mkdir", mkdir("directory/inner", 0755));
  moved("rmdir", rmdir("directory/inner"));
  int replaced = open("file", O_RDONLY);
  rename("third", "file");
  moved_open("replaced", replaced);
  int gone = open("file", O_RDONLY);
  remember();
  unlink("file");
  moved_open("unlinked", gone);
  close(open("file", O_CREAT | O_WRONLY, 0644));
  remember();
  moved("open", failure(open("file", O_CREAT | O_RDWR, 0644)));
  moved("open for truncation", failure(open("file", O_TRUNC | O_WRONLY)));
  unlink("directory/link");
  unlink("file");
  rmdir("directory");
  chdir("/");
  rmdir(folder);
  return 0;
}
