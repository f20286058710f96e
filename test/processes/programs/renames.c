#include "common.h"
/* What /proc calls files and directories that were opened, mapped or executed, when they are moved and removed later. */
static char folder[] = "/tmp/renames-XXXXXX";

/* Without the folder, whose name nobody knows. */
static const char *below(const char *path) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 ? path + length : path;
}

static void link_says(const char *when, const char *link) {
  char target[512];
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) say("%s: error %d\n", when, errno);
  else target[length] = 0, say("%s: %s\n", when, below(target));
}

static char *link_of(int file) {
  static char link[64];
  sprintf(link, "/proc/self/fd/%d", file);
  return link;
}

static void called(const char *when, int file) { link_says(when, link_of(file)); }

static void mapped(const char *when, void *at) {
  char line[600], start[32];
  sprintf(start, "%08lx-", (long)at);
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (strncmp(line, start, strlen(start)) == 0) say("%s: mapped %s", when, below(line + 73));
  fclose(maps);
}

static int made(const char *path) {
  int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0644);
  write(file, path, strlen(path));
  return file;
}

static void files(void) {
  int file = made("a"), again;
  void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  called("made", file);
  rename("a", "b");
  called("renamed", file);
  mapped("renamed", at);
  mkdir("d", 0755);
  mkdir("d/e", 0755);
  rename("b", "d/e/b");
  int directory = open("d/e", O_RDONLY | O_DIRECTORY);
  called("moved", file);
  rename("d", "f");
  called("below a directory that was renamed", file);
  called("directory", directory);
  again = open(link_of(file), O_RDONLY);
  called("opened again", again);
  close(again);
  int other = made("f/other");
  renameat2(AT_FDCWD, "f/e", AT_FDCWD, "f/other", RENAME_EXCHANGE);
  called("in what was exchanged", file);
  called("exchanged", other);
  called("exchanged directory", directory);
  link("f/other/b", "twin");
  called("linked", file);
  int twin = open("twin", O_RDONLY);
  called("twin", twin);
  unlink("f/other/b");
  called("removed", file);
  called("twin of it", twin);
  mapped("removed", at);
  close(made("f/other/b"));
  called("made again", file);
  rename("twin", "f/other/b");
  called("twin in its place", twin);
  int last = made("last");
  rename("last", "f/other/b");
  called("replaced", twin);
  called("last", last);
  again = open(link_of(twin), O_RDONLY);
  called("opened again without a name", again);
  char text[8] = {0};
  read(again, text, 7);
  say("which holds %s\n", text);
  unlink("f/other/b");
  chdir("f/other");
  rmdir("../other");
  called("directory removed", directory);
  link_says("working directory removed", "/proc/self/cwd");
  chdir(folder);
  unlink("f/e");
  rmdir("f");
  mkfifo("pipe", 0600);
  int pipe = open("pipe", O_RDWR);
  rename("pipe", "tube");
  called("pipe", pipe);
  unlink("tube");
  called("pipe removed", pipe);
  int memory = memfd_create("memory", 0);
  called("memory", memory);
  again = open(link_of(memory), O_RDWR);
  called("memory opened again", again);
}

/* A copy of this program. */
static void copied(const char *to) {
  int from = open("/proc/self/exe", O_RDONLY), file = open(to, O_CREAT | O_WRONLY, 0755);
  char bytes[4096];
  for (ssize_t count; (count = read(from, bytes, sizeof bytes)) > 0;) write(file, bytes, count);
  close(from);
  close(file);
}

static void executed(char *how) {
  strcpy(folder, getenv("FOLDER"));
  say("%s\n", how);
  link_says("program", "/proc/self/exe");
  rename("program", "moved");
  link_says("moved", "/proc/self/exe");
  unlink("moved");
  link_says("removed", "/proc/self/exe");
  int self = open("/proc/self/exe", O_RDONLY);
  char magic[4] = {0};
  read(self, magic, 4);
  say("still an ELF file %d\n", memcmp(magic, "\177ELF", 4) == 0);
  called("opened", self);
  struct stat status;
  stat("/proc/self/exe", &status);
  say("links %d\n", (int)status.st_nlink);
  if (strcmp(how, "again") != 0) execl("/proc/self/exe", "program", "again", NULL);
  exit(0);
}

int main(int count, char **arguments) {
  if (count > 1) executed(arguments[1]);
  mkdtemp(folder);
  chdir(folder);
  setenv("FOLDER", folder, 1);
  files();
  for (int way = 0; way < 2; way++) {
    copied("program");
    int file = open("program", O_RDONLY);
    pid_t child = fork();
    if (child == 0) {
      if (way == 0) execl(link_of(file), "program", "by its descriptor", NULL);
      fexecve(file, (char *[]){"program", "by fexecve", NULL}, environ);
      _exit(1);
    }
    say("ended %d\n", ended(child));
    close(file);
  }
  chdir("/");
  say("empty %d\n", rmdir(folder));
  return 0;
}
