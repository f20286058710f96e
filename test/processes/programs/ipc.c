#include "common.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

/* System V's segments, semaphores and queues. Numbers and times are the kernel's own. */

struct message { long type; char text[64]; };
union value { int val; struct semid_ds *buf; unsigned short *array; struct seminfo *info; };

static int change(int set, int number, int by, int flags) {
  struct sembuf operation = { number, by, flags };
  return failure(semop(set, &operation, 1));
}
static int value_of(int set, int number) { return semctl(set, number, GETVAL); }
static void put(int queue, long type, const char *text) {
  struct message message = { type };
  strcpy(message.text, text);
  say("  put %ld %s: %d\n", type, text, failure(msgsnd(queue, &message, strlen(text) + 1, IPC_NOWAIT)));
}
static void get(int queue, long type, int most, int flags) {
  struct message message = { 0, "nothing" };
  long length = msgrcv(queue, &message, most, type, flags);
  say("  get %ld: %ld %d, type %ld, %s\n", type, length, failure(length), message.type, message.text);
}

static void segments(void) {
  const key_t key = 0x1f00cafe;
  say("segments: none %d\n", failure(shmget(key, 100, 0600)));
  int id = shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0640);
  say("made %d, again %d, too large %d, found %d\n", id >= 0, failure(shmget(key, 1, IPC_CREAT | IPC_EXCL)),
      failure(shmget(key, 6000, 0)), shmget(key, 5000, 0) == id);
  say("sizes %d %d\n", failure(shmget(IPC_PRIVATE, 0, 0600)), failure(shmget(IPC_PRIVATE, -1, 0600)));
  struct shmid_ds facts;
  say("stat %d", failure(shmctl(id, IPC_STAT, &facts)));
  say(": %zu bytes, mode %o, attached %lu, made by us %d, last %d, key %x, times %d %d\n", facts.shm_segsz,
      facts.shm_perm.mode, facts.shm_nattch, facts.shm_cpid == getpid(), facts.shm_lpid, facts.shm_perm.__key,
      facts.shm_atime == 0, facts.shm_dtime == 0);
  char *shared = shmat(id, 0, 0);
  const char *same = shmat(id, 0, SHM_RDONLY);
  strcpy(shared + 4990, "written");
  shmctl(id, IPC_STAT, &facts);
  say("attached %d times, apart %d, by us %d, zero behind %d\n", (int)facts.shm_nattch, shared != same,
      facts.shm_lpid == getpid(), shared[8191]);
  char *wanted = mmap(0, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(wanted, 1 << 20);
  say("at an address: %d, rounded %d, not aligned %d, taken %d", shmat(id, wanted, 0) == wanted,
      shmat(id, wanted + 8200, SHM_RND) == wanted + 8192, failure((long)shmat(id, wanted + 1, 0)),
      failure((long)shmat(id, wanted, 0)));
  say(", replaced %d, replaced nowhere %d\n", shmat(id, wanted, SHM_REMAP) == wanted,
      failure((long)shmat(id, 0, SHM_REMAP)));
  say("detached %d %d, again %d, never %d\n", failure(shmdt(wanted)), failure(shmdt(wanted + 8192)),
      failure(shmdt(wanted)), failure(shmdt(shared + 4096)));
  int ready[2], done[2];
  pipe(ready); pipe(done);
  pid_t child = fork();
  if (child == 0) {
    char c;
    read(ready[0], &c, 1);
    shmctl(id, IPC_STAT, &facts);
    say("child: %s, attached %lu\n", shared + 4990, facts.shm_nattch);
    strcpy(shared, "from the child");
    say("child: nothing attached %d\n", failure(shmdt("x")));
    write(done[1], "", 1);
    read(ready[0], &c, 1);
    _exit(shared[100]);
  }
  strcpy(shared + 4990, "by the parent");
  char c;
  write(ready[1], "", 1);
  read(done[0], &c, 1);
  say("parent: %s\n", shared);
  say("removed %d\n", failure(shmctl(id, IPC_RMID, 0)));
  shmctl(id, IPC_STAT, &facts);
  say("to go: mode %o, attached %lu, key %x, by key %d\n", facts.shm_perm.mode, facts.shm_nattch, facts.shm_perm.__key,
      failure(shmget(key, 100, 0)));
  shared[100] = 42;
  write(ready[1], "", 1);
  say("child ended %d\n", ended(child));
  shmctl(id, IPC_STAT, &facts);
  say("attached %lu, last by the child %d\n", facts.shm_nattch, facts.shm_lpid == child);
  munmap(shared, 4096);
  say("half %d: %d", failure(shmdt(shared)), failure(shmctl(id, IPC_STAT, &facts)));
  say(" %d\n", failure(shmdt(same)));
  say("gone %d %d %d\n", failure(shmctl(id, IPC_STAT, &facts)), failure((long)shmat(id, 0, 0)),
      failure(shmctl(-1, IPC_STAT, &facts)));
}

static void nothing(int signal) {}

static void semaphores(void) {
  const key_t key = 0x1f00beef;
  say("semaphores: none %d, no number %d, too many %d\n", failure(semget(key, 1, 0)),
      failure(semget(IPC_PRIVATE, 0, 0600)), failure(semget(IPC_PRIVATE, 40000, 0600)));
  int set = semget(key, 3, IPC_CREAT | 0600);
  say("found %d, more %d\n", semget(key, 0, 0) == set, failure(semget(key, 4, 0)));
  unsigned short values[3] = { 1, 2, 3 };
  say("set %d", failure(semctl(set, 0, SETALL, (union value){ .array = values })));
  say(" %d %d %d, too large %d %d", failure(semctl(set, 1, SETVAL, (union value){ .val = 7 })),
      failure(semctl(set, 3, SETVAL, (union value){ .val = 7 })), failure(semctl(set, -1, GETVAL)),
      failure(semctl(set, 0, SETVAL, (union value){ .val = 32768 })), change(set, 0, 32767, 0));
  semctl(set, 0, GETALL, (union value){ .array = values });
  say(": %d %d %d\n", values[0], values[1], values[2]);
  say("not there %d, none %d, too many %d, would wait %d, for zero %d\n", change(set, 3, 1, 0),
      failure(semop(set, (struct sembuf[1]){}, 0)), failure(semop(set, (struct sembuf[600]){}, 600)),
      change(set, 0, -2, IPC_NOWAIT), change(set, 0, 0, IPC_NOWAIT));
  struct sembuf both[] = { { 0, -1, 0 }, { 1, -8, IPC_NOWAIT } };
  say("all or none %d: %d", failure(semop(set, both, 2)), value_of(set, 0));
  both[1].sem_op = -7;
  say(", %d: %d %d\n", failure(semop(set, both, 2)), value_of(set, 0), value_of(set, 1));
  struct sembuf again[] = { { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 0 }, { 0, 2, 0 } };
  say("one by one %d: %d, by us %d\n", failure(semop(set, again, 4)), value_of(set, 0),
      semctl(set, 0, GETPID) == getpid());
  struct timespec soon = { 0, 20000000 };
  say("in time %d, a bad time %d\n", failure(semtimedop(set, &(struct sembuf){ 1, -1, 0 }, 1, &soon)),
      failure(semtimedop(set, &(struct sembuf){ 1, -1, 0 }, 1, &(struct timespec){ -1, 0 })));

  /* One waits for more, one for zero, one takes back what it did. */
  pid_t greedy = fork();
  if (greedy == 0) { int result = change(set, 0, -3, 0); _exit(result); }
  pid_t patient = fork();
  if (patient == 0) { int result = change(set, 2, 0, 0); _exit(result); }
  while (semctl(set, 0, GETNCNT) != 1 || semctl(set, 2, GETZCNT) != 1) usleep(1000);
  say("waiting %d %d %d\n", semctl(set, 0, GETNCNT), semctl(set, 2, GETZCNT), semctl(set, 1, GETNCNT));
  say("one more %d", change(set, 0, 1, 0));
  say(": at once %d, last by the one who waited %d\n", value_of(set, 0),
      semctl(set, 0, GETPID) == greedy);
  say("ended %d\n", ended(greedy));
  pid_t undone = fork();
  if (undone == 0) _exit(change(set, 2, -3, SEM_UNDO) + value_of(set, 2));
  say("undone %d", ended(undone));
  say(" and zero for a moment %d", ended(patient));
  say(": %d, by it %d\n", value_of(set, 2), semctl(set, 2, GETPID) == undone);
  pid_t kept = fork();
  if (kept == 0) {
    change(set, 2, 5, SEM_UNDO);
    semctl(set, 2, SETVAL, (union value){ .val = 4 });
    change(set, 2, 1, SEM_UNDO);
    _exit(0);
  }
  ended(kept);
  say("after SETVAL only what came later is undone: %d\n", value_of(set, 2));

  pid_t late = fork();
  if (late == 0) { int result = change(set, 1, -9, 0); _exit(result); }
  while (semctl(set, 1, GETNCNT) != 1) usleep(1000);
  pid_t caught = fork();
  if (caught == 0) {
    signal(SIGUSR2, SIG_IGN);
    struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_RESTART };
    sigaction(SIGUSR1, &action, 0);
    int result = change(set, 1, -9, 0);
    _exit(result);
  }
  while (semctl(set, 1, GETNCNT) != 2) usleep(1000);
  kill(caught, SIGUSR2);
  kill(caught, SIGUSR1);
  say("interrupted %d", ended(caught));
  say(", left %d\n", semctl(set, 1, GETNCNT));
  struct semid_ds facts;
  say("stat %d", failure(semctl(set, 0, IPC_STAT, (union value){ .buf = &facts })));
  say(": %d, mode %o, used %d\n", (int)facts.sem_nsems, facts.sem_perm.mode, facts.sem_otime != 0);
  facts.sem_perm.mode = 0666;
  say("rights %d", failure(semctl(set, 0, IPC_SET, (union value){ .buf = &facts })));
  semctl(set, 0, IPC_STAT, (union value){ .buf = &facts });
  say(" %o\n", facts.sem_perm.mode);
  say("removed %d", failure(semctl(set, 0, IPC_RMID)));
  say(", told %d", ended(late));
  say(", gone %d\n", value_of(set, 0) == -1 ? errno : 0);
}

static void queues(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  say("queues: %d, none %d\n", queue >= 0, failure(msgget(0x1f00f00d, 0)));
  put(queue, 3, "three");
  put(queue, 1, "one");
  put(queue, 2, "two");
  put(queue, 1, "one again");
  put(queue, 0, "of no type");
  get(queue, 7, 64, IPC_NOWAIT);
  get(queue, 1, 2, IPC_NOWAIT);
  get(queue, 1, 2, IPC_NOWAIT | MSG_NOERROR);
  get(queue, -2, 64, IPC_NOWAIT);
  get(queue, 3, 64, IPC_NOWAIT | MSG_EXCEPT);
  get(queue, 0, 64, IPC_NOWAIT);
  get(queue, 0, 64, IPC_NOWAIT);
  struct msqid_ds facts;
  put(queue, 5, "counted");
  say("stat %d", failure(msgctl(queue, IPC_STAT, &facts)));
  say(": %d, %d bytes of %d, mode %o, by us %d %d\n", (int)facts.msg_qnum, (int)facts.__msg_cbytes, (int)facts.msg_qbytes,
      facts.msg_perm.mode, facts.msg_lspid == getpid(), facts.msg_lrpid == getpid());
  char large[8200] = { 1 };
  say("too long %d", failure(msgsnd(queue, large, 8193, 0)));
  say(", long %d, full %d\n", failure(msgsnd(queue, large, 8192, IPC_NOWAIT)), failure(msgsnd(queue, large, 8190, IPC_NOWAIT)));
  get(queue, 5, 64, 0);

  /* A receiver waits for a type; one that asks for less than there is gets an error; a sender waits for room. */
  int said[2];
  pipe(said);
  pid_t receiver = fork();
  if (receiver == 0) { get(queue, 9, 64, 0); _exit(0); }
  pid_t narrow = fork();
  if (narrow == 0) { get(queue, 10, 2, 0); _exit(0); }
  usleep(100000);
  msgsnd(queue, &(struct message){ 9, "for the child" }, 14, 0);
  say("received %d\n", ended(receiver));
  msgsnd(queue, &(struct message){ 10, "too long for it" }, 16, 0);
  say("told %d\n", ended(narrow));
  get(queue, 10, 64, IPC_NOWAIT);
  pid_t sender = fork();
  if (sender == 0) { int result = failure(msgsnd(queue, large, 8191, 0)); put(queue, 11, "sent"); _exit(result); }
  usleep(100000);
  struct { long type; char text[8200]; } room;
  *(long *)large = 1;
  msgsnd(queue, large, 8192, IPC_NOWAIT);
  say("room %ld\n", (long)msgrcv(queue, &room, 8192, 0, 0));
  say("sent %d", ended(sender));
  say(" %ld %ld\n", (long)msgrcv(queue, &room, 8192, 0, IPC_NOWAIT), (long)msgrcv(queue, &room, 8192, 0, IPC_NOWAIT));
  pid_t last = fork();
  if (last == 0) { get(queue, 12, 64, 0); _exit(0); }
  usleep(100000);
  int removed = failure(msgctl(queue, IPC_RMID, 0));
  say("told %d, removed %d\n", ended(last), removed);
  put(queue, 1, "gone");
  get(queue, 1, 10, 0);
}

int main(void) {
  segments();
  semaphores();
  queues();
}
