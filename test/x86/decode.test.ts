import { Code } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { verifyBlock } from '../../src/ir/verify.ts';
import { CodeReader, type Flow } from '../../src/x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../src/x86/lift/block.ts';
import { VARIABLES } from '../../src/x86/state.ts';
import { example, formsOf } from './native/forms.ts';
import { Random } from './native/random.ts';
import { CODE_ADDRESS } from './native/state.ts';

const readerOf = (bytes: readonly number[] | Uint8Array): CodeReader => {
  const code = Uint8Array.from(bytes);
  return new CodeReader((address) => code.subarray(address - CODE_ADDRESS, address - CODE_ADDRESS + 15));
};

const lift = (code: CodeReader): LiftedBlock => liftBlock(code, CODE_ADDRESS, { top: 0, limit: 1 });

/** Every legacy or VEX encoding of 64-bit mode that the case generator can make, whether we lift it or not. */
const forms = formsOf((form) => !/xbegin|imm4|moffs$|^VEX_K|_vm\d|tmm/i.test(form.name));

describe('comparing code', () => {
  const BYTES = Uint8Array.from({ length: 20 }, (_, i) => 3 * i);
  // Executable memory of 20 bytes, of which no more than 8 are given at once.
  const reader = new CodeReader((address) => {
    const at = address - CODE_ADDRESS;
    return BYTES.subarray(at, Math.min(at + 8, BYTES.length));
  });
  const has = (at: number, bytes: Uint8Array): boolean => reader.has(CODE_ADDRESS + at, bytes);

  it('takes the bytes that are there, however they are given', () => {
    for (const [from, to] of [
      [0, 8],
      [0, 20],
      [5, 14],
      [19, 20],
    ])
      expect(has(from, BYTES.subarray(from, to))).toBe(true);
  });

  it('sees any byte that differs', () => {
    for (let i = 0; i < BYTES.length; i++) {
      const other = BYTES.slice();
      other[i] ^= 0x80;
      expect(has(0, other)).toBe(false);
    }
  });

  it('is not content where executable memory ends before', () => {
    expect(has(12, Uint8Array.of(...BYTES.subarray(12), 60))).toBe(false);
    expect(has(20, Uint8Array.of(60))).toBe(false);
  });
});

describe('scanning and lifting agree', () => {
  const examples = forms.flatMap((form) => {
    const random = new Random(form.code);
    return Array.from({ length: 8 }, () => example(form, random)).filter((made) => made !== undefined);
  });

  it('on where a block ends and how', () => {
    const differences = examples.filter(({ code, form }) => {
      const reader = readerOf(code);
      const scan = reader.scan(CODE_ADDRESS);
      const block = lift(reader);
      return !matches(scan.flow, block) || scan.usesFpu !== block.usesFpu || form.code === Code.INVALID;
    });
    expect(differences.slice(0, 10).map(({ text }) => text)).toEqual([]);
    expect(examples.length).toBeGreaterThan(3000);
  });

  it('and every block is well-formed', () => {
    const problems = examples.flatMap(({ code, text }) =>
      verifyBlock(lift(readerOf(code)), VARIABLES).map((problem) => `${text}: ${problem}`),
    );
    expect(problems.slice(0, 5)).toEqual([]);
  });
});

function matches(flow: Flow, { terminator, instructions, end }: LiftedBlock): boolean {
  const { kind } = terminator;
  // A form that the row does not know is found out by lifting only.
  if (kind === 'unsupported') return true;
  switch (flow) {
    case 'next':
      return kind === 'jump' && terminator.target === end && instructions.length === 1;
    case 'indirect-call':
      return kind === 'call' && typeof terminator.target !== 'number';
    case 'call':
      return kind === 'call' && typeof terminator.target === 'number';
    case 'fault':
      return kind === 'fault';
    default:
      return kind === flow;
  }
}

describe('decoding', () => {
  it('names an unknown instruction with its address and bytes', () => {
    expect(lift(readerOf([0x62, 0xf1, 0xfd, 0x48, 0x58, 0xc0])).terminator).toEqual({
      kind: 'unsupported',
      text: 'vaddpd (0x40000000, 62 f1 fd 48 58 c0), which needs AVX-512F; build with -mno-avx512f or -march=x86-64-v3',
    });
  });

  it('faults on an invalid encoding, and differently where executable memory ends within an instruction', () => {
    expect(lift(readerOf([0x06, ...Array(15).fill(0x90)])).terminator).toEqual({
      kind: 'fault',
      fault: 'invalid-opcode',
    });
    expect(lift(readerOf([0x48, 0xb8, 1, 2])).terminator).toEqual({
      kind: 'fault',
      fault: 'general-protection',
    });
    expect(lift(readerOf([])).terminator).toEqual({ kind: 'fault', fault: 'general-protection' });
  });

  it('knows x87 and MMX instructions, and those of SSE2 that use MMX registers', () => {
    const uses = (bytes: number[]): boolean => readerOf(bytes).scan(CODE_ADDRESS).usesFpu;
    expect(uses([0xd9, 0xe8])).toBe(true);
    expect(uses([0xf2, 0x0f, 0xd6, 0xc1])).toBe(true);
    expect(uses([0x66, 0x0f, 0xef, 0xc1])).toBe(false);
    expect(uses([0x01, 0xc0])).toBe(false);
  });

  it('ends a block before an address that another block starts at, and after its limit', () => {
    const nops = readerOf([0x90, 0x90, 0x90, 0x90, 0xc3]);
    const cut = liftBlock(nops, CODE_ADDRESS, {
      top: 0,
      limit: 10,
      end: (address) => address === CODE_ADDRESS + 2,
    });
    expect(cut.terminator).toEqual({ kind: 'jump', target: CODE_ADDRESS + 2 });
    expect(cut.instructions).toHaveLength(2);
    expect(liftBlock(nops, CODE_ADDRESS, { top: 0, limit: 3 }).instructions).toHaveLength(3);
    expect(liftBlock(nops, CODE_ADDRESS, { top: 0, limit: 10 }).terminator.kind).toBe('return');
  });
});
