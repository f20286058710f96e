import { afterAll, describe, expect, it } from 'vitest';
import { parseImage } from '../../src/elf/parse.ts';
import { CodeSpace } from '../../src/emulator/code/code-space.ts';
import { Pass } from '../../src/emulator/pass/pass.ts';
import { CONTEXT_TOP, MAXIMUM, SHADOW, stepOffset, valueOffset } from '../../src/guest/layout.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import { FRAME } from '../../src/translate/contexts/records.ts';
import { ENGINE_LIMITS } from '../../src/translate/limits.ts';
import { RAX, RBX, VARIABLES } from '../../src/x86/state.ts';
import { assemblyFunction, isMissing, START, Workshop } from '../measure/build.ts';
import { commandOf } from '../reference/program.ts';
import { firstDifference, type Side } from './differences.ts';

/** Who compares and sees nothing would agree with everything: it is shown each kind of difference. */
describe.skipIf(isMissing('gcc'))('a difference between two executions', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const KEPT = 0x1100_0000;
  const program = workshop.assemble(
    [
      '.text',
      START,
      assemblyFunction('work', 'imul rbx, rbx\nmov [rdi], rbx\nmov [rdi+17], bl\n1: add rax, 1\njmp 1b'),
      assemblyFunction(
        'main',
        `mov eax, 9\nmov esi, 4096\nmov edx, 3\nmov r10d, 0x32\nmov r8, -1\nxor r9d, r9d\nmov edi, ${KEPT}\nsyscall
        mov edi, ${KEPT}\nmov ebx, 3\nmov eax, ebx\ncall work\nret`,
      ),
    ].join('\n'),
  );
  const interpreting = {
    ...ENGINE_LIMITS,
    without: ['slices in place' as const],
    hotEntries: 0x7fff_ffff,
    blockInstructions: 1,
  };
  const spaces = [0, 1].map(() => new CodeSpace([], interpreting));

  /** Executes the program as far as its endless loop, in slices of so many instructions. */
  const run = (...slices: readonly number[]): Side[] =>
    spaces.map((space, i) => {
      const pass = new Pass({
        guest: {
          command: commandOf(program, []),
          isa: 'x86-64',
          directory: process.cwd(),
          disk: frozenDisk(hostDisk()),
          input: emptyInput(),
          output: { stdout: () => {}, stderr: () => {} },
          parseImage,
        },
        space,
        named: [],
        depth: 3,
        firstDepth: 0,
      });
      while (pass.executed() < 60) pass.slice(Math.min(slices[i], 59 - pass.executed()));
      return { space, pass };
    });

  const shadowOf = (address: number) => SHADOW + 4 * (address & ~3);
  const step = (location: number | undefined) => stepOffset(location!);

  it('is none where only the slices, and with them the floors, were others', () => {
    const [a, b] = run(7, 50);
    expect(a.pass.executed()).toBe(60);
    expect(firstDifference(a, b)).toBeUndefined();
  });

  it.each<[string, (view: DataView) => void]>([
    ['the variable rax', (view) => view.setInt32(valueOffset(RAX), 1, true)],
    ['the cycle of rbx', (view) => lift(view, step(VARIABLES[RBX].location))],
    ['C of the contexts', (view) => lift(view, MAXIMUM)],
    [
      'open context 1: start',
      (view) => lift(view, view.getInt32(CONTEXT_TOP, true) - FRAME.size + FRAME.start),
    ],
    [`the byte at 0x${(KEPT + 3).toString(16)}`, (view) => view.setUint8(KEPT + 3, 77)],
    [`the cycle of the byte at 0x${(KEPT + 4).toString(16)}`, (view) => lift(view, shadowOf(KEPT + 4))],
    [
      `the cycle of the byte at 0x${(KEPT + 17).toString(16)}`,
      // A mixed granule holds where its bytes' steps are.
      (view) => lift(view, (view.getInt32(shadowOf(KEPT + 17), true) >>> 0) + 16),
    ],
  ])('is named: %s', (what, change) => {
    const [a, b] = run(20, 20);
    change(b.space.guest.view);
    expect(firstDifference(a, b)?.what).toBe(what);
    expect(firstDifference(b, a)?.what).toBe(what);
  });

  it('may be one of permissions, or of how far they came', () => {
    const [a, b] = run(20, 20);
    b.space.guest.protect(KEPT, KEPT + 4096, 1);
    expect(firstDifference(a, b)?.what).toBe(`permissions of the page at 0x${KEPT.toString(16)}`);
    a.pass.slice(3);
    expect(firstDifference(a, b)?.what).toBe('instructions executed');
  });
});

/** Makes a number of 32 bits larger than any of a short run. */
function lift(view: DataView, at: number): void {
  view.setInt32(at, view.getInt32(at, true) + 1000, true);
}
