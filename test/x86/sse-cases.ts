import type { Mnemonic } from 'iced-x86';
import { expect } from 'vitest';
import { DEFAULT_MXCSR } from '../../src/x86/lift/context.ts';
import { assemble, mnemonicOf } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { type NativeCase, runNative } from './native/runner.ts';
import { ALL_FLAGS, DATA_ADDRESS, FX_MXCSR, FX_STATUS, FX_TAGS, State } from './native/state.ts';
import { MXCSR_STICKY } from './native/transfer.ts';
import { integers, Random, single } from './operands.ts';

/** Comparison of SSE instructions with the host processor on random operands. */

/** 64 bits of a vector register or of memory. */
export type Fill = (random: Random) => bigint;

export const singles: Fill = (random) => single(random) | (single(random) << 32n);

export function randomState(random: Random, fill: Fill, mxcsr = DEFAULT_MXCSR): State {
  const state = State.initial();
  state.fx.setUint32(FX_MXCSR, mxcsr, true);
  for (let i = 0; i < 16; i++) {
    state.setGpr(i, random.below(3) === 0 ? random.bits() : integers(random));
    const view = new DataView(state.xmm(i).buffer, state.xmm(i).byteOffset, 16);
    view.setBigUint64(0, fill(random), true);
    view.setBigUint64(8, fill(random), true);
    const high = new DataView(state.ymmHigh(i).buffer, state.ymmHigh(i).byteOffset, 16);
    high.setBigUint64(0, fill(random), true);
    high.setBigUint64(8, fill(random), true);
  }
  // Now and then two operands are equal.
  if (random.below(4) === 0) state.xmm(2).set(state.xmm(1));
  for (let at = 0; at < 64; at += 8)
    new DataView(state.data.buffer, state.data.byteOffset + at, 8).setBigUint64(0, fill(random), true);
  if (random.below(4) === 0) state.data.set(state.xmm(1), 16);
  state.setGpr(7, BigInt(DATA_ADDRESS));
  state.rflags = 0x202 | (Number(random.bits()) & 0x8d5);
  return state;
}

/** What the processor and we must agree on, readably; without the sticky bits where they are not kept. */
function summary(state: State, keepsStatus = true): Record<string, string> {
  const facts: Record<string, string> = { signal: String(state.signal) };
  if (state.signal !== 0) return facts;
  for (let i = 0; i < 16; i++) facts[`r${i}`] = state.gpr(i).toString(16);
  for (let i = 0; i < 16; i++) facts[`xmm${i}`] = Buffer.from(state.xmm(i)).reverse().toString('hex');
  for (let i = 0; i < 16; i++) facts[`high${i}`] = Buffer.from(state.ymmHigh(i)).reverse().toString('hex');
  const mxcsr = state.fx.getUint32(FX_MXCSR, true);
  facts.mxcsr = (keepsStatus ? mxcsr : mxcsr & ~MXCSR_STICKY).toString(16);
  facts.flags = (state.rflags & ALL_FLAGS).toString(16);
  facts.data = Buffer.from(state.data.subarray(0, 96)).toString('hex');
  return facts;
}

/** Rounding modes, flush to zero and denormals are zeros in any combination but none; all exceptions masked. */
export function anyMode(random: Random): number {
  const mode = 1 + random.below(15);
  const [rounding, flush, zeros] = [mode & 3, (mode >> 2) & 1, (mode >> 3) & 1];
  return 0x1f80 | (rounding << 13) | (flush << 15) | (zeros << 6) | random.below(64);
}

/** Anything in the slots, as MMX values or numbers; any top and tags. */
function randomFpu(random: Random, state: State, fill: Fill): void {
  state.fx.setUint16(FX_STATUS, random.below(8) << 11, true);
  state.fx.setUint8(FX_TAGS, random.below(256));
  for (let i = 0; i < 8; i++) {
    const view = new DataView(state.st(i).buffer, state.st(i).byteOffset, 10);
    view.setBigUint64(0, fill(random), true);
    view.setUint16(8, random.pick([0xffff, 0x3fff, random.below(0x10000)]), true);
  }
}

function fpuSummary(state: State, keepsStatus: boolean): Record<string, string> {
  const facts = summary(state, keepsStatus);
  if (state.signal !== 0) return facts;
  facts.status = state.fx.getUint16(FX_STATUS, true).toString(16);
  facts.tags = state.fx.getUint8(FX_TAGS).toString(16);
  for (let i = 0; i < 8; i++) facts[`st${i}`] = Buffer.from(state.st(i)).reverse().toString('hex');
  return facts;
}

const CASES = 4 * Number(process.env.ILP_GATE_CASES ?? 6);

/** Mnemonics of all instructions compared with the processor so far. */
export const compared = new Set<Mnemonic>();

interface Options {
  /** Number of instructions in a line. */
  readonly instructions?: number;
  /** MXCSR before the instruction. */
  readonly mxcsr?: (random: Random) => number;
  /** rax and rdx hold lengths: small numbers of either sign, most of the time. */
  readonly lengths?: boolean;
  /** Random states for each line. */
  readonly cases?: number;
  /** The x87 stack, which MMX registers are, holds anything, and is compared too. */
  readonly fpu?: boolean;
}

/** Runs every line on random states here and there. */
export function compare(lines: readonly string[], fill: Fill, options: Options = {}): void {
  const random = new Random(lines.length);
  const { cases: perLine = CASES } = options;
  const code = assemble(lines);
  for (const bytes of code) compared.add(mnemonicOf(bytes));
  const cases: NativeCase[] = code.flatMap((bytes) =>
    Array.from({ length: perLine }, () => {
      const before = randomState(random, fill, options.mxcsr?.(random));
      if (options.lengths === true)
        for (const register of [0, 2])
          if (random.below(5) > 0) before.setGpr(register, BigInt(random.below(40) - 20));
      if (options.fpu === true) randomFpu(random, before, fill);
      return { code: bytes, before };
    }),
  );
  const expected = runNative(cases);
  cases.forEach((one, i) => {
    for (const keepsStatus of [true, false]) judge(one, i, keepsStatus);
  });
  function judge(one: NativeCase, i: number, keepsStatus: boolean): void {
    const line = lines[Math.floor(i / perLine)];
    if (!keepsStatus && /^v?stmxcsr/.test(line)) return;
    const facts = options.fpu === true ? fpuSummary : summary;
    const ours = facts(runEmulated(one, options.instructions, undefined, keepsStatus), keepsStatus);
    const host = facts(expected[i], keepsStatus);
    const differing = Object.keys(host).filter((key) => host[key] !== ours[key]);
    if (differing.length > 0)
      expect.fail(
        `${line}: ${differing.map((key) => `${key} is ${ours[key]}, on the host ${host[key]}`).join('; ')}\nbefore: ${JSON.stringify(summary(one.before))}`,
      );
  }
}

/** Forms of a packed instruction: two registers, one register twice, aligned and misaligned memory. */
export const packed = (names: string, immediates: readonly string[] = ['']): string[] =>
  names
    .split(' ')
    .flatMap((name) =>
      immediates.flatMap((immediate) => [
        `${name} xmm1, xmm2${immediate}`,
        `${name} xmm9, xmm9${immediate}`,
        `${name} xmm3, xmmword ptr [rdi + 16]${immediate}`,
        `${name} xmm4, xmmword ptr [rdi + 17]${immediate}`,
      ]),
    );

/** Forms of a scalar instruction with a memory operand of a size. */
export const scalar = (names: string, size: string, immediates: readonly string[] = ['']): string[] =>
  names
    .split(' ')
    .flatMap((name) =>
      immediates.flatMap((immediate) => [
        `${name} xmm1, xmm2${immediate}`,
        `${name} xmm9, xmm9${immediate}`,
        `${name} xmm3, ${size} ptr [rdi + 17]${immediate}`,
      ]),
    );

export const numbers = (...values: number[]): string[] => values.map((value) => `, ${value}`);
export const PREDICATES = numbers(0, 1, 2, 3, 4, 5, 6, 7);
