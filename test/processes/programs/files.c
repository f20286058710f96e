#include "common.h"
/* What every system has in /etc has a size, an end, and bytes that can be mapped. */
static void settings(void) {
  const char *names[] = {"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname"};
  for (int i = 0; i < 4; i++) {
    int file = open(names[i], O_RDONLY);
    struct stat status;
    fstat(file, &status);
    char bytes[32];
    ssize_t length = read(file, bytes, sizeof bytes);
    char *mapped = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    say("%s: size %d, blocks %d, end %d, hole %d, mapped %d\n", names[i], status.st_size > 0,
        status.st_blocks > 0, lseek(file, 0, SEEK_END) == status.st_size,
        lseek(file, 0, SEEK_HOLE) == status.st_size,
        mapped != MAP_FAILED && length > 0 && memcmp(mapped, bytes, length) == 0);
    munmap(mapped, status.st_size);
    close(file);
  }
  struct stat status;
  say("mtab is a link %d\n", lstat("/etc/mtab", &status) == 0 && S_ISLNK(status.st_mode));
  stat("/etc/mtab", &status);
  say("to a text of size %ld\n", (long)status.st_size);
}

/* Open file descriptions, directories, masks and the tree of files. */
int main(void) {
  char folder[] = "/tmp/files-XXXXXX";
  mkdtemp(folder);
  chdir(folder);
  int file = open("shared", O_CREAT | O_RDWR, 0644);
  write(file, "0123456789", 10);
  lseek(file, 0, SEEK_SET);
  pid_t child = fork();
  char buffer[16] = {0};
  if (child == 0) {
    read(file, buffer, 4);
    int own = open("shared", O_RDONLY);
    char other[8] = {0};
    read(own, other, 2);
    mkdir("made", 0700);
    chdir("made");
    umask(077);
    int inside = open("inside", O_CREAT | O_WRONLY, 0666);
    fcntl(file, F_SETFL, O_APPEND);
    close(file);
    _exit(strcmp(buffer, "0123") || strcmp(other, "01"));
  }
  say("child %d\n", ended(child));
  read(file, buffer, 3);
  struct stat status;
  say("offset %.3s, append %d\n", buffer, (fcntl(file, F_GETFL) & O_APPEND) != 0);
  stat("made/inside", &status);
  say("made %o\n", status.st_mode & 0777);
  char here[200];
  getcwd(here, sizeof here);
  say("here %d\n", strcmp(here, folder));
  int copy = dup(file);
  child = fork();
  if (child == 0) {
    close(copy);
    lseek(file, 1, SEEK_SET);
    _exit(0);
  }
  ended(child);
  say("duplicate at %ld\n", (long)lseek(copy, 0, SEEK_CUR));
  /* A removed file lives as long as somebody has it open. */
  int ends[2];
  pipe(ends);
  child = fork();
  if (child == 0) {
    char byte;
    close(ends[1]);
    read(ends[0], &byte, 1);
    lseek(file, 0, SEEK_SET);
    ssize_t count = read(file, buffer, 10);
    _exit(count);
  }
  close(file);
  close(copy);
  unlink("shared");
  unlink("made/inside");
  rmdir("made");
  write(ends[1], "x", 1);
  say("read after removal %d\n", ended(child));
  char link[64];
  ssize_t length = readlink("/proc/self/cwd", link, sizeof link);
  say("cwd %d\n", length == (ssize_t)strlen(folder) && memcmp(link, folder, length) == 0);
  chdir("/");
  rmdir(folder);
  settings();
  return 0;
}
