#include "common.h"

/* Pipes with names: who opens one waits for the other side. */

static void *handled;
static void handler(int signal) { handled = &handled; }

static void meeting(void) {
  say("mkfifo %d\n", failure(mkfifo("pipe", 0640)));
  say("again %d\n", failure(mkfifo("pipe", 0600)));
  struct stat facts;
  stat("pipe", &facts);
  say("mode %o size %ld links %ld\n", facts.st_mode, facts.st_size, facts.st_nlink);
  say("no reader %d\n", failure(open("pipe", O_WRONLY | O_NONBLOCK)));
  pid_t child = fork();
  if (child == 0) {
    int out = open("pipe", O_WRONLY);
    write(out, "from the child", 14);
    close(out);
    int in = open("pipe", O_RDONLY);
    char text[32] = "";
    long count = read(in, text, 31);
    say("child read %ld %s\n", count, text);
    say("child read %ld\n", read(in, text, 31));
    _exit(3);
  }
  int in = open("pipe", O_RDONLY);
  char text[32] = "";
  say("parent read %ld\n", read(in, text, 31));
  say("%s\n", text);
  say("then %ld\n", read(in, text, 31));
  close(in);
  int out = open("pipe", O_WRONLY);
  write(out, "from the parent", 15);
  close(out);
  say("ended %d\n", ended(child));
}

/* A reader that does not wait sees the end of the pipe, but nobody has hung up yet. */
static void hanging_up(void) {
  char byte;
  int in = open("pipe", O_RDONLY | O_NONBLOCK);
  struct pollfd polled = {in, POLLIN, 0};
  say("read %ld\n", read(in, &byte, 1));
  say("poll %d", poll(&polled, 1, 0));
  say(" %x\n", polled.revents);
  int out = open("pipe", O_WRONLY | O_NONBLOCK);
  say("read %ld", read(in, &byte, 1));
  say(" %d\n", errno);
  write(out, "ab", 2);
  say("poll %d", poll(&polled, 1, 0));
  say(" %x\n", polled.revents);
  close(out);
  say("poll %d", poll(&polled, 1, 0));
  say(" %x\n", polled.revents);
  say("read %ld\n", read(in, &byte, 1));
  say("read %ld\n", read(in, &byte, 1));
  say("poll %d", poll(&polled, 1, 0));
  say(" %x\n", polled.revents);
  int both = open("pipe", O_RDWR);
  say("poll %d", poll(&polled, 1, 0));
  say(" %x\n", polled.revents);
  write(both, "xyz", 3);
  char text[8];
  say("read %ld\n", read(in, text, 8));
  close(both);
  close(in);
}

/* What is in a pipe that nobody has open any more is lost. */
static void forgetting(void) {
  int both = open("pipe", O_RDWR | O_NONBLOCK);
  write(both, "lost", 4);
  close(both);
  both = open("pipe", O_RDWR | O_NONBLOCK);
  char text[8];
  say("read %ld", read(both, text, 8));
  say(" %d\n", errno);
  close(both);
}

static void interrupted(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {.it_value.tv_usec = 20000};
  setitimer(ITIMER_REAL, &timer, NULL);
  say("interrupted %d\n", failure(open("pipe", O_RDONLY)));
  say("nobody left %d\n", failure(open("pipe", O_WRONLY | O_NONBLOCK)));
  say("handled %d\n", handled != NULL);
}

/* A writer that came and went lets the reader in all the same. */
static void passing_by(void) {
  pid_t child = fork();
  if (child == 0) {
    int out = open("pipe", O_WRONLY);
    close(out);
    _exit(0);
  }
  int in = open("pipe", O_RDONLY);
  char byte;
  say("passed by %ld\n", read(in, &byte, 1));
  close(in);
  ended(child);
}

static void others(void) {
  say("file %d\n", failure(mknod("made", S_IFREG | 0600, 0)));
  say("plain %d\n", failure(mknod("made", 0600, 0)));
  say("socket %d\n", failure(mknod("socket", S_IFSOCK | 0600, 0)));
  struct stat facts;
  stat("socket", &facts);
  say("is socket %d\n", S_ISSOCK(facts.st_mode));
  say("open socket %d\n", failure(open("socket", O_RDWR)));
  say("no folder %d\n", failure(mkfifo("nowhere/pipe", 0600)));
  say("directory %d\n", failure(open("pipe", O_RDONLY | O_DIRECTORY)));
  say("link %d\n", failure(link("pipe", "other")));
  stat("other", &facts);
  say("other %o\n", facts.st_mode & S_IFMT);
  say("chmod %d\n", failure(chmod("pipe", 0600)));
  int in = open("pipe", O_RDONLY | O_NONBLOCK), out = open("other", O_WRONLY);
  char text[8];
  write(out, "one", 3);
  say("one pipe %ld\n", read(in, text, 8));
  say("rename %d\n", failure(rename("other", "third")));
  say("truncate %d\n", failure(ftruncate(out, 0)));
  say("seek %d\n", failure(lseek(in, 0, SEEK_SET)));
  close(in);
  close(out);
  unlink("third");
  unlink("made");
  unlink("socket");
}

/* Through /proc a pipe without a name can be opened the other way round. */
static void through_descriptor(void) {
  int ends[2];
  char path[32], text[8] = "";
  pipe(ends);
  write(ends[1], "abc", 3);
  snprintf(path, 32, "/proc/self/fd/%d", ends[1]);
  int in = open(path, O_RDONLY);
  say("reads %ld\n", read(in, text, 8));
  close(in), close(ends[0]), close(ends[1]);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(15);
  meeting();
  hanging_up();
  forgetting();
  interrupted();
  passing_by();
  others();
  through_descriptor();
  unlink("pipe");
}
