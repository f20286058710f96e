import { describe, expect, test } from 'vitest';
import { fakeDisk } from './fixtures/fake-disk.ts';
import { freshMemory, Guest } from './fixtures/guest.ts';
import { frozenDisk } from './frozen-disk.ts';
import type { Disk } from './ports.ts';

const memory = freshMemory();
const files = { '/home/me/project/data': 'original', '/home/me/project/dir/x': 'x' };

describe('a checkpoint', () => {
  test('brings back files, descriptors, offsets, clock and randomness', () => {
    const g = new Guest({ memory, files, stdin: 'abcdef' });
    const fd = g.call('openat', -100, 'data', 2, 0) as number;
    g.read(fd, 2);
    g.read(0, 2);
    g.call('link', 'data', 'twin');
    const checkpoint = g.kernel.checkpoint();
    const run = () => {
      const random = g.room(8);
      g.call('getrandom', random, 8, 0);
      g.call('nanosleep', new Uint8Array(BigInt64Array.of(1n, 0n).buffer), 0);
      g.call('pwrite64', fd, 'changed', 7, 0);
      g.call('unlink', 'dir/x');
      const seen = [
        g.read(fd),
        g.read(0),
        g.contents('twin'),
        g.names('.'),
        g.names('dir'),
        g.bytes(random, 8),
      ];
      g.call('close', fd);
      return [...seen, g.kernel.state.shared.slept, g.kernel.changes()];
    };
    const first = run();
    g.kernel.restore(checkpoint);
    expect(run()).toEqual(first);
    g.kernel.restore(checkpoint);
    expect(run()).toEqual(first);
  });

  test('is not changed by what happens after it', () => {
    const g = new Guest({ memory, files });
    const checkpoint = g.kernel.checkpoint();
    g.save('data', 'new');
    g.call('mkdir', 'other', 0o755);
    g.kernel.restore(checkpoint);
    expect([g.contents('data'), g.names('.')]).toEqual(['original', ['.', '..', 'data', 'dir']]);
  });
});

test('a kernel made again answers the same, inode numbers included', () => {
  const run = () => {
    const g = new Guest({ memory, files });
    const stat = g.room(144);
    g.call('newfstatat', -100, '/etc/passwd', stat, 0);
    g.call('newfstatat', -100, 'dir/x', stat, 0);
    return g.bytes(stat, 144);
  };
  expect(run()).toEqual(run());
});

test('results say what the kernel wrote, and only that', () => {
  const g = new Guest({ memory, files });
  const buffer = g.room(100);
  const fd = g.call('openat', -100, 'data', 0, 0) as number;
  expect(g.outcome('read', fd, buffer, 100)).toEqual({
    kind: 'return',
    result: 8n,
    sources: 3,
    written: [{ address: buffer, length: 8 }],
  });
  expect(g.outcome('close', fd)).toEqual({ kind: 'return', result: 0n, sources: 1, written: [] });
  expect(g.outcome('close', fd)).toMatchObject({ result: -9n, written: [] });
});

test('a working directory that is not there is a failure', () => {
  expect(() => new Guest({ memory, directory: '/home/nobody' })).toThrow(
    expect.objectContaining({ kind: 'environment', code: 'working-directory-missing' }),
  );
});

describe.each(['/tmp', '/dev/shm'])('%s as the working directory', (directory) => {
  const g = new Guest({
    memory,
    directory,
    files: { [`${directory}/data`]: 'here', [`${directory}/sub/x`]: 'x' },
  });

  test('shows what the host has there, under both names', () => {
    expect([g.contents('data'), g.contents(`${directory}/data`), g.names('.')]).toEqual([
      'here',
      'here',
      ['.', '..', 'data', 'sub'],
    ]);
  });

  test('is one directory: what is made under one name is there under the other', () => {
    g.save(`${directory}/made`, 'new');
    expect(g.contents('made')).toBe('new');
  });
});

test('a directory below /dev/shm can be worked in, and does not show its neighbours', () => {
  const g = new Guest({
    memory,
    directory: '/dev/shm/job',
    files: { '/dev/shm/job/data': 'here', '/dev/shm/other/data': 'hidden' },
  });
  expect([g.contents('data'), g.names('/dev/shm')]).toEqual(['here', ['.', '..']]);
});

test.each(['/dev', '/proc', '/sys'])(
  '%s is no working directory, which the failure explains',
  (directory) => {
    expect(() => new Guest({ memory, directory })).toThrow(/run the command from another one/);
  },
);

test('a frozen disk asks once and remembers, errors too', () => {
  const asked: string[] = [];
  const real = fakeDisk(files);
  const read: Disk['read'] = (path) => {
    asked.push(path);
    return real.read(path);
  };
  const disk = frozenDisk({ ...real, read });
  const answers = ['/home/me/project/data', '/missing', '/home/me/project/data', '/missing'].map((path) =>
    disk.read(path),
  );
  expect(asked).toEqual(['/home/me/project/data', '/missing']);
  expect(answers.slice(2)).toEqual(answers.slice(0, 2));
});

test('of the files that were read, one that somebody wrote to is named', () => {
  const real = fakeDisk(files);
  const changed = new Set<Uint8Array>();
  const disk = frozenDisk({ ...real, hasChanged: (bytes) => changed.has(bytes) });
  for (const path of ['/home/me/project/data', '/missing', '/home/me/project/dir/x']) disk.read(path);
  expect(disk.changed()).toBeUndefined();
  const answer = disk.read('/home/me/project/dir/x');
  if ('value' in answer) changed.add(answer.value);
  expect(disk.changed()).toBe('/home/me/project/dir/x');
});
