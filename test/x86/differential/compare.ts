import type { Instruction } from 'iced-x86';
import {
  ALL_FLAGS,
  CODE_ADDRESS,
  DATA_ADDRESS,
  FLAG_BITS,
  FX_CONTROL,
  FX_MXCSR,
  FX_STATUS,
  FX_TAGS,
  SEGMENT_INDEX,
  type State,
} from '../native/state.ts';
import { MXCSR_STICKY } from '../native/transfer.ts';
import {
  exactnessOf,
  isAddressApart,
  undefinedBytes,
  undefinedConditions,
  undefinedFlags,
} from '../native/undefined.ts';

const SIGFPE = 8;
const NAMES = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split(' ');
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const bytesText = (bytes: Uint8Array): string => Buffer.from(bytes).reverse().toString('hex');

/** What may be otherwise than on the host. */
export interface Compared {
  /** Masks of undefined flags, and of condition codes by the state after. */
  readonly flags: number;
  conditions(after: State): number;
  readonly exactness: ReturnType<typeof exactnessOf>;
  /** Of the data at `memory`. */
  readonly bytes: ReturnType<typeof undefinedBytes>;
  /** The signal tells of another instruction pointer. */
  readonly isAddressApart: boolean;
  /** Whether MXCSR's sticky bits are kept. */
  readonly keepsStatus: boolean;
  /** Address of the memory operand, 0 if there is none. */
  readonly memory: number;
}

/** Of one instruction. */
export function comparedOf(
  instruction: Instruction,
  before: State,
  { keepsStatus, memory }: Pick<Compared, 'keepsStatus' | 'memory'>,
): Compared {
  const { mnemonic } = instruction;
  return {
    flags: undefinedFlags(instruction, before),
    conditions: (after) => undefinedConditions(mnemonic, after),
    exactness: exactnessOf(mnemonic),
    bytes: undefinedBytes(instruction),
    isAddressApart: isAddressApart(instruction),
    keepsStatus,
    memory,
  };
}

/** Where a state differs from the host's, in words; nothing where it does not. */
export function differencesOf(compared: Compared, ours: State, host: State): string[] {
  const found: string[] = [];
  const differ = (name: string, x: string, y: string) => {
    if (x !== y) found.push(`${name} ${x}, host ${y}`);
  };
  differ('signal', String(ours.signal), String(host.signal));
  differ('taken', String(ours.taken), String(host.taken));
  if (host.signal !== 0 && !compared.isAddressApart) differ('rip', hex(ours.rip), hex(host.rip));
  for (let i = 0; i < 16; i++) differ(NAMES[i], hex(ours.gpr(i)), hex(host.gpr(i)));
  compareSegments(differ, ours, host);
  // Execution may also have gone where there is no code: the signal is the next instruction's.
  if (host.signal === 0 || host.rip !== BigInt(CODE_ADDRESS)) {
    const defined = ALL_FLAGS & ~compared.flags;
    for (const [name, bit] of Object.entries(FLAG_BITS))
      differ(name, flag(ours.rflags & defined & bit), flag(host.rflags & defined & bit));
  }
  compareVectors(differ, compared, ours, host);
  // Whether an instruction on MMX registers has taken the x87's over when it faults is the processor's affair.
  if (host.signal !== SIGFPE) compareFpu(differ, compared, ours, host);
  compareData(differ, compared, ours, host);
  return found;
}

type Differ = (name: string, ours: string, host: string) => void;

const flag = (bits: number): string => (bits === 0 ? '0' : '1');

function compareSegments(differ: Differ, ours: State, host: State): void {
  for (const [name, index] of Object.entries(SEGMENT_INDEX) as [keyof typeof SEGMENT_INDEX, number][]) {
    const [selector, theirs] = [ours.selector(name), host.selector(name)];
    const isNull = selector < 4;
    // When an interrupt returns, a null selector loses its privilege level.
    if (!(isNull && theirs === 0)) differ(name, hex(selector), hex(theirs));
    // A null selector leaves the base on AMD's processors before Zen 2.
    const flat = 1 << (index - SEGMENT_INDEX.fs);
    if (!isNull && index >= SEGMENT_INDEX.fs)
      differ(`flat ${name}`, flag(ours.flat & flat), flag(host.flat & flat));
  }
}

function compareVectors(
  differ: Differ,
  { exactness, keepsStatus }: Compared,
  ours: State,
  host: State,
): void {
  const near = exactness === 'singles';
  for (let i = 0; i < 16; i++)
    if (!near || !areNear(ours.xmm(i), host.xmm(i)))
      differ(`xmm${i}`, bytesText(ours.xmm(i)), bytesText(host.xmm(i)));
  for (let i = 0; i < 16; i++)
    if (!near || !areNear(ours.ymmHigh(i), host.ymmHigh(i)))
      differ(`ymm${i}, upper half`, bytesText(ours.ymmHigh(i)), bytesText(host.ymmHigh(i)));
  const [mine, theirs] = [ours, host].map((state) => {
    const mxcsr = state.fx.getUint32(FX_MXCSR, true);
    // A fault is told of before its flags are set.
    return keepsStatus && host.signal === 0 ? mxcsr : mxcsr & ~MXCSR_STICKY;
  });
  differ('mxcsr', hex(mine), hex(theirs));
}

const LEAST_NORMAL = 2 ** -126;

/**
 * Single-precision lanes, each the same or both within 1.5 * 2^-12 of the true value. Of a true value this near to the least
 * normal number, one may be below it and so zero (RCPPS: "input values in between may or may not produce tiny results").
 */
function areNear(x: Uint8Array, y: Uint8Array): boolean {
  const [a, b] = [x, y].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, 16));
  return [0, 4, 8, 12].every((at) => {
    const [mine, theirs] = [a.getFloat32(at, true), b.getFloat32(at, true)];
    return (
      a.getUint32(at, true) === b.getUint32(at, true) ||
      (Number.isFinite(theirs) && Math.abs(mine - theirs) < 3.01 * 2 ** -12 * Math.abs(theirs)) ||
      ((mine === 0) !== (theirs === 0) && isLeastNormal(mine + theirs))
    );
  });
}

const isLeastNormal = (value: number): boolean =>
  Math.abs(value) >= LEAST_NORMAL && Math.abs(value) < LEAST_NORMAL * (1 + 3.01 * 2 ** -12);

function compareFpu(differ: Differ, { conditions, exactness }: Compared, ours: State, host: State): void {
  differ('control', hex(ours.fx.getUint16(FX_CONTROL, true)), hex(host.fx.getUint16(FX_CONTROL, true)));
  const undefinedBits = conditions(host);
  const isFunction = exactness === 'extended';
  // Whether a result is inexact may hang on its last place.
  const ignored = undefinedBits | (isFunction ? 0x32 : 0);
  const status = (state: State) => hex(state.fx.getUint16(FX_STATUS, true) & ~ignored);
  differ('status', status(ours), status(host));
  differ('tags', ours.fx.getUint8(FX_TAGS).toString(2), host.fx.getUint8(FX_TAGS).toString(2));
  for (let i = 0; i < 8; i++)
    if (!isFunction || distance(ours.st(i), host.st(i)) > 1)
      differ(`st${i}`, bytesText(ours.st(i)), bytesText(host.st(i)));
}

/** In units of the last place; infinite where only one is negative. */
function distance(x: Uint8Array, y: Uint8Array): number {
  const [a, b] = [x, y].map((bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, 10);
    const head = view.getUint16(8, true);
    return {
      sign: head >> 15,
      value: (BigInt(Math.max(1, head & 0x7fff)) << 63n) + view.getBigUint64(0, true),
    };
  });
  if (a.sign !== b.sign) return Infinity;
  return Number(a.value > b.value ? a.value - b.value : b.value - a.value);
}

function compareData(differ: Differ, { bytes, memory }: Compared, ours: State, host: State): void {
  const start = memory - DATA_ADDRESS;
  const [mine, theirs] = [ours.data, host.data];
  for (let at = 0; at < mine.length; at++) {
    if (mine[at] === theirs[at]) continue;
    if (bytes.some(([from, to]) => at - start >= from && at - start < to)) continue;
    differ(`data[${at}]`, hex(mine[at]), hex(theirs[at]));
    return;
  }
}
