import { describe, expect, test } from 'vitest';
import { Failure } from '../base/failure.ts';
import type { Image, Segment } from '../elf/image.ts';
import {
  CHEAP_END,
  FIRST_GUEST_ADDRESS,
  GUEST_END,
  MMAP_TOP,
  PAGE_SIZE,
  PIE_BASE,
  STACK_TOP,
} from '../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../guest/memory.ts';
import type { FakeFiles } from './fixtures/fake-disk.ts';
import { freshMemory, Guest, SCRATCH, SCRATCH_END } from './fixtures/guest.ts';
import { type Command, loadProgram } from './loader.ts';
import { STACK_SIZE } from './main-stack.ts';
import { allRegions } from './region-list.ts';

const memory = freshMemory();

function segment(
  offset: number,
  address: number,
  fileSize: number,
  memorySize: number,
  flags: string,
): Segment {
  return {
    offset,
    address,
    fileSize,
    memorySize,
    readable: flags.includes('r'),
    writable: flags.includes('w'),
    executable: flags.includes('x'),
  };
}

function image(changes: Partial<Image> = {}): Omit<Image, 'path' | 'bytes'> {
  return {
    type: 'shared',
    entry: 0x1010,
    segments: [
      segment(0, 0, 0x100, 0x100, 'r'),
      segment(0x1000, 0x1000, 0x20, 0x20, 'rx'),
      segment(0x1e00, 0x2e00, 0x10, 0x1000, 'rw'),
    ],
    sections: [],
    programHeaders: { offset: 64, entrySize: 56, count: 3 },
    functions: [],
    compilers: [],
    needed: [],
    ...changes,
  };
}

/** Every byte of the file says where in the file it is. */
const contents = Array.from({ length: 0x2000 }, (_, at) => String.fromCharCode((at >> 4) & 0xff)).join('');

const program = { program: contents };

function load(
  images: Readonly<Record<string, Omit<Image, 'path' | 'bytes'>>>,
  command: Partial<Command> = {},
  files: FakeFiles = {},
) {
  memory.unmapAll();
  const guest = new Guest({
    memory,
    files: { '/home/me/project/prog': program, '/usr/bin/tool': program, '/lib64/ld.so': program, ...files },
    parseImage: (path, bytes) => {
      const found = images[path.slice(path.lastIndexOf('/') + 1)];
      if (found === undefined) throw new Failure('guest', 'elf-not-elf', `${path} is not an ELF file`);
      return { path, bytes, ...found };
    },
  });
  memory.unmap(SCRATCH, SCRATCH_END);
  const loaded = loadProgram(guest.kernel, {
    program: './prog',
    args: [],
    env: {},
    hwcap: 0,
    hwcap2: 0,
    ...command,
  });
  return { guest, loaded };
}

describe('loading', () => {
  test('a position-independent program goes to its fixed base, whole pages and zeros as the kernel maps them', () => {
    const { guest, loaded } = load({ prog: image() });
    expect(loaded).toMatchObject({ entry: PIE_BASE + 0x1010, programEntry: PIE_BASE + 0x1010 });
    expect(loaded.stackPointer % 16).toBe(0);
    expect([0, 0x1000, 0x2000, 0x3000, 0x4000].map((at) => memory.permission(PIE_BASE + at))).toEqual([
      READ,
      READ | EXECUTE,
      READ | WRITE,
      READ | WRITE,
      0,
    ]);
    expect(memory.bytes[PIE_BASE + 0x1010]).toBe(0x01);
    // Bytes of the file's page before the segment are mapped too; those behind it are zero.
    expect(memory.bytes[PIE_BASE + 0x2010]).toBe(0x01);
    expect(memory.bytes[PIE_BASE + 0x2e00]).toBe(0xe0);
    expect(memory.bytes.subarray(PIE_BASE + 0x2e10, PIE_BASE + 0x4000).every((byte) => byte === 0)).toBe(
      true,
    );
    expect(guest.kernel.state.break).toBe(PIE_BASE + 0x4000);
  });

  test('a program with addresses of its own goes there', () => {
    const segments = [segment(0, 0x70_0000, 0x100, 0x100, 'rx')];
    const { loaded } = load({ prog: image({ type: 'executable', entry: 0x70_0010, segments }) });
    expect(loaded.entry).toBe(0x70_0010);
    expect(loaded.modules).toMatchObject([{ path: './prog', base: 0, start: 0x70_0000, end: 0x70_1000 }]);
  });

  test('the dynamic linker goes where mmap would put it, and starts first', () => {
    const { loaded } = load({
      prog: image({ interpreter: '/lib64/ld.so' }),
      'ld.so': image({ entry: 0x1004 }),
    });
    expect(loaded.entry).toBe(MMAP_TOP - 0x4000 + 0x1004);
    expect(loaded.programEntry).toBe(PIE_BASE + 0x1010);
    expect(loaded.modules.map(({ path, base, start, end }) => ({ path, base, start, end }))).toEqual([
      { path: './prog', base: PIE_BASE, start: PIE_BASE, end: PIE_BASE + 0x4000 },
      { path: '/lib64/ld.so', base: MMAP_TOP - 0x4000, start: MMAP_TOP - 0x4000, end: MMAP_TOP },
    ]);
  });

  test('a library that the linker maps executable becomes a module at its base', () => {
    const { guest } = load(
      { prog: image(), 'lib.so': image() },
      {},
      { '/lib/lib.so': { link: '../usr/lib/lib.so' }, '/usr/lib/lib.so': contents },
    );
    memory.map(SCRATCH, SCRATCH_END, READ | WRITE);
    const fd = guest.call('openat', -100, '/lib/lib.so', 0, 0) as number;
    const base = guest.call('mmap', 0, 0x4000, 1, 2, fd, 0) as number;
    guest.call('mmap', base + 0x1000, 0x1000, 5, 0x12, fd, 0x1000);
    expect(guest.kernel.modules[1]).toMatchObject({
      path: '/lib/lib.so',
      base,
      start: base,
      end: base + 0x4000,
    });
    expect(guest.kernel.opened().map(({ path }) => path)).toEqual(['/w4/w3/w2/w1/w/prog', '/usr/lib/lib.so']);
  });

  test('the stack is 8 MiB, not executable unless the program asks', () => {
    load({ prog: image() });
    expect(memory.permission(STACK_TOP - 1)).toBe(READ | WRITE);
    expect(memory.permission(STACK_TOP - STACK_SIZE)).toBe(READ | WRITE);
    expect(memory.permission(STACK_TOP - STACK_SIZE - 1)).toBe(0);
    load({ prog: image({ stackFlags: 7 }) });
    expect(memory.permission(STACK_TOP - 1)).toBe(READ | WRITE | EXECUTE);
  });

  test.each([
    ['fills what lies below the usual stack', 0x0f00_0000, CHEAP_END],
    ['fills what is cheap to measure', 0x1d00_0000, GUEST_END],
    ['leaves hardly more than its stack', 0x4b00_0000 - PIE_BASE, GUEST_END],
  ])('a program that %s has everything above it', (_title, size, top) => {
    const { loaded, guest } = load({ prog: image({ segments: [segment(0, 0, 1, size, 'rw')] }) });
    expect(top - loaded.stackPointer).toBeLessThan(PAGE_SIZE);
    const { break: end, addresses, regions } = guest.kernel.state;
    expect(end).toBe(PIE_BASE + size);
    expect(allRegions(regions).map(({ start }) => start)).toEqual([
      PIE_BASE,
      PIE_BASE + PAGE_SIZE,
      top - STACK_SIZE,
    ]);
    expect(addresses.breakLimit).toBeGreaterThanOrEqual(end);
    expect(addresses.mmapTop).toBeLessThan(top - STACK_SIZE);
  });

  test('neither stack nor addresses depend on where the working directory is', () => {
    const stackOf = (directory: string) => {
      memory.unmap(FIRST_GUEST_ADDRESS, STACK_TOP + 0x800_0000);
      const guest = new Guest({
        memory,
        directory,
        files: { [`${directory}/prog`]: program },
        parseImage: (path, bytes) => ({ path, bytes, ...image() }),
      });
      const { stackPointer } = loadProgram(guest.kernel, {
        program: './prog',
        args: ['x'],
        env: { A: 'b' },
        hwcap: 0,
        hwcap2: 0,
      });
      return {
        stackPointer,
        bytes: memory.bytes.slice(stackPointer, STACK_TOP),
        exe: guest.kernel.state.program.path,
      };
    };
    expect(stackOf('/a')).toEqual(stackOf('/a/much/longer/path/to/it'));
  });
});

describe('finding the program', () => {
  test('a name without a slash is looked up on PATH, the guest sees what the command says', () => {
    const { guest, loaded } = load({ tool: image() }, { program: 'tool' });
    expect(loaded.modules[0].path).toBe('tool');
    expect(guest.kernel.state.program).toMatchObject({
      path: '/usr/bin/tool',
      name: 'tool',
      argumentBytes: 'tool\0',
    });
    expect(guest.kernel.state.program.environmentBytes).toMatch(/^LC_ALL=C\0PATH=[^\0]*\/usr\/bin[^\0]*\0$/);
  });

  test('PATH can be set, and the environment is in byte order', () => {
    const { guest } = load(
      { tool: image() },
      { program: 'tool', env: { Z: '1', PATH: '/nowhere:/usr/bin', B: '2' } },
    );
    expect(guest.kernel.state.program.environmentBytes).toBe('B=2\0LC_ALL=C\0PATH=/nowhere:/usr/bin\0Z=1\0');
  });

  test.each<[string, Partial<Command>, Partial<Image>, string, string]>([
    ['a missing file', { program: './none' }, {}, 'program-not-found', './none'],
    ['a name that is nowhere on PATH', { program: 'none' }, {}, 'program-not-found', 'PATH'],
    ['a directory', { program: '/usr' }, {}, 'program-not-executable', 'a directory'],
    [
      'a file that is not executable',
      { program: '/etc/os-release' },
      {},
      'program-not-executable',
      'not executable',
    ],
    ['a device', { program: '/dev/null' }, {}, 'program-not-executable', 'regular'],
    ['an empty name', { program: '' }, {}, 'program-not-found', ''],
    [
      'a missing dynamic linker',
      {},
      { interpreter: '/lib64/gone.so' },
      'elf-interpreter-missing',
      '/lib64/gone.so',
    ],
    ['nothing to load', {}, { segments: [] }, 'elf-no-segments', './prog'],
    [
      'addresses too low',
      {},
      { type: 'executable', segments: [segment(0, 0x8000, 1, 1, 'rx')] },
      'elf-address-out-of-range',
      '0x8000',
    ],
    [
      'addresses too high',
      {},
      { type: 'executable', segments: [segment(0, 2 ** 47, 1, 1, 'rx')] },
      'elf-address-out-of-range',
      '0x800000000000',
    ],
    [
      'too large a program',
      {},
      { segments: [segment(0, 0, 1, GUEST_END - PIE_BASE - STACK_SIZE, 'rw')] },
      'elf-address-conflict',
      'stack',
    ],
    ['too many arguments', { args: ['x'.repeat(3 << 20)] }, {}, 'arguments-too-long', ''],
  ])('%s is a failure that says so', (_title, command, changes, code, words) => {
    const attempt = () => load({ prog: image(changes) }, command);
    expect(attempt).toThrow(Failure);
    expect(attempt).toThrow(
      expect.objectContaining({ kind: 'guest', code, message: expect.stringContaining(words) }),
    );
  });
});
