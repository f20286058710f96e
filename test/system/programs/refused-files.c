/* What calls for files and directories refuse, by which error, and what they make of modes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
#include <poll.h>
#include <sched.h>
#include <time.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/socket.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <sys/file.h>
#define T(call) do { errno = 0; long r_ = (long)(call); int e_ = errno; printf("%s = %ld %s\n", #call, r_, e_ ? strerrorname_np(e_) : "-"); } while (0)
#define B ((void*)8)
int main(void) { setvbuf(stdout, 0, _IOLBF, 0);
  char buf[100]; struct stat st; int f, g, p[2], d; loff_t off, off2;
  umask(022);
  T(mkdir("d", 0777)); stat("d", &st); printf("%o\n", st.st_mode);
  T(mkdir("d2", 01700)); stat("d2", &st); printf("%o\n", st.st_mode);
  T(mkdir("d3", 06755)); stat("d3", &st); printf("%o\n", st.st_mode);
  d = open("d", O_RDONLY|O_DIRECTORY);
  T(fchmod(d, 0711)); fstat(d, &st); printf("%o\n", st.st_mode);
  T(chmod("d", 0500)); stat("d", &st); printf("%o\n", st.st_mode); 
  T(chmod("d", 07777)); stat("d", &st); printf("%o\n", st.st_mode);
  T(chmod("d", 0755));
  T(mkdir("d", 0777));
  T(mkdir("x/y", 0777));
  T(mkdir("", 0777));
  T(mkdir("/", 0777));
  T(rmdir("nope"));
  T(rmdir("."));
  T(rmdir("d/.."));
  T(mkdir("e/", 0777));
  T(rmdir("e/"));
  f = open("f", O_RDWR|O_CREAT, 0666); fstat(f, &st); printf("%o\n", st.st_mode);
  T(open("f", O_CREAT|O_EXCL));
  T(open("f/", O_RDONLY));
  T(open("f/x", O_RDONLY));
  T(open("d", O_WRONLY));
  T(open("d", O_CREAT));
  T(open("nope/x", O_CREAT, 0600));
  T(open("f", O_DIRECTORY));
  T(open(B, 0));
  T(open("", 0));
  T(openat(99, "x", 0));
  T(openat(f, "x", 0));
  T(open(".", O_TMPFILE|O_RDONLY));
  T(open("f", O_TMPFILE|O_RDWR));
  T(write(f, "hello world", 11));
  T(pwrite(f, "X", 1, 20));
  T(lseek(f, 0, SEEK_END));
  T(lseek(f, -100, SEEK_CUR));
  T(lseek(f, 5, 77));
  T(lseek(f, 3, SEEK_DATA));
  T(lseek(f, 3, SEEK_HOLE));
  T(lseek(f, 300, SEEK_DATA));
  T(lseek(99, 0, 0)); 
  T(pread(f, buf, 10, -1));
  T(pread(f, B, 10, 0));
  T(pread(f, buf, 0, 0));
  T(pread(f, B, 0, 0));
  T(read(d, buf, 10));
  T(write(d, buf, 1));
  T(read(f, B, 0));
  T(write(f, B, 1));
  T(write(f, B, 0));
  T(read(99, buf, 1));
  T(ftruncate(f, -1));
  T(ftruncate(f, 5));
  T(ftruncate(d, 5));
  T(truncate("d", 5));
  T(truncate("nope", 5));
  T(truncate("f", 100)); fstat(f, &st); printf("%ld\n", st.st_size);
  g = open("f", O_RDONLY);
  T(ftruncate(g, 5));
  T(write(g, "x", 1));
  T(pwrite(g, "x", 1, 0));
  T(fallocate(g, 0, 0, 10));
  T(fallocate(f, 0, 0, 1000)); fstat(f, &st); printf("%ld\n", st.st_size);
  T(fallocate(f, FALLOC_FL_KEEP_SIZE, 0, 5000)); fstat(f, &st); printf("%ld\n", st.st_size);
  T(fallocate(f, 0, -1, 5));
  T(fallocate(f, 0, 0, 0));
  T(fallocate(f, FALLOC_FL_PUNCH_HOLE, 0, 5));
  T(fallocate(f, FALLOC_FL_PUNCH_HOLE|FALLOC_FL_KEEP_SIZE, 0, 5));
  T(pread(f, buf, 11, 0)); printf("%d %c\n", buf[0], buf[5]);
  T(fallocate(d, 0, 0, 5));
  T(fallocate(99, 0, 0, 5));
  T(fallocate(f, 0x100, 0, 5));
  T(posix_fallocate(f, 0, 6000));
  T(fallocate(f, FALLOC_FL_ZERO_RANGE, 0, 10));
  pipe(p);
  T(fallocate(p[1], 0, 0, 5));
  T(ftruncate(p[1], 5));
  T(fsync(p[0]));
  T(fdatasync(f));
  T(fsync(99));
  T(pread(p[0], buf, 1, 0));
  T(sync_file_range(f, 0, 10, 99));
  T(posix_fadvise(f, 0, 0, 99));
  T(posix_fadvise(p[0], 0, 0, 0));
  T(posix_fadvise(f,0,-1,0));
  T(readahead(f, 0, 10));
  T(readahead(p[0], 0, 10));
  T(syncfs(f));
  int h = open("h", O_RDWR|O_CREAT, 0600); off = 0;
  lseek(f, 0, SEEK_SET); write(f, "0123456789", 10); ftruncate(f, 10);
  T(copy_file_range(f, &off, h, NULL, 5, 0)); printf("%ld\n", (long)off);
  T(copy_file_range(f, &off, h, NULL, 50, 0));
  T(copy_file_range(f, &off, h, NULL, 50, 0));
  T(copy_file_range(f, &off, h, NULL, 5, 1)); off = 0; off2 = 3;
  T(copy_file_range(f, &off, f, &off2, 5, 0)); off2 = 5;
  T(copy_file_range(f, &off, f, &off2, 5, 0));
  T(copy_file_range(p[0], NULL, h, NULL, 5, 0));
  T(copy_file_range(d, NULL, h, NULL, 5, 0));
  T(copy_file_range(99, NULL, h, NULL, 5, 0));
  T(copy_file_range(f, NULL, g, NULL, 5, 0)); 
  int a = open("h", O_WRONLY|O_APPEND);
  T(copy_file_range(f, NULL, a, NULL, 5, 0));
  T(copy_file_range(a, NULL, h, NULL, 5, 0));
  off = 2;
  T(sendfile(h, f, &off, 4)); printf("%ld\n", (long)off);
  T(sendfile(p[1], f, &off, 100));
  T(sendfile(f, p[0], NULL, 4));
  T(sendfile(h, f, B, 4));
  T(sendfile(99, f, NULL, 4));
  T(sendfile(a, f, NULL, 4)); off = -1;
  T(sendfile(h, f, &off, 4));
  T(sendfile(g, f, NULL, 4));
  T(sendfile(h, d, NULL, 4));
  int q[2]; pipe(q); off = 0;
  T(splice(f, &off, q[1], NULL, 4, 0));
  T(splice(f, &off, h, NULL, 4, 0));
  T(splice(q[0], NULL, q[1], NULL, 4, 0));
  T(splice(q[0], NULL, p[1], NULL, 2, 0));
  T(tee(q[0], p[1], 10, 0));
  T(tee(q[0], q[1], 10, 0));
  T(tee(f, q[1], 10, 0));
  T(splice(q[0], &off, h, NULL, 4, 0));
  T(splice(q[0], NULL, h, &off, 0, 0));
  T(splice(q[0], NULL, a, NULL, 4, 0));
  T(splice(q[0], NULL, h, NULL, 4, 0x100));
  T(splice(q[1], NULL, h, NULL, 4, 0));
  T(splice(99, NULL, h, NULL, 4, 0));
  struct iovec v = {"abc", 3}, bad = {B, 3};
  T(vmsplice(q[1], &v, 1, 0));
  T(vmsplice(q[1], &bad, 1, 0));
  T(vmsplice(f, &v, 1, 0));
  T(vmsplice(q[1], &v, 2000, 0));
  T(vmsplice(q[1], &v, 0, 0));
  T(writev(f, &v, -1));
  T(writev(f, &v, 1025));
  T(writev(f, &bad, 1));
  T(writev(f, &v, 0)); v.iov_len = -1;
  T(writev(f, &v, 1));
  T(readv(f, B, 1)); 
  T(rename("nope", "x"));
  T(rename("d", "f"));
  T(rename("f", "d"));
  T(rename("d", "d/x"));
  T(rename("f", "f"));
  T(renameat2(AT_FDCWD, "f", AT_FDCWD, "h", RENAME_NOREPLACE));
  T(renameat2(AT_FDCWD, "f", AT_FDCWD, "h", 99));
  T(renameat2(AT_FDCWD, "f", AT_FDCWD, "nope", RENAME_EXCHANGE));
  T(renameat2(AT_FDCWD, "f", AT_FDCWD, "h", RENAME_EXCHANGE));
  T(rename("f", ""));
  T(rename("f/", "z"));
  T(rename("d", "dd/"));
  T(link("f", "l"));
  T(link("f", "l"));
  T(link("dd", "l2"));
  T(link("nope", "l2")); stat("f", &st); printf("%ld\n", (long)st.st_nlink);
  T(symlink("", "s"));
  T(symlink("loop", "loop"));
  T(open("loop", 0));
  T(symlink("f", "s"));
  T(symlink("f", "s"));
  T(readlink("s", buf, 0));
  T(readlink("s", buf, 1));
  T(readlink("f", buf, 10));
  T(readlink("nope", buf, 10));
  T(readlink("s", B, 10));
  T(open("s", O_NOFOLLOW));
  T(open("s", O_CREAT|O_EXCL, 0600));
  T(linkat(AT_FDCWD, "s", AT_FDCWD, "s2", AT_SYMLINK_FOLLOW));
  T(linkat(AT_FDCWD, "s", AT_FDCWD, "s3", 1));
  T(unlink("dd"));
  T(unlink("nope"));
  T(unlink("f/"));
  T(unlinkat(AT_FDCWD, "f", AT_REMOVEDIR));
  T(unlinkat(AT_FDCWD, "f", 1));
  T(unlink("d2/."));
  T(rmdir("dd/."));
  T(access("f", 9));
  T(access("f", X_OK));
  T(access("f", F_OK));
  T(access("nope", 0));
  T(faccessat(AT_FDCWD, "f", 0, 0x8));
  T(stat("nope", &st));
  T(stat("f", B));
  T(fstat(99, &st));
  T(lstat("loop", &st));
  T(stat("loop", &st));
  T(fstatat(AT_FDCWD, "", &st, 0));
  T(fstatat(f, "", &st, AT_EMPTY_PATH));
  T(fstatat(AT_FDCWD, "f", &st, 0x8)); struct statx sx;
  T(statx(AT_FDCWD, "f", 0x6000, 0, &sx));
  T(statx(AT_FDCWD, "f", 0, 0x80000000, &sx));
  char name[300]; memset(name, 'a', 299); name[299] = 0;
  T(open(name, O_CREAT, 0600)); char *longp = malloc(5000); memset(longp, '/', 4999); longp[4999] = 0;
  T(open(longp, 0));
  T(chdir("f"));
  T(chdir("nope"));
  T(fchdir(f));
  T(getcwd(buf, 1));
  T(getcwd(buf, 0));
  T(syscall(SYS_getcwd, B, 100));
  T(chmod("nope", 0));
  T(fchmodat(AT_FDCWD, "f", 0644, 0));
  T(fchmod(99, 0));
  T(chown("f", -1, -1));
  T(utimensat(AT_FDCWD, "nope", NULL, 0)); struct timespec ts[2] = {{0, 2000000000}, {0, 0}};
  T(utimensat(AT_FDCWD, "f", ts, 0)); ts[0].tv_nsec = UTIME_OMIT; ts[1].tv_nsec = UTIME_OMIT;
  T(utimensat(AT_FDCWD, "nope", ts, 0));
  T(futimens(f, ts));
  T(utimensat(AT_FDCWD, NULL, ts, 0));
  T(mknod("n", S_IFIFO|0600, 0));
  T(mknod("n", S_IFIFO|0600, 0));
  T(mknod("n2", S_IFREG|0600, 0));
  T(mknod("n4", 0600, 0));
  T(mknod("n5", S_IFDIR|0600, 0));
  T(statfs("nope", B));
  T(flock(99, LOCK_EX));
  T(flock(f, LOCK_EX));
  T(flock(g, LOCK_EX|LOCK_NB)); struct flock fl = {F_WRLCK, 9, 0, 0};
  T(fcntl(f, F_SETLK, &fl)); fl.l_whence = 0; fl.l_type = 7;
  T(fcntl(f, F_SETLK, &fl)); fl.l_type = F_WRLCK;
  T(fcntl(g, F_SETLK, &fl));
  T(fcntl(f, F_SETLK, B)); fl.l_start = -5;
  T(fcntl(f, F_SETLK, &fl));
  T(fcntl(f, 9999, 0));
  T(fcntl(99, F_GETFD));
  T(fcntl(f, F_DUPFD, -1));
  T(fcntl(f, F_DUPFD, 1 << 30));
  T(fcntl(f, F_GETPIPE_SZ));
  T(fcntl(q[0], F_SETPIPE_SZ, 5000));
  T(fcntl(f, F_SETOWN, 999999));
  T(dup(99));
  T(dup2(f, -1));
  T(dup2(f, 100000));
  T(dup2(99, 99));
  T(dup3(f, f, 0));
  T(dup3(f, 50, 99));
  T(pipe((int*)B));
  T(pipe2(p, 0x99));
  T(close(99));
  T(close(-1));
  T(close_range(10, 5, 0));
  T(close_range(100, 200, 99)); 
  T(getdents64(f, buf, 100));
  T(getdents64(d, buf, 5));
  T(getdents64(99, buf, 100));
  T(getdents64(d, B, 100));
  T(ioctl(f, FIONREAD, &g));
  T(ioctl(99, 0));
  T(ioctl(f, 0x1234, 0));
  T(ioctl(d, FIONREAD, &g));
  T(ioctl(f, FIONBIO, B));
  return 0; }
