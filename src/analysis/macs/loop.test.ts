import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInMachine, MACHINE_NAMES } from '../../machines/catalog.ts';
import type { Machine } from '../../machines/machine.ts';
import { decodeCode } from '../../x86/block.ts';
import type { MemoryDependence } from './dataflow.ts';
import { type LoopCycles, type LoopPath, loopBounds } from './loop.ts';

/** GAPS_TIMES=10: ten times as many of what is made by chance. */
const TIMES = Number(process.env.GAPS_TIMES ?? 1);

const machines = new Map<string, Machine>();
beforeAll(async () => {
  for (const name of MACHINE_NAMES) machines.set(name, await builtInMachine(name));
});

const bytesOf = (code: string): Uint8Array =>
  Uint8Array.from(code.replaceAll(' ', '').match(/../g)!, (byte) => Number.parseInt(byte, 16));

/** A path whose last instruction is the branch back. */
function path(code: string, share = 1, memory?: readonly MemoryDependence[]): LoopPath {
  const instructions = decodeCode(bytesOf(code), 0x1000);
  return { instructions, taken: new Set([instructions.length - 1]), share, memory, before: [] };
}

const bounds = (machine: string, ...paths: readonly LoopPath[]): LoopCycles =>
  loopBounds(paths, machines.get(machine)!)!;

// movsd xmm0,[rdx]; mulsd xmm0,[rsi]; movsd [rdi],xmm0; add rdi,8; add rsi,8; add rdx,8; cmp rdi,rcx; jne
const THROUGH_MEMORY = 'f20f1002 f20f5906 f20f1107 4883c708 4883c608 4883c208 4839cf 75e5';

describe('memory', () => {
  test('carries what a run says that it does, though the registers differ', () => {
    const unknown = bounds('skylake', path(THROUGH_MEMORY));
    expect(unknown.MACS).toBeLessThan(3);
    expect(unknown.class).toBe('high-ilp');
    const known = bounds('skylake', path(THROUGH_MEMORY, 1, [{ store: 2, load: 0, distance: 1 }]));
    // Forwarding 4, multiplication 4.
    expect(known.MAC).toBe(8);
    expect(known.limits.MAC).toBe('recurrence');
    expect(known.class).toBe('compute-chain');
    expect(known.MACS).toBeCloseTo(8, 1);
    const farther = bounds('skylake', path(THROUGH_MEMORY, 1, [{ store: 2, load: 0, distance: 4 }]));
    expect(farther.MAC).toBe(2);
  });

  test('carries nothing where a run says so, whatever the registers are', () => {
    // mov eax,[rdi]; imul eax,eax,9; mov [rdi],eax; dec rcx; jne
    const code = '8b07 6bc009 8907 48ffc9 75f3';
    expect(bounds('skylake', path(code)).limits.MAC).toBe('recurrence');
    expect(bounds('skylake', path(code, 1, [])).class).toBe('high-ilp');
  });
});

describe('the class', () => {
  const CASES: readonly [what: string, code: string, kind: string][] = [
    ['a list: mov rax,[rax]; test rax,rax; jne', '488b00 4885c0 75f8', 'load-chain'],
    ['a sum: addsd xmm0,[rdi]; add rdi,8; cmp; jne', 'f20f5807 4883c708 4839cf 75f3', 'compute-chain'],
    [
      'a copy: mov rax,[rdi+rcx*8]; mov [rsi+rcx*8],rax; inc rcx; jne',
      '488b04cf 488904ce 48ffc1 75f3',
      'high-ilp',
    ],
  ];
  test.each(CASES)('of %s', (_, code, kind) => {
    expect(bounds('skylake', path(code)).class).toBe(kind);
  });
});

test('a sum is as quick through a copy that renaming does', () => {
  // addsd xmm2,xmm1; addsd xmm0,xmm2; movapd xmm1,xmm0; with both loaded anew: Zen 5 adds in 2 cycles after an addition.
  const { MAC } = bounds('zen5', path('f20f1016 f20f1006 f20f58d1 f20f58c2 660f28c8 48ffc9 75ea'));
  expect(MAC).toBe(4);
});

test('a taken branch ends what the cache of decoded instructions delivers in a cycle', () => {
  // Six nops, a jump over nothing, six nops, dec rcx, jne: Zen 3 delivers 8 a cycle and issues 6.
  const instructions = decodeCode(bytesOf(`${'90'.repeat(6)} eb00 ${'90'.repeat(6)} 48ffc9 75ed`), 0);
  const last = instructions.length - 1;
  const once = { instructions, share: 1, memory: undefined, before: [] };
  const fetch = (taken: number[]): number | undefined =>
    bounds('zen3', { ...once, taken: new Set(taken) }).parts.find(({ part }) => part === 'fetch')?.cycles;
  expect(fetch([last])).toBe(2);
  // 7 and 7 slots or 8: still a cycle each; with the second jump earlier, three.
  expect(fetch([6, last])).toBe(2);
  expect(fetch([6, 9, last])).toBe(3);
});

test('bounds of several paths are means by share', () => {
  const sum = 'f20f5807 4883c708 4839cf 75f3';
  const copy = '488b04cf 488904ce 48ffc1 75f3';
  const [a, b] = [bounds('skylake', path(sum)), bounds('skylake', path(copy))];
  const both = bounds('skylake', path(sum, 3), path(copy, 1));
  expect(both.MACS).toBeCloseTo((3 * a.MACS + b.MACS) / 4, 9);
  expect(both.MAC).toBeLessThanOrEqual((3 * a.MAC + b.MAC) / 4 + 1e-9);
});

/** Loads, stores, arithmetic and copies, from which loops are made. */
const PIECES = [
  '4801c8',
  '480fafc1',
  '488b06',
  '488907',
  '480107',
  'f20f1006',
  'f20f1107',
  'f20f58c1',
  'f20f59c2',
  '0f28c8',
  '4883c608',
  '4883c708',
  '488d4401f8',
  '660fefc9',
  'f20f5ec1',
  '3b4608',
  '50',
  '58',
];
const BRANCH = '48ffc9 7580';

test.each(MACHINE_NAMES)(
  'MAC is at most MACS on %s for any loop, its paths and what memory carries',
  (name) => {
    const onePath = fc.record({
      pieces: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 10 }),
      share: fc.integer({ min: 1, max: 9 }),
      distance: fc.integer({ min: 1, max: 12 }),
      isKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(onePath, { minLength: 1, maxLength: 3 }), (specified) => {
        const paths = specified.map(({ pieces, share, distance, isKnown }) => {
          const whole = path(`${pieces.join('')}${BRANCH}`, share);
          const store = whole.instructions.findIndex(({ stores }) => stores.length > 0);
          const load = whole.instructions.findIndex(({ loads }) => loads.length > 0);
          const memory = store >= 0 && load >= 0 ? [{ store, load, distance }] : [];
          return isKnown ? { ...whole, memory } : whole;
        });
        const { MAC, MACS, parts } = loopBounds(paths, machines.get(name)!)!;
        expect(MACS).toBeGreaterThanOrEqual(MAC);
        for (const { cycles } of parts) expect(cycles).toBeLessThanOrEqual(MAC);
        expect(MAC).toBeGreaterThan(0);
      }),
      { numRuns: 40 * TIMES },
    );
  },
  10_000 * TIMES,
);
