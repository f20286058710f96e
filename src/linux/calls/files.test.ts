import { describe, expect, test } from 'vitest';
import { Guest } from '../fixtures/guest.ts';

const O_RDONLY = 0;
const O_RDWR = 2;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_APPEND = 0o2000;
const CWD = -100;

const guest = () =>
  new Guest({
    files: {
      '/home/me/project/data.txt': 'hello world',
      '/home/me/project/src/a.c': 'int a;',
      '/home/me/project/src/b.c': 'int b;',
      '/home/me/project/run': { program: 'ELF' },
      '/home/me/project/link': { link: 'src/a.c' },
      '/home/me/project/loop': { link: 'loop' },
      '/home/me/other.txt': 'next door',
      '/usr/lib/data': 'library',
    },
  });

describe('reading', () => {
  test('a relative path starts from the working directory, an absolute one from the root of the host', () => {
    const g = guest();
    expect(g.contents('data.txt')).toBe('hello world');
    expect(g.contents('./src/../src/a.c')).toBe('int a;');
    expect(g.contents('/usr/lib/data')).toBe('library');
    expect(g.contents('/home/me/project/data.txt')).toBe('hello world');
    expect(g.contents('/w4/w3/w2/w1/w/data.txt')).toBe('hello world');
  });

  test('the working directory has a fixed name, and beyond it the host begins', () => {
    const g = guest();
    const buffer = g.room(100);
    expect(g.call('getcwd', buffer, 100)).toBe(15);
    expect(g.text(buffer, 15)).toBe('/w4/w3/w2/w1/w\0');
    expect(g.contents('../other.txt')).toBe('next door');
    g.call('chdir', 'src');
    expect(g.call('getcwd', buffer, 100)).toBe(19);
    expect(g.text(buffer, 19)).toBe('/w4/w3/w2/w1/w/src\0');
    expect(g.call('getcwd', buffer, 6)).toBe('ERANGE');
  });

  test('directories above it have fixed names, too, by which programs look there', () => {
    const g = guest();
    expect(g.contents('/w4/w3/w2/w1/other.txt')).toBe('next door');
    expect(g.contents('/w4/w3/w2/w1/project/data.txt')).toBe('hello world');
    // The project is two directories below the host's root, which all others are.
    expect(g.contents('/w4/w3/usr/lib/data')).toBe('library');
    g.call('chdir', '/w4/w3/w2/w1');
    expect(g.contents('w/data.txt')).toBe('hello world');
    expect(g.names('.')).toEqual(['.', '..', 'other.txt', 'project']);
    // By the host's name, as what is opened by that.
    const buffer = g.room(100);
    expect(g.text(buffer, g.call('getcwd', buffer, 100) as number)).toBe('/home/me\0');
  });

  test('the root as the working directory has its name', () => {
    const g = new Guest({ files: { '/f': 'text' }, directory: '/' });
    const buffer = g.room(100);
    expect(g.text(buffer, g.call('getcwd', buffer, 100) as number)).toBe('/w4/w3/w2/w1/w\0');
    expect(g.contents('/w4/w3/f')).toBe('text');
    expect(g.contents('/w4/w3/w2/w1/w/f')).toBe('text');
  });

  test('what is written under one name of the working directory is read under the other', () => {
    const g = guest();
    g.save('/home/me/project/new', 'fresh');
    expect(g.contents('new')).toBe('fresh');
    expect(g.contents('/w4/w3/w2/w1/w/new')).toBe('fresh');
  });

  test('a read moves the offset, a pread does not', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    expect(g.read(fd, 5)).toBe('hello');
    const buffer = g.room(5);
    expect(g.call('pread64', fd, buffer, 5, 6)).toBe(5);
    expect(g.text(buffer, 5)).toBe('world');
    expect(g.read(fd, 100)).toBe(' world');
    expect(g.read(fd, 100)).toBe('');
  });

  test('readv fills its buffers in turn and stops at the end of the file', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    const [a, b] = [g.room(8), g.room(8)];
    const vector = new Uint8Array(BigUint64Array.of(BigInt(a), 6n, BigInt(b), 8n).buffer);
    expect(g.call('readv', fd, vector, 2)).toBe(11);
    expect(g.text(a, 6)).toBe('hello ');
    expect(g.text(b, 5)).toBe('world');
  });

  test('a read may ask for more than its buffer holds where the file is shorter', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    expect(g.call('read', fd, g.room(16), 0x4000_0000)).toBe(11);
  });

  test('errors are those of Linux', () => {
    const g = guest();
    expect(g.contents('missing')).toBe('ENOENT');
    expect(g.contents('data.txt/x')).toBe('ENOTDIR');
    expect(g.contents('data.txt/')).toBe('ENOTDIR');
    expect(g.contents('loop')).toBe('ELOOP');
    expect(g.contents('')).toBe('ENOENT');
    expect(g.contents('x'.repeat(256))).toBe('ENAMETOOLONG');
    expect(g.contents('x/'.repeat(3000))).toBe('ENAMETOOLONG');
    expect(g.call('openat', CWD, 'src', O_RDWR, 0)).toBe('EISDIR');
    expect(g.call('read', 77, g.room(1), 1)).toBe('EBADF');
    expect(g.call('openat', CWD, 'src', O_RDONLY, 0)).toBe(3);
    expect(g.call('read', 3, g.room(1), 1)).toBe('EISDIR');
    expect(g.call('openat', CWD, 0, O_RDONLY, 0)).toBe('EFAULT');
  });

  test('links are followed, and read where they are asked for', () => {
    const g = guest();
    expect(g.contents('link')).toBe('int a;');
    const buffer = g.room(100);
    expect(g.call('readlink', 'link', buffer, 100)).toBe(7);
    expect(g.text(buffer, 7)).toBe('src/a.c');
    expect(g.call('readlink', 'link', buffer, 3)).toBe(3);
    expect(g.call('readlink', 'data.txt', buffer, 3)).toBe('EINVAL');
    expect(g.call('openat', CWD, 'link', 0o400000, 0)).toBe('ELOOP');
  });

  test('names of a directory are sorted', () => {
    const g = guest();
    g.save('src/aa.c', '');
    expect(g.names('src')).toEqual(['.', '..', 'a.c', 'aa.c', 'b.c']);
  });

  test('what the guest read of the host is noted, in order and once', () => {
    const g = guest();
    g.contents('link');
    g.contents('data.txt');
    g.contents('src/a.c');
    g.save('new', 'text');
    g.contents('new');
    expect(g.kernel.opened()).toEqual([
      { path: '/w4/w3/w2/w1/w/src/a.c', hostPath: '/home/me/project/src/a.c' },
      { path: '/w4/w3/w2/w1/w/data.txt', hostPath: '/home/me/project/data.txt' },
    ]);
  });
});

describe('writing', () => {
  test('a file is created, appended to, overwritten and truncated', () => {
    const g = guest();
    expect(g.save('new', 'one')).toBe(0);
    const fd = g.call('openat', CWD, 'new', 1 | O_APPEND, 0) as number;
    expect(g.call('write', fd, ' two', 4)).toBe(4);
    expect(g.contents('new')).toBe('one two');
    expect(g.call('ftruncate', fd, 2)).toBe(0);
    expect(g.call('ftruncate', fd, 4)).toBe(0);
    expect(g.contents('new')).toBe('on\0\0');
    expect(g.call('ftruncate', fd, -1)).toBe('EINVAL');
    expect(g.call('ftruncate', fd, 2n ** 60n)).toBe('EFBIG');
  });

  test('writing beyond the end leaves zeros between', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDWR, 0) as number;
    expect(g.call('pwrite64', fd, '!', 1, 14)).toBe(1);
    expect(g.contents('data.txt')).toBe('hello world\0\0\0!');
  });

  test('creating exclusively fails where there is something', () => {
    const g = guest();
    expect(g.call('openat', CWD, 'data.txt', O_CREAT | O_EXCL, 0o600)).toBe('EEXIST');
    expect(g.call('openat', CWD, 'loop', O_CREAT | O_EXCL, 0o600)).toBe('EEXIST');
    expect(g.call('openat', CWD, 'nowhere/x', O_CREAT, 0o600)).toBe('ENOENT');
  });

  test('a descriptor keeps a file that was unlinked', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    expect(g.call('unlink', 'data.txt')).toBe(0);
    expect(g.contents('data.txt')).toBe('ENOENT');
    expect(g.read(fd)).toBe('hello world');
  });

  test('reading needs read access, writing write access', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    expect(g.call('write', fd, 'x', 1)).toBe('EBADF');
    const writer = g.call('openat', CWD, 'data.txt', 1, 0) as number;
    expect(g.read(writer)).toBe('EBADF');
    g.call('chmod', 'data.txt', 0o400);
    expect(g.call('openat', CWD, 'data.txt', 1, 0)).toBe('EACCES');
  });

  test('an offset is shared by duplicates and not by a second opening', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    const twin = g.call('dup', fd) as number;
    const other = g.call('openat', CWD, 'data.txt', O_RDONLY, 0) as number;
    expect(g.read(fd, 6)).toBe('hello ');
    expect(g.read(twin)).toBe('world');
    expect(g.read(other)).toBe('hello world');
  });

  test('descriptors are the lowest free ones, up to a limit', () => {
    const g = guest();
    expect(g.call('openat', CWD, 'data.txt', 0, 0)).toBe(3);
    expect(g.call('openat', CWD, 'data.txt', 0, 0)).toBe(4);
    g.call('close', 3);
    expect(g.call('dup', 0)).toBe(3);
    expect(g.call('fcntl', 4, 0, 100)).toBe(100);
    expect(g.call('dup2', 4, 50)).toBe(50);
    expect(g.call('dup2', 4, 1024)).toBe('EBADF');
    expect(g.call('close_range', 4, 0xffff_ffff, 0)).toBe(0);
    expect(g.call('close', 50)).toBe('EBADF');
    let last: number | string = 0;
    for (let at = 0; at < 1024; at++) last = g.call('dup', 0);
    expect(last).toBe('EMFILE');
  });

  test('copy_file_range and sendfile copy at given offsets', () => {
    const g = guest();
    const from = g.call('openat', CWD, 'data.txt', 0, 0) as number;
    const to = g.call('openat', CWD, 'copy', O_RDWR | O_CREAT, 0o644) as number;
    const offset = new Uint8Array(BigInt64Array.of(6n).buffer);
    expect(g.call('copy_file_range', from, offset, to, 0, 100, 0)).toBe(5);
    expect(g.call('sendfile', to, from, 0, 5)).toBe(5);
    expect(g.contents('copy')).toBe('worldhello');
    expect(g.call('sendfile', 1, from, 0, 100)).toBe(6);
    expect(g.stdout).toBe(' world');
  });
});

describe('standard streams', () => {
  test('standard input is read whole, output goes to its sink', () => {
    const g = new Guest({ stdin: 'abcdefgh' });
    expect(g.read(0, 3)).toBe('abc');
    expect(g.read(0, 100)).toBe('defgh');
    expect(g.read(0, 100)).toBe('');
    g.call('write', 1, 'out', 3);
    g.call('write', 2, 'err', 3);
    expect([g.stdout, g.stderr]).toEqual(['out', 'err']);
    expect(g.call('write', 0, 'x', 1)).toBe('EBADF');
    expect(g.read(1)).toBe('EBADF');
  });

  test('they are pipes, not terminals and not seekable', () => {
    const g = guest();
    const buffer = g.room(144);
    for (const fd of [0, 1, 2]) {
      expect(g.call('ioctl', fd, 0x5401, buffer)).toBe('ENOTTY');
      expect(g.call('lseek', fd, 0, 1)).toBe('ESPIPE');
      g.call('fstat', fd, buffer);
      expect(g.memory.view.getUint32(buffer + 24, true) & 0o170000).toBe(0o010000);
    }
  });

  test('/dev/stdin is standard input', () => {
    const g = new Guest({ stdin: 'piped' });
    expect(g.contents('/dev/stdin')).toBe('piped');
    expect(g.contents('/dev/fd/7')).toBe('ENOENT');
  });
});

describe('devices', () => {
  test('null is empty and takes everything, zero is endless, full is full', () => {
    const g = guest();
    expect(g.contents('/dev/null')).toBe('');
    expect(g.save('/dev/null', 'gone')).toBe(0);
    const zero = g.call('openat', CWD, '/dev/zero', 0, 0) as number;
    expect(g.read(zero, 3)).toBe('\0\0\0');
    const full = g.call('openat', CWD, '/dev/full', 1, 0) as number;
    expect(g.call('write', full, 'x', 1)).toBe('ENOSPC');
    expect(g.contents('/dev/tty')).toBe('ENXIO');
  });

  test('random bytes are the same in every run, and not all the same', () => {
    const draw = () => {
      const g = guest();
      const buffer = g.room(64);
      expect(g.call('getrandom', buffer, 32, 0)).toBe(32);
      const fd = g.call('openat', CWD, '/dev/urandom', 0, 0) as number;
      g.call('read', fd, buffer + 32, 32);
      return g.bytes(buffer, 64);
    };
    expect(draw()).toEqual(draw());
    expect(new Set(draw()).size).toBeGreaterThan(40);
  });
});
