import { describe, expect, test } from 'vitest';
import { READ, WRITE } from '../../guest/memory.ts';
import { Guest } from '../fixtures/guest.ts';

const words = (...values: bigint[]) => new Uint8Array(BigInt64Array.from(values).buffer);

describe('time', () => {
  test('advances a nanosecond an instruction from a fixed date, and by what the guest sleeps', () => {
    const g = new Guest();
    const at = g.room(16);
    const read = (clock: number) => {
      expect(g.call('clock_gettime', clock, at)).toBe(0);
      return [g.memory.view.getBigInt64(at, true), g.memory.view.getBigInt64(at + 8, true)];
    };
    expect(read(0)).toEqual([2_051_222_400n, 0n]);
    g.clock = 1_500_000_000n;
    expect(read(0)).toEqual([2_051_222_401n, 500_000_000n]);
    expect(read(1)).toEqual([3601n, 500_000_000n]);
    expect(g.call('nanosleep', words(2n, 250n), 0)).toBe(0);
    expect(read(1)).toEqual([3603n, 500_000_250n]);
    expect(read(2)).toEqual([1n, 500_000_000n]);
    expect(g.call('time', 0)).toBe(2_051_222_403);
  });

  test('an absolute sleep lasts until its time, and not at all when that has passed', () => {
    const g = new Guest();
    const at = g.room(16);
    g.call('clock_nanosleep', 1, 1, words(4000n, 0n), 0);
    g.call('clock_nanosleep', 1, 1, words(10n, 0n), 0);
    g.call('clock_gettime', 1, at);
    expect(g.memory.view.getBigInt64(at, true)).toBe(4000n);
  });

  test('impossible clocks and durations are refused', () => {
    const g = new Guest();
    expect(g.call('clock_gettime', 99, g.room(16))).toBe('EINVAL');
    expect(g.call('clock_gettime', 0, 8)).toBe('EFAULT');
    expect(g.call('nanosleep', words(0n, 1_000_000_000n), 0)).toBe('EINVAL');
    expect(g.call('nanosleep', words(-1n, 0n), 0)).toBe('EINVAL');
  });
});

describe('identity', () => {
  test('is the same for everyone', () => {
    const g = new Guest();
    expect([g.call('getpid'), g.call('gettid'), g.call('getuid'), g.call('getppid')]).toEqual([
      1000, 1000, 1000, 999,
    ]);
    const at = g.room(390);
    g.call('uname', at);
    const field = (index: number) => g.text(at + 65 * index, 65).replace(/\0.*/s, '');
    expect([0, 1, 2, 4].map(field)).toEqual(['Linux', 'ilp-gate', '6.1.0', 'x86_64']);
    expect(g.call('setuid', 1000)).toBe(0);
    expect(g.call('setuid', 0)).toBe('EPERM');
  });

  test('there is one processor', () => {
    const g = new Guest();
    const mask = g.room(128);
    expect(g.call('sched_getaffinity', 0, 128, mask)).toBe(8);
    expect(g.bytes(mask, 8)).toEqual(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0));
    expect(g.call('sched_getaffinity', 0, 4, mask)).toBe('EINVAL');
  });
});

describe('process control', () => {
  test('exit and exit_group end the guest with the low byte of the status', () => {
    expect(new Guest().outcome('exit_group', 0x103)).toEqual({ kind: 'exit', status: 3, sources: 1 });
    expect(new Guest().outcome('exit', -1)).toEqual({ kind: 'exit', status: 255, sources: 1 });
  });

  test('arch_prctl says which segment base it set', () => {
    const g = new Guest();
    expect(g.outcome('arch_prctl', 0x1002, 0x123000)).toEqual({
      kind: 'return',
      result: 0n,
      sources: 2,
      written: [],
      fsBase: 0x123000n,
    });
    const at = g.room(8);
    g.call('arch_prctl', 0x1003, at);
    expect(g.memory.view.getBigInt64(at, true)).toBe(0x123000n);
    expect(g.call('arch_prctl', 0x1002, 1n << 62n)).toBe('EPERM');
    expect(g.call('arch_prctl', 0x3001, at)).toBe('EINVAL');
    expect(g.outcome('getpid')).not.toHaveProperty('fsBase');
  });

  test('limits can be read, and lowered', () => {
    const g = new Guest();
    const at = g.room(16);
    expect(g.call('prlimit64', 0, 3, 0, at)).toBe(0);
    expect(g.memory.view.getBigUint64(at, true)).toBe(8n << 20n);
    expect(g.call('prlimit64', 0, 7, words(10n, 20n), 0)).toBe(0);
    g.call('getrlimit', 7, at);
    expect(g.memory.view.getBigUint64(at, true)).toBe(10n);
    expect(g.call('prlimit64', 0, 7, words(10n, 21n), 0)).toBe('EPERM');
    expect(g.call('prlimit64', 0, 16, 0, at)).toBe('EINVAL');
  });

  test('a futex wakes nobody, and waiting for nobody is an error of its own', () => {
    const g = new Guest();
    const word = g.room(4);
    expect(g.call('futex', word, 0x81, 1)).toBe(0);
    expect(g.call('futex', word, 0x80, 1, 0)).toBe('EAGAIN');
    expect(g.call('futex', word, 0x80, 0, words(1n, 0n))).toBe('ETIMEDOUT');
    expect(g.kernel.state.shared.slept).toBe(1_000_000_000n);
    expect(() => g.call('futex', word, 0x80, 0, 0)).toThrow('no other thread wakes it');
  });
});

describe('signals', () => {
  const action = (handler: bigint) => words(handler, 0n, 0n, 0n);

  test('one that is raised with its default action ends the guest', () => {
    expect(new Guest().outcome('tgkill', 1000, 1000, 6)).toEqual({ kind: 'signal', signal: 6, sources: 3 });
    expect(new Guest().outcome('kill', 1000, 15)).toMatchObject({ kind: 'signal', signal: 15 });
    expect(new Guest().call('kill', 1, 15)).toBe('ESRCH');
    expect(new Guest().call('kill', 1000, 0)).toBe(0);
    expect(new Guest().call('kill', 1000, 17)).toBe(0);
  });

  test('ignored ones do nothing, handlers are kept and read back', () => {
    const g = new Guest();
    expect(g.call('rt_sigaction', 15, action(1n), 0, 8)).toBe(0);
    expect(g.call('kill', 1000, 15)).toBe(0);
    const old = g.room(32);
    expect(g.call('rt_sigaction', 15, action(0x1234n), old, 8)).toBe(0);
    expect(g.memory.view.getBigUint64(old, true)).toBe(1n);
    expect(g.outcome('kill', 1000, 15)).toMatchObject({
      result: 0n,
      delivery: { action: { handler: 0x1234n }, info: { signal: 15, code: 0 }, mask: 0n },
    });
    expect(g.call('rt_sigaction', 9, action(1n), 0, 8)).toBe('EINVAL');
    expect(g.call('rt_sigaction', 65, 0, 0, 8)).toBe('EINVAL');
  });

  test('a blocked one waits until it is let through', () => {
    const g = new Guest();
    const set = words(1n << 14n);
    expect(g.call('rt_sigprocmask', 0, set, 0, 8)).toBe(0);
    expect(g.call('kill', 1000, 15)).toBe(0);
    const at = g.room(8);
    g.call('rt_sigpending', at, 8);
    expect(g.memory.view.getBigUint64(at, true)).toBe(1n << 14n);
    expect(g.outcome('rt_sigprocmask', 1, set, 0, 8)).toEqual({ kind: 'signal', signal: 15, sources: 4 });
  });

  test('writing to a pipe that nobody reads is SIGPIPE, or EPIPE where that is ignored', () => {
    const g = new Guest();
    const ends = g.room(8);
    g.call('pipe2', ends, 0);
    g.call('close', 3);
    expect(g.outcome('write', 4, 'x', 1)).toMatchObject({ kind: 'signal', signal: 13 });
    g.call('rt_sigaction', 13, action(1n), 0, 8);
    expect(g.call('write', 4, 'x', 1)).toBe('EPIPE');
  });
});

describe('pipes and waiting', () => {
  const pipe = (g: Guest) => {
    const ends = g.room(8);
    g.call('pipe', ends);
    return [g.memory.view.getInt32(ends, true), g.memory.view.getInt32(ends + 4, true)] as const;
  };
  const polled = (g: Guest, fd: number, events: number, timeout: number) => {
    const table = g.room(8);
    g.memory.view.setInt32(table, fd, true);
    g.memory.view.setUint16(table + 4, events, true);
    return [g.call('poll', table, 1, timeout), g.memory.view.getUint16(table + 6, true)];
  };

  test('what goes in comes out, in order, and the end comes when all writers are gone', () => {
    const g = new Guest();
    const [reader, writer] = pipe(g);
    g.call('write', writer, 'first', 5);
    g.call('write', writer, 'second', 6);
    expect(g.read(reader, 7)).toBe('firstse');
    expect(g.read(reader, 100)).toBe('cond');
    g.call('close', writer);
    expect(g.read(reader, 100)).toBe('');
  });

  test('an empty or full pipe would block for ever, unless it is non-blocking', () => {
    const g = new Guest();
    const [reader, writer] = pipe(g);
    expect(() => g.read(reader)).toThrow('waits in read for something that cannot happen');
    g.call('fcntl', reader, 4, 0o4000);
    expect(g.read(reader)).toBe('EAGAIN');
    g.memory.map(0x200_0000, 0x202_0000, READ | WRITE);
    expect(g.call('write', writer, 0x200_0000, 0xf001)).toBe(0xf001);
    // Few bytes go together or not at all, more as far as there is room.
    expect(() => g.call('write', writer, 0x200_0000, 0x1000)).toThrow('waits in write');
    expect(() => g.call('write', writer, 0x200_0000, 0x1001)).toThrow('waits in write');
    expect(g.read(reader, 0x1_0001).length).toBe(0x1_0000);
    g.call('fcntl', writer, 4, 0o4000);
    expect(g.call('write', writer, 0x200_0000, 0x1_0001)).toBe(0x1_0000);
    expect(g.call('write', writer, 0x200_0000, 1)).toBe('EAGAIN');
  });

  test('poll reports what is ready and sleeps when nothing is', () => {
    const g = new Guest({ stdin: 'x' });
    const [reader, writer] = pipe(g);
    expect(polled(g, 0, 1, 0)).toEqual([1, 1]);
    expect(polled(g, 1, 4, -1)).toEqual([1, 4]);
    expect(polled(g, 99, 1, 0)).toEqual([1, 0x20]);
    expect(polled(g, reader, 1, 30)).toEqual([0, 0]);
    expect(g.kernel.state.shared.slept).toBe(30_000_000n);
    g.call('write', writer, 'x', 1);
    expect(polled(g, reader, 1, 0)).toEqual([1, 1]);
    g.call('close', writer);
    expect(polled(g, reader, 1, 0)).toEqual([1, 0x11]);
    g.read(reader);
    expect(polled(g, reader, 1, 0)).toEqual([1, 0x10]);
  });

  test('select keeps the bits of what is ready and counts them', () => {
    const g = new Guest();
    const [reader] = pipe(g);
    const [reads, writes] = [words((1n << BigInt(reader)) | 1n), words(0b10n)];
    const [readsAt, writesAt] = [g.room(8), g.room(8)];
    g.memory.write(readsAt, reads);
    g.memory.write(writesAt, writes);
    expect(g.call('select', 5, readsAt, writesAt, 0, 0)).toBe(2);
    expect(g.memory.view.getBigUint64(readsAt, true)).toBe(1n);
    g.memory.write(readsAt, words(1n << 50n));
    expect(g.call('select', 64, readsAt, 0, 0, 0)).toBe('EBADF');
  });
});

describe('/proc and /sys', () => {
  test('maps shows the regions in the format of Linux', () => {
    const g = new Guest({ files: { '/home/me/project/lib': 'x' } });
    g.call('mmap', 0x400_0000, 0x1000, 1, 2, g.call('openat', -100, 'lib', 0, 0) as number, 0);
    g.call('mmap', 0x400_1000, 0x2000, 0, 0x32, -1, 0);
    expect(g.contents('/proc/self/maps')).toBe(
      '04000000-04001000 r--p 00000000 08:01 12                                 /w4/w3/w2/w1/w/lib\n' +
        '04001000-04003000 ---p 00000000 00:00 0 \n' +
        'ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n',
    );
  });

  test('the machine is one fixed processor', () => {
    const g = new Guest();
    expect(g.contents('/proc/cpuinfo').match(/^processor/gm)).toHaveLength(1);
    expect(g.contents('/sys/devices/system/cpu/online')).toBe('0\n');
    expect(g.contents('/proc/meminfo')).toContain('MemTotal:        1245184 kB');
    expect(g.contents('/sys/class')).toBe('ENOENT');
  });

  test('fd lists the open descriptors, and leads to them', () => {
    const g = new Guest({ files: { '/home/me/project/f': 'text' } });
    const fd = g.call('openat', -100, 'f', 0, 0) as number;
    expect(g.names('/proc/self/fd')).toEqual(['.', '..', '0', '1', '2', '3', '4']);
    expect(g.contents(`/proc/self/fd/${fd}`)).toBe('text');
    const target = g.room(64);
    const length = g.call('readlink', `/proc/self/fd/${fd}`, target, 64) as number;
    expect(g.text(target, length)).toBe('/w4/w3/w2/w1/w/f');
    expect(g.call('readlink', '/proc/self/fd/0', target, 64)).toBeGreaterThan(0);
  });

  test('users and library caches of the host are not seen', () => {
    const g = new Guest({
      files: { '/etc/passwd': 'secret', '/etc/ld.so.cache': 'cache', '/etc/issue': 'Debian' },
    });
    expect(g.contents('/etc/passwd')).toContain('user:x:1000:1000');
    expect(g.contents('/etc/ld.so.cache')).toBe('ENOENT');
    expect(g.contents('/etc/issue')).toBe('Debian');
    expect(g.names('/etc')).not.toContain('ld.so.cache');
    expect(g.contents('/etc/mtab')).toBe(g.contents('/proc/mounts'));
    // What stands in their place is no change, and no input.
    expect(g.kernel.changes().outside).toEqual([]);
    expect(g.kernel.opened().map(({ path }) => path)).toEqual(['/etc/issue']);
    expect(g.call('chmod', '/etc/passwd', 0o644)).toBe(0);
    g.save('/etc/passwd', 'own');
    expect(g.contents('/etc/passwd')).toBe('own');
    expect(g.kernel.changes().outside).toEqual(['/etc/passwd']);
  });
});

describe('restartable sequences', () => {
  test('one area can be registered, which then says that the thread runs on processor 0', () => {
    const g = new Guest();
    const at = Math.ceil(g.room(96) / 32) * 32;
    g.memory.write(at, new Uint8Array(32).fill(0xff));
    expect(g.call('rseq', at + 8, 32, 0, 0x53053053)).toBe('EINVAL');
    expect(g.call('rseq', at, 31, 0, 0x53053053)).toBe('EINVAL');
    expect(g.call('rseq', 0x10_0000_0000, 32, 0, 0x53053053)).toBe('EFAULT');
    expect(g.call('rseq', at, 32, 0, 0x53053053)).toBe(0);
    expect([0, 4, 20, 24].map((field) => g.memory.view.getInt32(at + field, true))).toEqual([0, 0, 0, 0]);
    expect(g.memory.bytes[at + 8]).toBe(0xff);
    expect(g.call('rseq', at, 32, 0, 0x53053053)).toBe('EBUSY');
    expect(g.call('rseq', at, 32, 0, 1)).toBe('EPERM');
    expect(g.call('rseq', at + 32, 32, 0, 0x53053053)).toBe('EINVAL');
    expect(g.call('rseq', at, 32, 1, 0x53053053)).toBe(0);
    expect(g.call('rseq', at, 32, 1, 0x53053053)).toBe('EINVAL');
    expect(g.call('rseq', at, 32, 2, 0x53053053)).toBe('EINVAL');
  });
});

describe('what a kernel lacks', () => {
  test('there is no network beyond the guest, and there are no extended attributes', () => {
    const g = new Guest({ files: { '/home/me/project/f': '' } });
    expect(g.call('socket', 10, 1, 0)).toBe('EAFNOSUPPORT');
    const socket = g.call('socket', 2, 1, 0);
    const port80 = (...host: number[]) => Uint8Array.of(2, 0, 0, 80, ...host, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(g.call('connect', socket, port80(192, 0, 2, 1), 16)).toBe('ENETUNREACH');
    expect(g.call('connect', socket, port80(127, 0, 0, 1), 16)).toBe('ECONNREFUSED');
    expect(g.call('bind', g.call('socket', 2, 1, 0), port80(127, 0, 0, 1), 16)).toBe('EACCES');
    expect(g.call('connect', 0, 0, 0)).toBe('ENOTSOCK');
    expect(g.call('getxattr', 'f', 'user.x', 0, 0)).toBe('EOPNOTSUPP');
    expect(g.call('getxattr', 'missing', 'user.x', 0, 0)).toBe('ENOENT');
  });
});

describe('processes', () => {
  test('are numbered, have copies of what is their parent’s, and share what is open', () => {
    const g = new Guest({ files: { '/home/me/project/data': 'abcdef' } });
    const file = g.call('openat', -100, 'data', 0, 0) as number;
    expect(g.call('fork')).toBe(1001);
    const { process } = g.kernel.born!;
    const child = process.state;
    expect([process.parent, process.group, child.descriptors.get(file)!.file.offset]).toEqual([
      1000, 1000, 0,
    ]);
    g.read(file, 2);
    g.call('close', 1);
    expect([child.descriptors.get(file)!.file.offset, child.descriptors.has(1)]).toEqual([2, true]);
    expect(g.names('/proc')).toContain('1001');
    expect(g.contents('/proc/1001/stat')).toMatch(/^1001 \(\) S 1000 1000 999 /);
    expect(g.call('fork')).toBe(1002);
  });

  test('are at most 64 at a time', () => {
    const g = new Guest();
    for (let i = 1; i < 64; i++) expect(g.call('fork')).toBe(1000 + i);
    expect(() => g.call('fork')).toThrow('the program has more than 64 processes at a time');
  });

  test('have groups and sessions', () => {
    const g = new Guest();
    const child = g.call('fork') as number;
    expect(g.call('setpgid', child, child)).toBe(0);
    expect([g.call('getpgid', child), g.call('getpgid', 0), g.call('getsid', child)]).toEqual([
      child,
      1000,
      999,
    ]);
    expect(g.call('setpgid', child, 5)).toBe('EPERM');
    expect(g.call('setpgid', 4000, 0)).toBe('ESRCH');
    expect(g.call('setsid')).toBe('EPERM');
    expect(g.call('kill', -child, 0)).toBe(0);
    expect(g.call('kill', -4000, 0)).toBe('ESRCH');
  });

  test('what is not there to be shared is refused by name', () => {
    const g = new Guest();
    expect(() => g.call('clone', 0x100 | 17, 0, 0, 0, 0)).toThrow('shares memory and runs beside its parent');
    expect(() => g.call('clone', 0x80_0700, 0, 0, 0, 0)).toThrow('ASAN_OPTIONS=detect_leaks=0');
    expect(() => g.call('clone', 0x4900 | 17, 0, 0, 0, 0)).toThrow('shares its signal handlers');
    expect(g.call('clone', 0x2000_0000, 0, 0, 0, 0)).toBe('EPERM');
    expect(g.call('wait4', -1, 0, 0x100, 0)).toBe('EINVAL');
    expect(g.call('wait4', -1, 0, 0, 0)).toBe('ECHILD');
  });

  test('execve refuses what is no program and leaves the process as it was', () => {
    const g = new Guest();
    const vector = words(0n);
    expect(g.call('execve', 'nowhere', vector, vector)).toBe('ENOENT');
    expect(g.call('execve', '/proc', vector, vector)).toBe('EACCES');
    expect(g.call('execve', '/dev/null', vector, vector)).toBe('EACCES');
    expect(g.call('execve', '/etc/passwd', vector, vector)).toBe('EACCES');
    expect(g.call('execve', 8, vector, vector)).toBe('EFAULT');
    expect(g.call('getpid')).toBe(1000);
  });
});
