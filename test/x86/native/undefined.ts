import { readFileSync } from 'node:fs';
import { type Instruction, MemorySize, MemorySizeExt, Mnemonic, OpKind, RegisterExt } from 'iced-x86';
import { ABSENT } from '../../../src/x86/lift/system.ts';
import type { Form } from './forms.ts';
import { FLAG_BITS, type State } from './state.ts';

/**
 * What architectures leave undefined, or to the processor, so that tests do not compare it: flags, results, condition
 * codes, bytes of stored images, and instructions whose result is the processor's own affair.
 */

/** The flags that an instruction leaves undefined (SDM volume 2, "Flags Affected" of each). */
const { CF, PF, AF, ZF, SF, OF } = FLAG_BITS;

type Undefined = number | ((count: number, bits: number) => number);

const shift: Undefined = (count, bits) =>
  count === 0 ? 0 : AF | (count === 1 ? 0 : OF) | (count >= bits ? CF : 0);
const arithmeticShift: Undefined = (count) => (count === 0 ? 0 : AF | (count === 1 ? 0 : OF));
const rotate: Undefined = (count) => (count <= 1 ? 0 : OF);
const doubleShift: Undefined = (count, bits) =>
  count === 0 ? 0 : count > bits ? CF | PF | AF | ZF | SF | OF : AF | (count === 1 ? 0 : OF);

const FLAGS: ReadonlyMap<Mnemonic, Undefined> = new Map<Mnemonic, Undefined>([
  [Mnemonic.And, AF],
  [Mnemonic.Or, AF],
  [Mnemonic.Xor, AF],
  [Mnemonic.Test, AF],
  [Mnemonic.Mul, SF | ZF | AF | PF],
  [Mnemonic.Imul, SF | ZF | AF | PF],
  [Mnemonic.Div, CF | PF | AF | ZF | SF | OF],
  [Mnemonic.Idiv, CF | PF | AF | ZF | SF | OF],
  [Mnemonic.Shl, shift],
  [Mnemonic.Sal, shift],
  [Mnemonic.Shr, shift],
  [Mnemonic.Sar, arithmeticShift],
  [Mnemonic.Rol, rotate],
  [Mnemonic.Ror, rotate],
  [Mnemonic.Rcl, rotate],
  [Mnemonic.Rcr, rotate],
  [Mnemonic.Shld, doubleShift],
  [Mnemonic.Shrd, doubleShift],
  [Mnemonic.Bt, OF | SF | AF | PF],
  [Mnemonic.Bts, OF | SF | AF | PF],
  [Mnemonic.Btr, OF | SF | AF | PF],
  [Mnemonic.Btc, OF | SF | AF | PF],
  [Mnemonic.Bsf, CF | OF | SF | AF | PF],
  [Mnemonic.Bsr, CF | OF | SF | AF | PF],
  [Mnemonic.Tzcnt, OF | SF | AF | PF],
  [Mnemonic.Lzcnt, OF | SF | AF | PF],
  [Mnemonic.Andn, AF | PF],
  [Mnemonic.Bextr, SF | AF | PF],
  [Mnemonic.Blsi, AF | PF],
  [Mnemonic.Blsmsk, AF | PF],
  [Mnemonic.Blsr, AF | PF],
  [Mnemonic.Bzhi, AF | PF],
]);

/** The mask of undefined flags; shifts need their count (the last operand: CL or an immediate) and operand size. */
export function undefinedFlags(instruction: Instruction, before: State): number {
  const bits = operandBits(instruction);
  const entry = FLAGS.get(instruction.mnemonic) ?? 0;
  return typeof entry === 'number' ? entry : entry(shiftCount(instruction, before, bits), bits);
}

/** The count of a shift, as the processor takes it. */
function shiftCount(instruction: Instruction, before: State, bits: number): number {
  const last = instruction.opCount - 1;
  const isRegister = instruction.opKind(last) === 0;
  const count = isRegister ? before.gpr(1) : instruction.immediate(last);
  return Number(count & (bits === 64 ? 63n : 31n));
}

function operandBits(instruction: Instruction): number {
  if (instruction.opCount === 0) return 64;
  return instruction.opKind(0) === OpKind.Register
    ? RegisterExt.size(instruction.opRegister(0)) * 8
    : MemorySizeExt.size(instruction.memorySize) * 8;
}

/** Exponent of the largest numbers for which fyl2xp1 is defined: magnitudes below 1 - sqrt(1/2), about 0.29. */
const FYL2XP1_RANGE = 16383 - 2;

/** shld and shrd of 2-byte operands by more than 16 have no defined result, nor has fyl2xp1 out of its range. */
export function hasUndefinedResult(instruction: Instruction, before: State): boolean {
  const { mnemonic } = instruction;
  if (mnemonic === Mnemonic.Fyl2xp1) {
    const head = before.st(0)[8] | ((before.st(0)[9] & 0x7f) << 8);
    return head >= FYL2XP1_RANGE;
  }
  if (mnemonic === Mnemonic.Shld || mnemonic === Mnemonic.Shrd) {
    const bits = operandBits(instruction);
    return shiftCount(instruction, before, bits) > bits;
  }
  return false;
}

/** AMD's processors ignore REX.W before far pointers: their offset stays 4 bytes long (seen on EPYC, family 26). */
let ignoresLongFarPointers: boolean | undefined;

function hasLongFarPointers(): boolean {
  ignoresLongFarPointers ??= /AuthenticAMD|HygonGenuine/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  return !ignoresLongFarPointers;
}

/** What the host executes differently from the processor that guests see, not at all under test, or as it likes. */
const OWN_AFFAIR: ReadonlySet<Mnemonic> = new Set([
  // Other processors have them, and hypervisors answer some; ours says invalid.
  ...ABSENT,
  Mnemonic.Rdsspd,
  Mnemonic.Rdsspq,
  // The kernel may allow it to user code.
  Mnemonic.Rdpmc,
  // Access the page of their address.
  Mnemonic.Clflush,
  Mnemonic.Clflushopt,
  Mnemonic.Clwb,
  // Tells where the test runs.
  Mnemonic.Rdpid,
  // FS is the C library's.
  Mnemonic.Rdfsbase,
  // The host has more state components than ours, and more of them in use.
  ...[Mnemonic.Xgetbv, Mnemonic.Xsave, Mnemonic.Xsave64, Mnemonic.Xsavec, Mnemonic.Xsavec64],
  ...[Mnemonic.Xsaveopt, Mnemonic.Xsaveopt64, Mnemonic.Xrstor, Mnemonic.Xrstor64],
  // Nothing since the 387; an invalid opcode on EPYC, family 26.
  Mnemonic.Fnsetpm,
  // Tell of the processor, of time, and of chance; enter the kernel.
  Mnemonic.Cpuid,
  Mnemonic.Rdtsc,
  Mnemonic.Rdtscp,
  Mnemonic.Rdrand,
  Mnemonic.Rdseed,
  Mnemonic.Syscall,
]);

/** Whether the host's processor can be the oracle for a form: bswap of 2 bytes has no defined result. */
export function isComparable({ mnemonic, name }: Form): boolean {
  // nop 0F 0D with a register: AMD's processors refuse it, Intel's accept it.
  if (name === 'Bswap_r16' || /_0F0D$/.test(name)) return false;
  return !OWN_AFFAIR.has(mnemonic) && (!/^(Jmp|Call|L[sfg]s_r64)_m1664$/.test(name) || hasLongFarPointers());
}

/**
 * Whether the host's address at the signal tells nothing. int 4: the kernel's signal is that of an interrupt which is not allowed,
 * but comes after the instruction. int1: hypervisors that intercept it may hand it on without stepping over it (seen on KVM,
 * EPYC, family 25).
 */
export function isAddressApart({ mnemonic, immediate8 }: Instruction): boolean {
  return mnemonic === Mnemonic.Int1 || (mnemonic === Mnemonic.Int && immediate8 === 4);
}

/** A system call of 32-bit code; the host would make it. */
export function isSystemCall(instruction: Instruction): boolean {
  return instruction.mnemonic === Mnemonic.Int && instruction.immediate8 === 0x80;
}

const mnemonics = (names: string): ReadonlySet<Mnemonic> =>
  new Set(names.split(' ').map((name) => Mnemonic[name as keyof typeof Mnemonic]));

/** x87 instructions that define C0, C2 and C3, or keep all condition codes. */
const DEFINE_CONDITIONS = mnemonics(
  'Fcom Fcomp Fcompp Ficom Ficomp Fucom Fucomp Fucompp Ftst Fxam Fprem Fprem1 Fninit Fnstcw Fnstenv Fnstsw Fnop Wait ' +
    'Fnsave Frstor Fldenv Fxsave Fxsave64 Fxrstor Fxrstor64',
);
/** All four are undefined; or the SDM clears C1, and AMD's manual leaves it alone. */
const LOSE_CONDITIONS = mnemonics(
  'Ffree Ffreep Fldcw Fnclex Fcomi Fcomip Fucomi Fucomip Fcmovb Fcmove Fcmovbe Fcmovu Fcmovnb Fcmovne Fcmovnbe Fcmovnu',
);
const REMAINDERS = mnemonics('Fprem Fprem1');
/** What is rounded otherwise is rounded up otherwise. */
const FUNCTIONS = mnemonics('F2xm1 Fyl2x Fyl2xp1 Fpatan Fptan Fsin Fcos Fsincos');

/** Condition codes, at their places in the status word, that an x87 instruction leaves undefined. */
export function undefinedConditions(mnemonic: Mnemonic, after: State): number {
  if (LOSE_CONDITIONS.has(mnemonic)) return 0x4700;
  if (FUNCTIONS.has(mnemonic)) return 0x4300;
  if (!DEFINE_CONDITIONS.has(mnemonic)) return 0x4500;
  // C0 and C3, when there is no quotient: the result is a NaN.
  const top = new DataView(after.st(0).buffer, after.st(0).byteOffset, 10);
  const nan = (top.getUint16(8, true) & 0x7fff) === 0x7fff && top.getBigUint64(0, true) << 1n !== 1n << 64n;
  return REMAINDERS.has(mnemonic) && nan ? 0x4100 : 0;
}

/** Processors differ in the last bits: each within 1.5 * 2^-12 of the true value (SDM volume 2, RCPPS)... */
const APPROXIMATIONS = mnemonics('Rcpps Rcpss Rsqrtps Rsqrtss Vrcpps Vrcpss Vrsqrtps Vrsqrtss');

/** How exactly results are defined: `singles` within 3 * 2^-12 of each other, `extended` within a unit of the last place. */
export function exactnessOf(mnemonic: Mnemonic): 'bits' | 'singles' | 'extended' {
  if (APPROXIMATIONS.has(mnemonic)) return 'singles';
  // ...and within one unit in the last place (SDM volume 1, 8.3.10).
  return FUNCTIONS.has(mnemonic) ? 'extended' : 'bits';
}

/** Bytes of a stored image that hold pointers to the last instruction, or that processors fill in their own way. */
type Ranges = readonly (readonly [from: number, to: number])[];
/** Pointers behind three words of 2 or 4 bytes. */
const ENVIRONMENT: Ranges = [[12, 28]];
const NARROW_ENVIRONMENT: Ranges = [[6, 14]];
const FXSAVE: Ranges = [
  [6, 24],
  [28, 32],
  [416, 512],
];
const IMAGES: ReadonlyMap<Mnemonic, Ranges> = new Map([
  [Mnemonic.Fnstenv, ENVIRONMENT],
  [Mnemonic.Fnsave, ENVIRONMENT],
  [Mnemonic.Fxsave, FXSAVE],
  [Mnemonic.Fxsave64, FXSAVE],
]);

export function undefinedBytes({ mnemonic, memorySize }: Instruction): Ranges {
  if (memorySize === MemorySize.FpuEnv14 || memorySize === MemorySize.FpuState94) return NARROW_ENVIRONMENT;
  return IMAGES.get(mnemonic) ?? [];
}
