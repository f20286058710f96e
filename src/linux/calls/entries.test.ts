import { describe, expect, test } from 'vitest';
import { Guest } from '../fixtures/guest.ts';

const CWD = -100;

const guest = () =>
  new Guest({
    files: {
      '/home/me/project/file': 'text',
      '/home/me/project/program': { program: 'ELF' },
      '/home/me/project/dir/inner': 'in',
      '/home/me/project/link': { link: 'file' },
    },
  });

/** The fields of struct stat that tests look at. */
function stat(g: Guest, path: string, flags = 0) {
  const at = g.room(144);
  const result = g.call('newfstatat', CWD, path, at, flags);
  if (typeof result === 'string') return result;
  const { view } = g.memory;
  return {
    device: view.getBigUint64(at, true),
    inode: Number(view.getBigUint64(at + 8, true)),
    links: Number(view.getBigUint64(at + 16, true)),
    mode: view.getUint32(at + 24, true).toString(8),
    owner: view.getUint32(at + 28, true),
    size: Number(view.getBigInt64(at + 48, true)),
    blockSize: Number(view.getBigInt64(at + 56, true)),
    blocks: Number(view.getBigInt64(at + 64, true)),
    modified: Number(view.getBigInt64(at + 88, true)),
  };
}

describe('stat', () => {
  test('says nothing of the host but size, kind and whether a file is executable', () => {
    expect(stat(guest(), 'file')).toEqual({
      device: 0x801n,
      inode: 12,
      links: 1,
      mode: '100644',
      owner: 1000,
      size: 4,
      blockSize: 4096,
      blocks: 8,
      modified: 2_051_222_400,
    });
    expect(stat(guest(), 'program')).toMatchObject({ mode: '100755' });
    expect(stat(guest(), 'dir')).toMatchObject({ mode: '40755', links: 1, size: 4096 });
  });

  test('tells the device of the file system that /proc/self/mountinfo tells', () => {
    const g = guest();
    const mounted = g.contents('/proc/self/mountinfo').trimEnd().split('\n');
    expect(mounted).toHaveLength(6);
    for (const line of mounted) {
      const [, , device, , path] = line.split(' ');
      const [major, minor] = device.split(':').map(Number);
      expect([path, stat(g, path)]).toEqual([
        path,
        expect.objectContaining({ device: BigInt(256 * major + minor) }),
      ]);
    }
  });

  test('numbers inodes as they are asked for, and keeps them', () => {
    const g = guest();
    const inode = (path: string) => (stat(g, path) as { inode: number }).inode;
    expect(inode('dir/inner')).toBe(12);
    expect(inode('file')).toBe(13);
    expect(inode('/home/me/project/dir/../dir/inner')).toBe(12);
    g.call('rename', 'file', 'dir/moved');
    expect(inode('dir/moved')).toBe(13);
  });

  test('follows links unless told not to', () => {
    expect(stat(guest(), 'link')).toMatchObject({ mode: '100644', size: 4 });
    expect(stat(guest(), 'link', 0x100)).toMatchObject({ mode: '120777', size: 4 });
    expect(stat(guest(), 'missing')).toBe('ENOENT');
    expect(stat(guest(), 'file', 1)).toBe('EINVAL');
  });

  test('an empty path means the descriptor where the flag says so', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'file', 0, 0) as number;
    const at = g.room(144);
    expect(g.call('newfstatat', fd, '', at, 0x1000)).toBe(0);
    expect(g.memory.view.getBigInt64(at + 48, true)).toBe(4n);
    expect(g.call('newfstatat', fd, '', at, 0)).toBe('ENOENT');
  });

  test('statx agrees with stat', () => {
    const g = guest();
    const at = g.room(256);
    expect(g.call('statx', CWD, 'program', 0, 0xfff, at)).toBe(0);
    const { view } = g.memory;
    expect(view.getUint16(at + 28, true).toString(8)).toBe('100755');
    expect(view.getBigUint64(at + 40, true)).toBe(3n);
    expect(view.getBigInt64(at + 112, true)).toBe(2_051_222_400n);
  });

  test('a file that the guest writes carries the virtual time', () => {
    const g = guest();
    g.clock = 5_000_000_000n;
    g.save('file', 'later');
    expect(stat(g, 'file')).toMatchObject({ modified: 2_051_222_405, size: 5 });
    const times = new Uint8Array(BigInt64Array.of(7n, 0n, -1n, 5n).buffer);
    expect(g.call('utimensat', CWD, 'file', times, 0)).toBe(0);
    expect(stat(g, 'file')).toMatchObject({ modified: -1 });
  });

  test('access looks at the mode', () => {
    const g = guest();
    expect(g.call('access', 'file', 4 | 2)).toBe(0);
    expect(g.call('access', 'file', 1)).toBe('EACCES');
    expect(g.call('access', 'program', 1)).toBe(0);
    expect(g.call('access', '/etc/ld.so.cache', 4)).toBe('ENOENT');
    expect(g.call('faccessat2', CWD, 'file', 4, 0x200)).toBe(0);
  });
});

describe('directories and links', () => {
  test('a directory can be removed when it is empty', () => {
    const g = guest();
    expect(g.call('rmdir', 'dir')).toBe('ENOTEMPTY');
    expect(g.call('unlink', 'dir')).toBe('EISDIR');
    expect(g.call('unlink', 'dir/inner')).toBe(0);
    expect(g.call('rmdir', 'dir')).toBe(0);
    expect(g.call('rmdir', 'dir')).toBe('ENOENT');
    expect(g.call('rmdir', 'file')).toBe('ENOTDIR');
  });

  test('the working directory, the root and mount points stay where they are', () => {
    const g = guest();
    expect(g.call('rmdir', '/w4/w3/w2/w1/w')).toBe('EBUSY');
    expect(g.call('rename', '/home/me/project', '/home/me/other')).toBe('EBUSY');
    expect(g.call('rename', '/tmp', '/home/tmp')).toBe('EBUSY');
    expect(g.call('rmdir', '/')).toBe('EBUSY');
    expect(g.call('mkdir', '/proc/new', 0o755)).toBe('EACCES');
    expect(g.call('unlink', '/proc/cpuinfo')).toBe('EACCES');
  });

  test('a directory cannot be moved into itself', () => {
    const g = guest();
    expect(g.call('rename', 'dir', 'dir/sub')).toBe('EINVAL');
    expect(g.call('rename', 'dir', 'dir')).toBe(0);
  });

  test('renaming can be told not to replace', () => {
    const g = guest();
    expect(g.call('renameat2', CWD, 'file', CWD, 'program', 1)).toBe('EEXIST');
    expect(g.call('renameat2', CWD, 'file', CWD, 'program', 4)).toBe('EINVAL');
    expect(g.call('renameat2', CWD, 'file', CWD, 'program', 0)).toBe(0);
    expect(g.contents('program')).toBe('text');
  });

  test('a hard link is the same file, counted', () => {
    const g = guest();
    expect(g.call('link', 'file', 'twin')).toBe(0);
    g.save('twin', 'changed');
    expect(g.contents('file')).toBe('changed');
    expect(stat(g, 'file')).toMatchObject({ links: 2 });
    g.call('unlink', 'file');
    expect(stat(g, 'twin')).toMatchObject({ links: 1 });
    expect(g.call('link', 'dir', 'other')).toBe('EPERM');
  });

  test('a new symbolic link is followed', () => {
    const g = guest();
    expect(g.call('symlink', '/w4/w3/w2/w1/w/dir', 'way')).toBe(0);
    expect(g.contents('way/inner')).toBe('in');
    expect(g.call('symlink', 'x', 'way')).toBe('EEXIST');
  });

  test('the umask takes bits from new files only', () => {
    const g = guest();
    expect(g.call('umask', 0o077)).toBe(0o022);
    g.save('secret', '');
    expect(stat(g, 'secret')).toMatchObject({ mode: '100600' });
    expect(stat(g, 'file')).toMatchObject({ mode: '100644' });
  });

  test('entries come in pieces that fit the buffer', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'dir', 0, 0) as number;
    const buffer = g.room(100);
    expect(g.call('getdents64', fd, buffer, 10)).toBe('EINVAL');
    expect(g.call('getdents64', fd, buffer, 60)).toBe(48);
    expect(g.call('getdents64', fd, buffer, 60)).toBe(32);
    expect(g.text(buffer + 19, 5)).toBe('inner');
    expect(g.call('getdents64', fd, buffer, 60)).toBe(0);
    expect(g.call('lseek', fd, 0, 0)).toBe(0);
    expect(g.call('getdents64', fd, buffer, 60)).toBe(48);
  });

  test('relative paths start from the descriptor that an *at call names', () => {
    const g = guest();
    const fd = g.call('openat', CWD, 'dir', 0o10200000, 0) as number;
    const file = g.call('openat', fd, 'inner', 0, 0) as number;
    expect(g.read(file)).toBe('in');
    expect(g.call('openat', file, 'inner', 0, 0)).toBe('ENOTDIR');
    expect(g.read(fd)).toBe('EBADF');
  });
});
