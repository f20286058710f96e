/* corpus: uncounted */
/* Directories: mkdir, chdir, getcwd's end, links, readdir sorted, stat, rename, nftw, realpath's end. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int files, folders, links;
static long bytes;
static int visit(const char *path, const struct stat *s, int kind, struct FTW *where) {
  if (kind == FTW_F) files++, bytes += s->st_size;
  else if (kind == FTW_SL) links++;
  else folders++;
  return where->level > 9;
}
static int remove_it(const char *path, const struct stat *s, int kind, struct FTW *where) { return remove(path); }

int main(void) {
  char name[64], path[PATH_MAX];
  printf("%d %d\n", mkdir("tree", 0755), mkdir("tree", 0755) == -1 && errno == EEXIST);
  chdir("tree");
  printf("%s\n", strrchr(getcwd(path, sizeof path), '/'));
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "dir%d", i % 3);
    mkdir(name, 0700);
    snprintf(name, sizeof name, "dir%d/file%d.txt", i % 3, i);
    FILE *f = fopen(name, "w");
    fprintf(f, "%0*d", i * 11 + 1, i);
    fclose(f);
  }
  printf("%d %d %zd\n", symlink("dir0/file0.txt", "sym"), link("dir1/file1.txt", "hard"), readlink("sym", name, sizeof name));
  struct stat a, b;
  stat("sym", &a), lstat("sym", &b);
  printf("%d %d %ld %o\n", S_ISREG(a.st_mode), S_ISLNK(b.st_mode), (long)a.st_size, stat("dir1", &a) == 0 ? a.st_mode & 0777 : 0);
  struct dirent **list;
  int n = scandir(".", &list, NULL, alphasort);
  for (int i = 0; i < n; i++) printf("%s%s ", list[i]->d_name, list[i]->d_type == DT_DIR ? "/" : "");
  printf("%d\n", rename("dir2", "moved"));
  printf("%d %s\n", rmdir("moved"), strerror(errno));
  chmod("hard", 0444);
  stat("dir1/file1.txt", &a);
  printf("%o %s\n", a.st_mode & 0777, strrchr(realpath("sym", path), '/'));
  chdir("..");
  nftw("tree", visit, 10, FTW_PHYS);
  printf("%d %d %d %ld\n", files, folders, links, bytes);
  nftw("tree", remove_it, 10, FTW_PHYS | FTW_DEPTH);
  printf("%d\n", access("tree", F_OK));
}
