import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { CODE_ADDRESS, tinyElf } from '../../src/elf/fixtures/tiny-elf.ts';
import { SYSCALL_ROWS } from '../../src/linux/calls/table.ts';
import { syscallName } from '../../src/linux/names.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';
import { fuzz } from './fuzz.ts';

const measure = measureWith(testMeasuring());

/** Beside the program lies a file that it was not given. */
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-calls-'));
const program = join(directory, 'program');
const canary = join(directory, 'canary');
afterAll(() => rmSync(directory, { recursive: true }));

/** A system call: its number, and what is in rdi, rsi, rdx, r10, r8 and r9; 'last' is what the call before returned. */
interface Call {
  readonly number: number;
  readonly args: readonly (bigint | 'last')[];
}

/** Behind the code, in the same page: texts, and a kilobyte of whatever numbers. */
const DATA = 0xa00;
const TEXTS = [
  'canary',
  'new',
  '.',
  '/tmp/x',
  '/proc/self/maps',
  '/proc/self/exe',
  '/dev/shm/s',
  './program',
  '',
];
const TEXT_SIZE = 32;
const at = (offset: number): bigint => BigInt(CODE_ADDRESS + DATA + offset);

const pointer = fc.oneof(
  fc.nat(TEXTS.length - 1).map((text) => at(TEXT_SIZE * text)),
  fc.nat(150).map((word) => at(0x140 + 8 * word)),
  // Code, the end of memory, nothing.
  fc.constantFrom(0n, BigInt(CODE_ADDRESS), BigInt(CODE_ADDRESS + 0xff8), BigInt(CODE_ADDRESS + 0xfff), -1n),
);
const small = fc.bigInt({ min: -2n, max: 20n });
const flags = fc.oneof(
  fc.bigInt({ min: 0n, max: 0xffffffn }),
  fc.nat(31).map((bit) => 1n << BigInt(bit)),
  // PROT and MAP; O_CREAT | O_RDWR; what a thread shares; clone of a process; sizes.
  fc.constantFrom(3n, 7n, 0x21n, 0x22n, 0x32n, 0o102n, 0x50f00n, 0x10f00n, 17n, 0x4111n, 0x1000n, 0x10000n),
  fc.constantFrom(2n ** 31n - 1n, 2n ** 31n, 2n ** 47n, 2n ** 63n - 1n, -(2n ** 63n)),
);
const argument = fc.oneof(
  { weight: 4, arbitrary: pointer },
  { weight: 5, arbitrary: small },
  { weight: 3, arbitrary: flags },
  { weight: 3, arbitrary: fc.constant('last' as const) },
);
/** What processes, threads, signals, waiting and mappings are made of comes as often as all else. */
const MANAGING =
  /^(v?fork|clone3?|execve|wait4|waitid|kill|tgkill|pause|futex|rt_sig|sigaltstack|mmap|munmap|mremap|mprotect|madvise|nanosleep|alarm|setitimer|timer|pipe2?|dup[23]?|poll|epoll|eventfd|signalfd|socketpair|shm|sem|msg|pidfd|ptrace|prctl|arch_prctl|exit)/;
const numbers = SYSCALL_ROWS.map(({ number }) => number);
const managing = numbers.filter((number) => MANAGING.test(syscallName(number) ?? ''));
const call: fc.Arbitrary<Call> = fc.record({
  number: fc.oneof(fc.constantFrom(...numbers), fc.constantFrom(...managing)),
  args: fc.array(argument, { minLength: 6, maxLength: 6 }),
});
const calls = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 18 }),
  words: fc.array(fc.oneof(small, flags, pointer), { minLength: 150, maxLength: 150 }),
  measuresChildren: fc.boolean(),
});

const bytesOf = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, i) => Number((BigInt.asUintN(64, value) >> BigInt(8 * i)) & 0xffn));

/** mov r64, imm64 and mov r64, r12, for rdi, rsi, rdx, r10, r8 and r9. */
const LOADS = [
  [0x48, 0xbf],
  [0x48, 0xbe],
  [0x48, 0xba],
  [0x49, 0xba],
  [0x49, 0xb8],
  [0x49, 0xb9],
];
const COPIES = [
  [0x4c, 0x89, 0xe7],
  [0x4c, 0x89, 0xe6],
  [0x4c, 0x89, 0xe2],
  [0x4d, 0x89, 0xe2],
  [0x4d, 0x89, 0xe0],
  [0x4d, 0x89, 0xe1],
];
const SYSCALL = [0x0f, 0x05];
/** mov r12, rax */
const KEEP = [0x49, 0x89, 0xc4];
/** exit_group(0) */
const EXIT = [0xb8, 231, 0, 0, 0, 0x31, 0xff, ...SYSCALL];

function programOf(all: readonly Call[], words: readonly bigint[]): Uint8Array {
  const code = all.flatMap(({ number, args }) => [
    ...args.flatMap((arg, i) => (arg === 'last' ? COPIES[i] : [...LOADS[i], ...bytesOf(arg)])),
    ...[0xb8, ...bytesOf(BigInt(number)).slice(0, 4)],
    ...SYSCALL,
    ...KEEP,
  ]);
  const bytes = tinyElf();
  bytes.set([...code, ...EXIT], 0x1000);
  TEXTS.forEach((text, i) => {
    bytes.set(Buffer.from(`${text}\0`), 0x1000 + DATA + TEXT_SIZE * i);
  });
  bytes.set(words.flatMap(bytesOf), 0x1000 + DATA + 0x140);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(24, BigInt(CODE_ADDRESS), true);
  // All of it may be read, written and executed.
  view.setUint32(64 + 4, 7, true);
  return bytes;
}

it('whatever system calls a program makes, in processes and threads, it ends or is refused, and touches nothing', {
  timeout: 36_000_000,
}, async () => {
  writeFileSync(canary, 'sings');
  const { accepted, codes } = await fuzz(calls, 60, async ({ calls: all, words, measuresChildren }) => {
    writeFileSync(program, programOf(all, words), { mode: 0o755 });
    await measure(
      requestOf(program, directory, { chains: [RUN_CHAIN], fuel: 100_000, measuresChildren }),
      SILENT,
    );
  });
  expect(accepted).toBeGreaterThan(0);
  if (process.env.FUZZ !== undefined) console.log(accepted, [...codes].join(' '));
  expect(readdirSync(directory).sort()).toEqual(['canary', 'program']);
  expect(readFileSync(canary, 'utf8')).toBe('sings');
  expect(statSync(canary).mode & 0o777).toBe(0o644);
});
