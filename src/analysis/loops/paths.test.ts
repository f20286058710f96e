import { expect, test } from 'vitest';
import { decodeCode } from '../../x86/block.ts';
import { countsWith } from './bounds.ts';
import { countsOf, elementSizesOf, NOTHING, rolesOf } from './counts.ts';
import { block, bytesOf, loopOf } from './fixtures/loop-of.ts';
import { pathsOf } from './paths.ts';
import { unrollingOf } from './unroll.ts';

/** if (a) B else C, then D, which repeats; B is at 0x12, C at 0x20, D at 0x30. */
const DIAMOND = loopOf(0x10, [
  block(0x10, 0x12, [0x12, 0x20], '740e'),
  block(0x12, 0x20, [0x30]),
  block(0x20, 0x30, [0x30]),
  block(0x30, 0x40, [0x10, 0x40]),
]);

test('without weights every block is executed once, each after those that lead to it', () => {
  const [all, ...others] = pathsOf(DIAMOND, undefined);
  expect(others).toEqual([]);
  expect(all.blocks.map(({ start }) => start)).toEqual([0x10, 0x12, 0x20, 0x30]);
  // Where the header stands at the end, as in a loop that is entered at its condition.
  const rotated = loopOf(0x30, [block(0x10, 0x30, [0x30]), block(0x30, 0x40, [0x10, 0x40])]);
  expect(pathsOf({ ...rotated, latches: [0x10] }, undefined)[0].blocks.map(({ start }) => start)).toEqual([
    0x30, 0x10,
  ]);
});

test('with weights iterations come apart into paths by how often they are taken', () => {
  const blocks = new Map([
    [0x10, 1],
    [0x12, 0.75],
    [0x20, 0.25],
    [0x30, 1],
  ]);
  const paths = pathsOf(DIAMOND, { blocks });
  expect(paths.map(({ blocks: path, share }) => [path.map(({ start }) => start), share])).toEqual([
    [[0x10, 0x12, 0x30], 0.75],
    [[0x10, 0x20, 0x30], 0.25],
  ]);
  const taken = new Map([[0x10, 0.9]]);
  const [often] = pathsOf(DIAMOND, { blocks: new Map([...blocks, [0x12, 0.1], [0x20, 0.9]]), taken });
  expect(often.blocks.map(({ start }) => start)).toEqual([0x10, 0x20, 0x30]);
  expect(often.share).toBeCloseTo(0.9, 9);
});

test('counts follow the weights', () => {
  const [head, ...others] = DIAMOND.blocks;
  const loop = { ...DIAMOND, blocks: [{ ...head, counts: { ...NOTHING, loads: 2 } }, ...others] };
  expect(countsWith(loop, { blocks: new Map([[0x10, 0.5]]) }).loads).toBe(1);
});

test('the residue of an outer loop is what is executed at least every second time', () => {
  const outer = { ...DIAMOND, innermost: false };
  const blocks = new Map([
    [0x10, 1],
    [0x12, 0.75],
    [0x20, 0.25],
    [0x30, 1],
  ]);
  expect(pathsOf(outer, { blocks })[0].blocks.map(({ start }) => start)).toEqual([0x10, 0x12, 0x30]);
});

const UNROLLED: readonly [what: string, code: string, degree: number][] = [
  ['x[i] = a + b[i]: movsd, addsd, movsd, add rax,8', 'f20f10040f f20f58c1 f20f11040e 4883c008 4883c108', 1],
  [
    'two at a time: displacements 0 and 8, step 16',
    'f20f1006 f20f58c1 f20f1107 f20f104608 f20f58c1 f20f114708 4883c610 4883c710',
    2,
  ],
  ['four in a vector: vmovupd, vaddpd, vmovupd, add 32', 'c5fd1006 c5fd58c1 c5fd1107 4883c620 4883c720', 4],
  ['two vectors of four', 'c5fd1006 c5fd58c1 c5fd1107 c5fd104620 c5fd58c1 c5fd114720 4883c640 4883c740', 8],
  ['every second element: step 16, one access', 'f20f1006 f20f58c1 f20f1107 4883c610 4883c710', 1],
  ['neighbours: x[i-1] + x[i+1] with step 8', 'f20f1046f8 f20f584608 f20f1107 4883c608 4883c708', 1],
  [
    'real and imaginary parts, one added and one subtracted',
    'f20f1006 f20f58c1 f20f1107 f20f104608 f20f5cc1 f20f114708 4883c610 4883c710',
    1,
  ],
];

test.each(UNROLLED)('unrolled: %s', (_, code, degree) => {
  const instructions = decodeCode(bytesOf(code), 0);
  expect(unrollingOf(instructions, elementSizesOf(instructions)).degree).toBe(degree);
});

test('counts are of elements, and tell addresses from arithmetic', () => {
  // vmovupd ymm0,[rsi+rax]; vfmadd231pd ymm1,ymm0,[rdi]; add rax,32; lea ecx,[rdx+rdx*2]; imul ecx,ecx,5; mov [rsp+8],ecx; cmp rax,r8; jne
  const code = 'c5fd100406 c4e2fdb80f 4883c020 8d0c52 6bc905 894c2408 4c39c0 75e1';
  const instructions = decodeCode(bytesOf(code), 0);
  const counts = countsOf(instructions, false, rolesOf(instructions), elementSizesOf(instructions));
  expect(counts).toMatchObject({
    instructions: 8,
    fma: 4,
    loads: 8,
    floatLoads: 8,
    stores: 1,
    spills: 1,
    address: 1,
    integer: 2,
    compares: 1,
    branches: 1,
  });
});
