import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInMachine, MACHINE_NAMES, ownMachine } from '../../machines/catalog.ts';
import type { Machine } from '../../machines/machine.ts';
import { decodeBlock } from '../../x86/block.ts';
import { type BlockBounds, blockBounds } from './block.ts';
import { bodyOf } from './body.ts';
import { dependencesOf } from './dataflow.ts';
import { type Fetching, macOf } from './mac.ts';
import { scheduleOf } from './schedule.ts';

const machines = new Map<string, Machine>();
beforeAll(async () => {
  for (const name of MACHINE_NAMES) machines.set(name, await builtInMachine(name));
});

function bounds(name: string, code: string, fetching: Fetching = 'unrolled'): BlockBounds {
  const bytes = Uint8Array.from(code.replaceAll(' ', '').match(/../g)!, (byte) => Number.parseInt(byte, 16));
  return blockBounds(decodeBlock(bytes).instructions, machines.get(name)!, fetching, 'distinct');
}

/** Code in hexadecimal, what limits, and cycles per repetition on Skylake. */
const SKYLAKE: readonly [what: string, code: string, bottleneck: string, cycles: number][] = [
  ['imul rax,rax: its latency', '480fafc0', 'recurrence', 3],
  ['add rax,rax: its latency', '4801c0', 'recurrence', 1],
  ['xor eax,eax: an idiom, four slots a cycle', '31c0', 'issue', 0.25],
  ['imul rcx,rax: 3 cycles through rcx', '480fafc8', 'recurrence', 3],
  ['imul rcx,rax,9: one a cycle on port 1', '486bc809', 'ports', 1],
  ['mov rax,[rax]: the faster load of a pointer', '488b00', 'recurrence', 4],
  ['mov rax,[rax+rbx]: an index makes it slow', '488b0418', 'recurrence', 5],
  ['lea rax,[rax+rbx+8]: three components', '488d441808', 'recurrence', 3],
  ['mov [rdi],eax: a store a cycle', '8907', 'ports', 1],
  ['add [rdi],eax: forwarding 4 and the addition 1', '0107', 'recurrence', 5],
  ['push rax; pop rax: forwarding; a pair of slots is not the limit', '50 58', 'recurrence', 4],
  ['add eax,[rdi] and [rdi+4]: a chain of two additions', '0307 034704', 'recurrence', 2],
  [
    'movaps xmm0,xmm1; addps xmm0,xmm2; movaps xmm1,xmm0: moves are free, the addition takes 4',
    '0f28c1 0f58c2 0f28c8',
    'recurrence',
    4,
  ],
  ['div ecx with edx cleared: 26 around eax', '31d2 f7f1', 'recurrence', 26],
];

describe('on skylake', () => {
  test.each(SKYLAKE)('%s', (_, code, bottleneck, cycles) => {
    const { mac, macs } = bounds('skylake', code);
    expect(mac.bottleneck).toBe(bottleneck);
    expect(mac.cycles).toBeCloseTo(cycles, 9);
    expect(macs).toBeGreaterThanOrEqual(mac.cycles);
    expect(macs).toBeLessThan(mac.cycles * 1.15);
  });
});

test('bytes limit where instructions are long: 10 of them in blocks of 16 take 10 / 16 of a cycle and more', () => {
  // mov rax,imm64: 8 instructions in 5 blocks, of which 3 begin or end 2 and none more than 5.
  const { mac } = bounds('skylake', '48b81122334455667788');
  expect(mac.parts.predecode).toBe(5 / 8);
});

test('a length-changing prefix stalls the predecoder for 3 cycles', () => {
  // add cx,0x1234, 5 bytes: 16 of them in 5 blocks, 16 stalls of 3; each block's own cycle hides none.
  const { mac } = bounds('skylake', '6681c13412');
  expect(mac.bottleneck).toBe('predecode');
  expect(mac.cycles).toBe((5 + 16 * 3) / 16);
});

test('what makes several micro-operations waits for the first decoder', () => {
  // xchg eax,ecx makes three: one a cycle, where three slots of four would allow 4 / 3.
  const { mac } = bounds('skylake', '91');
  expect(mac.parts.decode).toBe(1);
  expect(mac.parts.issue).toBe(3 / 4);
});

test('the stack pointer is corrected once after a push when an address names it', () => {
  // push rax; mov rbx,[rsp+8]; add rsp,8: a slot each for push, correction, load and add.
  expect(bounds('skylake', '50 488b5c2408 4883c408').mac.parts.issue).toBe(4 / 4);
  // Zen needs no correction.
  expect(bounds('zen2', '50 488b5c2408 4883c408').mac.parts.issue).toBe(3 / 6);
});

test('an indexed load comes apart from an operation that does not read its destination, from Haswell on', () => {
  // vaddps ymm0,ymm1,[rdi+rsi] takes two slots; addps xmm0,[rdi+rsi] one; both two on Ivy Bridge.
  expect(bounds('skylake', 'c5f4580437').mac.parts.issue).toBe(2 / 4);
  expect(bounds('skylake', '0f580437').mac.parts.issue).toBe(1 / 4);
  expect(bounds('ivybridge', '0f580437').mac.parts.issue).toBe(2 / 4);
});

describe('memory', () => {
  test('carries a dependence from one repetition to the next through different base registers', () => {
    // x[i] = x[i-1] * y[i]: lea rdx,[rdi-8]; movsd xmm0,[rdx]; mulsd xmm0,[rsi]; movsd [rdi],xmm0; add rdi,8; add rsi,8.
    const { mac } = bounds('skylake', '488d57f8 f20f1002 f20f5906 f20f1107 4883c708 4883c608', 'loop');
    expect(mac.bottleneck).toBe('recurrence');
    // Forwarding 4, multiplication 4.
    expect(mac.cycles).toBe(8);
  });

  test('does not where the load is one element ahead', () => {
    const { mac } = bounds('skylake', '488d5708 f20f1002 f20f5906 f20f1107 4883c708 4883c608', 'loop');
    expect(mac.bottleneck).not.toBe('recurrence');
  });

  test('holds a load up that needs more than the store wrote', () => {
    // mov [rdi],al; mov ebx,[rdi]: 13 cycles from one to the next, because stores are written in order.
    expect(bounds('skylake', '8807 8b1f').mac.cycles).toBe(13);
  });
});

test('a loop that fuses its comparison with its branch has one slot less', () => {
  // add rax,8; cmp rax,rbx; jne: 2 slots; with a move between them 4.
  expect(bounds('skylake', '4883c008 4839d8 75f7', 'loop').mac.parts.issue).toBe(2 / 4);
  expect(bounds('skylake', '4883c008 4839d8 4889d1 75f4', 'loop').mac.parts.issue).toBe(4 / 4);
});

test('an unknown instruction is listed and counts as one addition', () => {
  // vp2intersectd k0,zmm1,zmm2 is of no machine here.
  const { unknown, mac } = bounds('haswell', '62f2774868c2');
  expect(unknown).toEqual(['vp2intersectd k,z,z']);
  expect(mac.cycles).toBeGreaterThan(0);
});

/** Instructions of every kind that the bounds treat apart. */
const PIECES = [
  '4801d8',
  '480fafc3',
  '488b07',
  '488b0437',
  '488907',
  '48890437',
  '480107',
  '50',
  '58',
  '31c0',
  '4889d8',
  '4889c3',
  '0f28c1',
  '0f58c2',
  '0f5907',
  '660fefc0',
  'f20f5ec1',
  'c5f4580437',
  '488d440808',
  '83c001',
  '39d8',
  '0f94c0',
  '8a07',
  '8807',
  '6681c13412',
  '90',
  '31d2',
  'f7f1',
  '91',
  '48b81122334455667788',
  '0fb607',
  '4811d8',
  '48d3e0',
  '4883ec08',
];

test.each(
  MACHINE_NAMES.flatMap((name) =>
    (['unrolled', 'loop'] as const).map((fetching) => [name, fetching] as const),
  ),
)('MAC is at most MACS on %s, %s, in the steady state of any block', (name, fetching) => {
  const block = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(block, (pieces) => {
      const { instructions } = decodeBlock(
        Uint8Array.from(pieces.join('').match(/../g)!, (byte) => Number.parseInt(byte, 16)),
      );
      const body = bodyOf(instructions, machines.get(name)!);
      const dependences = dependencesOf(body, machines.get(name)!, 'alike');
      const mac = macOf(body, dependences, machines.get(name)!, fetching);
      const { cycles, exact } = scheduleOf(body, dependences, machines.get(name)!, fetching, 0);
      // A mean can be short by what is in flight at its ends.
      expect(cycles).toBeGreaterThanOrEqual(mac.cycles * (exact ? 1 - 1e-9 : 0.97));
    }),
    { numRuns: Number(process.env.BLOCK_RUNS ?? 100) },
  );
});

test('a queue that the front end filled at first is no faster front end: MACS is not below MAC while it drains', () => {
  // add eax,1; cmp eax,ebx; pxor xmm0,xmm0 twice: Haswell predecodes 16 of them in 17 cycles, and could rename them in 16.
  const code = [0x83, 0xc0, 0x01, 0x39, 0xd8, 0x66, 0x0f, 0xef, 0xc0, 0x66, 0x0f, 0xef, 0xc0];
  const machine = machines.get('haswell')!;
  const body = bodyOf(decodeBlock(Uint8Array.from(code)).instructions, machine);
  const { cycles } = scheduleOf(body, dependencesOf(body, machine, 'alike'), machine, 'unrolled', 0);
  expect(cycles).toBeCloseTo(17 / 16, 2);
});

test('what was renamed before the limit of vectors in a cycle is not forgotten where windows are full then', () => {
  // mulps xmm0,[rdi]; addps xmm0,xmm2: Zen 5 takes 3 cycles for each, around and around.
  const { instructions } = decodeBlock(Uint8Array.from([0x0f, 0x59, 0x07, 0x0f, 0x58, 0xc2]));
  expect(blockBounds(instructions, machines.get('zen5')!, 'loop', 'alike').macs).toBe(6);
});

test('a slot of a hundred micro-operations, many of them in flight', async () => {
  const overlay = [{ match: 'nop', uops: '100*0156', slots: 1, latency: 4000, source: 'made up' }];
  const mine = {
    format: 'ilp-gate/machine',
    version: 1,
    name: 'mine',
    title: '',
    extends: 'skylake',
    overlay,
  };
  const machine = await ownMachine(mine, 'mine.json');
  const { instructions } = decodeBlock(Uint8Array.of(0x90));
  expect(blockBounds(instructions, machine, 'unrolled', 'distinct')).toMatchObject({ macs: 25 });
});
