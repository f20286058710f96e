import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../base/failure.ts';
import { freshMemory, Guest, SCRATCH, SCRATCH_END } from '../fixtures/guest.ts';
import { syscallName } from '../names.ts';
import { SYSCALL_ROWS } from './table.ts';

const memory = freshMemory();

const files = {
  '/home/me/project/a': 'text',
  '/home/me/project/d/b': 'text',
  '/home/me/project/l': { link: 'd' },
};

/** Texts at fixed places of the scratch memory, so that random pointers sometimes make sense. */
const TEXTS = ['a', 'd', 'd/b', 'l/../new', '/proc/self/maps', '/dev/stdin', '/proc/self/fd/3', '..', ''];

const pointer = fc.oneof(
  fc.nat(TEXTS.length - 1).map((text) => BigInt(SCRATCH + 64 * text)),
  fc.integer({ min: SCRATCH, max: SCRATCH_END + 64 }).map(BigInt),
  fc.constantFrom(
    0n,
    1n,
    BigInt(SCRATCH_END - 1),
    BigInt(SCRATCH_END),
    0x1800_0000n,
    -1n,
    -4096n,
    1n << 62n,
    0x7fff_ffff_f000n,
  ),
);
const number = fc.oneof(
  fc.bigInt({ min: -4n, max: 64n }),
  fc.constantFrom(
    -100n,
    0x1000n,
    0x2000n,
    0x1_0000n,
    2n ** 31n - 1n,
    2n ** 31n,
    2n ** 32n,
    2n ** 63n - 1n,
    -(2n ** 63n),
    0o102n,
    0x22n,
    0x32n,
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const call = fc.record({
  row: fc.constantFrom(...SYSCALL_ROWS),
  args: fc.array(fc.oneof(pointer, number), { minLength: 6, maxLength: 6 }),
});

/** What the interface of Kernel.syscall declares. */
const DECLARED = ['unsupported-syscall', 'guest-blocked', 'too-many-processes', 'shared-memory-too-large'];

test('whatever a program passes, a system call ends in one of the declared ways', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      // Mappings of the run before must not be found by this one.
      memory.unmap(0x1_0000, 0x1800_0000);
      const guest = new Guest({ memory, files, stdin: 'input' });
      TEXTS.forEach((text, at) => {
        memory.write(SCRATCH + 64 * at, new TextEncoder().encode(`${text}\0`));
      });
      for (const { row, args } of calls) {
        try {
          const outcome = guest.kernel.syscall(row.number, args);
          if (outcome.kind !== 'return') return;
          expect(outcome.sources).toBe(row.args);
          for (const { address, length } of outcome.written)
            expect([row.name, memory.isMapped(address), memory.isMapped(address + length - 1)]).toEqual([
              row.name,
              true,
              true,
            ]);
        } catch (problem) {
          if (!(problem instanceof Failure)) throw problem;
          expect(DECLARED).toContain(problem.code);
          return;
        }
      }
    }),
    { numRuns: 1500 },
  );
});

test('every row has the number and the name of the kernel, once', () => {
  expect(new Set(SYSCALL_ROWS.map((row) => row.number)).size).toBe(SYSCALL_ROWS.length);
  for (const row of SYSCALL_ROWS) expect(row.name).toBe(syscallName(row.number));
});

test("every call of Linux 6.1 is there, but rt_sigreturn, which is not the kernel's to do here", () => {
  const rows = new Set(SYSCALL_ROWS.map(({ number }) => number));
  const missing = Array.from({ length: 451 }, (_, number) => number).filter(
    (number) => syscallName(number) !== undefined && !rows.has(number),
  );
  expect(missing).toEqual([15]);
});

test('a call that is not there ends the run with its name, and what is no call is refused', () => {
  const guest = new Guest({ memory });
  const run = (call: number) => () => guest.kernel.syscall(call, [0n, 0n, 0n, 0n, 0n, 0n]);
  expect(run(15)).toThrow('The program made the system call rt_sigreturn (15), which is not supported.');
  expect(run(9999)()).toMatchObject({ result: -38n });
  expect(run(-1)()).toMatchObject({ result: -38n });
});
