#include "common.h"
/* Calls that meet holes, mappings shown again, and how many there may be. */
#define PAGE 4096

static char *fresh(int pages, int kind) {
  return mmap(0, pages * PAGE, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
}

static int allows(char *at) {
  int ends[2];
  pipe(ends);
  int writes = write(ends[1], "x", 1) == 1 && read(ends[0], at, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return writes;
}

static void holes(void) {
  char *at = fresh(5, MAP_PRIVATE);
  memset(at, 7, 5 * PAGE);
  munmap(at + 2 * PAGE, PAGE);
  say("protect %d:", failure(mprotect(at, 5 * PAGE, PROT_READ)));
  say(" %d %d %d %d\n", allows(at), allows(at + PAGE), allows(at + 3 * PAGE), allows(at + 4 * PAGE));
  say("protect from a hole %d\n", failure(mprotect(at + 2 * PAGE, 3 * PAGE, PROT_READ)));
  say("writable behind it %d\n", allows(at + 3 * PAGE));
  mprotect(at, 2 * PAGE, PROT_READ | PROT_WRITE);
  memset(at, 7, 2 * PAGE);
  memset(at + 3 * PAGE, 7, 2 * PAGE);
  say("forget %d:", failure(madvise(at, 4 * PAGE, MADV_DONTNEED)));
  say(" %d %d %d\n", at[PAGE], at[3 * PAGE], at[4 * PAGE]);
  at[0] = 1;
  say("locked, too %d\n", failure(madvise(at, PAGE, 24)) + at[0]);
  for (int advice = 5; advice <= 8; advice++) say("advice %d: %d\n", advice, failure(madvise(at, PAGE, advice)));
  say("advice for nothing %d\n", failure(madvise(at, 0, 7)));
  char *shared = fresh(1, MAP_SHARED);
  say("free what is shared %d\n", failure(madvise(shared, PAGE, MADV_FREE)));
  say("wipe it %d\n", failure(madvise(shared, PAGE, MADV_WIPEONFORK)));
}

static void again(void) {
  char *at = fresh(3, MAP_SHARED);
  strcpy(at + PAGE, "one");
  char *other = mremap(at + PAGE, 0, 2 * PAGE, MREMAP_MAYMOVE);
  say("again %d %s\n", other != MAP_FAILED && other != at + PAGE, other);
  strcpy(other, "two");
  strcpy(other + PAGE, "three");
  say("seen %s %s\n", at + PAGE, at + 2 * PAGE);
  munmap(at, 3 * PAGE);
  say("left %s %s\n", other, other + PAGE);
  int file = memfd_create("some", 0);
  ftruncate(file, 2 * PAGE);
  char *shown = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *place = fresh(1, MAP_PRIVATE);
  other = mremap(shown + PAGE, 0, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  strcpy(shown + PAGE, "four");
  say("at a place %d %s\n", other == place, other);
  char *own = fresh(1, MAP_PRIVATE);
  say("private %d\n", failure((long)mremap(own, 0, PAGE, MREMAP_MAYMOVE)));
  say("not to move %d\n", failure((long)mremap(shown, 0, PAGE, 0)));
  munmap(own, PAGE);
  say("of nothing %d\n", failure((long)mremap(own, 0, PAGE, MREMAP_MAYMOVE)));
}

/* Parts that become one again. */
static void parts(void) {
  char *at = fresh(4, MAP_SHARED);
  strcpy(at + 2 * PAGE, "before");
  mprotect(at + PAGE, PAGE, PROT_READ);
  pid_t child = fork();
  if (child == 0) {
    strcpy(at, "child");
    strcpy(at + 2 * PAGE, "behind");
    _exit(0);
  }
  ended(child);
  mprotect(at + PAGE, PAGE, PROT_READ | PROT_WRITE);
  char *moved = mremap(at, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
  say("parts %d", moved == MAP_FAILED);
  if (moved != MAP_FAILED) say(" %s %s", moved, moved + 2 * PAGE);
  say("\n");
}

/* The rest of a file's last page, when it becomes shorter. */
static void shrinking(void) {
  int file = memfd_create("some", 0);
  ftruncate(file, 2 * PAGE);
  char *at = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *seen = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  char *own = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  char bytes[2 * PAGE];
  memset(bytes, 'x', sizeof bytes);
  pwrite(file, bytes, sizeof bytes, 0);
  own[0] = 'o';
  own[PAGE] = 'o';
  ftruncate(file, 100);
  say("short %d %d, %d %d, %d %d\n", at[50], at[200], seen[50], seen[200], own[0], own[200]);
  ftruncate(file, 2 * PAGE);
  say("long %d %d, %d %d, %d %d\n", at[200], at[PAGE], seen[200], seen[PAGE], own[200], own[PAGE]);
}

/* As many as there may be, or nearly: the first ones are the program's. */
static void many(void) {
  enum { MOST = 32800 };
  int count = 0;
  char *all = mmap(0, (size_t)MOST * 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (; count < MOST; count++) {
    if (mprotect(all + (size_t)count * 2 * PAGE, PAGE, PROT_READ | PROT_WRITE) != 0) break;
    all[(size_t)count * 2 * PAGE] = 1;
  }
  say("many %d %d\n", count > 32700 && count < 32766, errno);
  say("cut %d\n", failure(munmap(all + (size_t)(count + 5) * 2 * PAGE, PAGE)));
  say("gone %d\n", failure(munmap(all, (size_t)MOST * 2 * PAGE)));
  say("room %d\n", fresh(1, MAP_PRIVATE) == MAP_FAILED);
}

int main(void) {
  holes();
  again();
  parts();
  shrinking();
  many();
  return 0;
}
