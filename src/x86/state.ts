import type { Variable } from '../ir/builder.ts';
import type { VarId } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';

/**
 * The processor's state as variables of the IR, and the locations of rule 3 that they belong to.
 *
 * Flags are kept as the values they are computed from, so that code which nobody reads is never generated:
 * ZF = (zr == 0), SF = (sr < 0), PF = parity of sr's low byte, AF = bit 4 of ar; CF and OF are 0 or 1.
 */
const variables: Variable[] = [];
let locationCount = 0;

function location(): number {
  return locationCount++;
}

function variable(name: string, type: Type, at: number | undefined): VarId {
  variables.push({ name, type, location: at });
  return variables.length - 1;
}

const GPR_NAMES = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split(' ');

/** General registers by hardware number: GPR[4] is rsp. */
export const GPR: readonly VarId[] = GPR_NAMES.map((name) => variable(name, 'i64', location()));
export const [RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI] = GPR;
export const R11 = GPR[11];

/** Low 128 bits of the vector registers. */
export const XMM: readonly VarId[] = Array.from({ length: 16 }, (_, i) =>
  variable(`xmm${i}`, 'v128', location()),
);

export const CF = variable('cf', 'i32', location());
export const OF = variable('of', 'i32', location());
const resultFlags = location();
/** Zero exactly when ZF is set. */
export const ZR = variable('zr', 'i64', resultFlags);
/** Sign is SF; the low byte's parity is PF. */
export const SR = variable('sr', 'i64', resultFlags);
/** Bit 4 is AF. */
export const AR = variable('ar', 'i32', resultFlags);
/** Direction flag: 0 or 1. */
export const DF = variable('df', 'i32', location());

const fsLocation = location();
const gsLocation = location();
export const FS_BASE = variable('fsbase', 'i64', fsLocation);
export const GS_BASE = variable('gsbase', 'i64', gsLocation);

/** MXCSR's control bits (masks, rounding, FTZ, DAZ); the sticky bits are in MXCSR_STATUS. */
export const MXCSR = variable('mxcsr', 'i32', location());
export const MXCSR_STATUS = variable('mxcsr.status', 'i32', undefined);

/** x87 control word. */
export const FPU_CONTROL = variable('fcw', 'i32', location());
/** x87 condition codes C0-C3, at their places in the status word (bits 8, 9, 10, 14). */
export const FPU_CONDITION = variable('fcc', 'i32', location());
/** Sticky exception bits of the x87 status word. */
export const FPU_STATUS = variable('fsw.exceptions', 'i32', undefined);
/** Top of the x87 register stack, 0-7. Known when a block is translated: blocks are keyed by (address, top). */
export const FPU_TOP = variable('ftop', 'i32', undefined);
/** Bit i set: physical slot i holds a value. */
export const FPU_TAGS = variable('ftags', 'i32', undefined);

const slotLocations = Array.from({ length: 8 }, () => location());
/** Physical x87 slots (MMX aliases the significands): 64-bit significand with explicit integer bit... */
export const FPU_SIGNIFICAND: readonly VarId[] = slotLocations.map((at, i) =>
  variable(`fp${i}.m`, 'i64', at),
);
/** ... and sign (bit 15) with biased exponent (bits 0-14). */
export const FPU_EXPONENT: readonly VarId[] = slotLocations.map((at, i) => variable(`fp${i}.e`, 'i32', at));

/** Selectors, 16 bits. Those of CS and SS never change (see segments.ts). */
export const ES = variable('es', 'i32', undefined);
export const DS = variable('ds', 'i32', undefined);
/** One location with the base, which a load of the selector sets. */
export const FS = variable('fs', 'i32', fsLocation);
export const GS = variable('gs', 'i32', gsLocation);

/** High 128 bits of the vector registers: XMM[i] and YMM_HIGH[i] are register i. Behind all others, so that programs without them keep their layout. */
export const YMM_HIGH: readonly VarId[] = Array.from({ length: 16 }, (_, i) =>
  variable(`ymm${i}.high`, 'v128', location()),
);

/** The variable of a vector register's other half has a number that is so much larger, and so has the location. */
export const HIGH_HALF = {
  variable: YMM_HIGH[0] - XMM[0],
  location: (variables[YMM_HIGH[0]].location as number) - (variables[XMM[0]].location as number),
} as const;

/** AC and ID as RFLAGS has them: popfq sets them, pushfq shows them, and that is all that they do. */
export const KEPT_FLAGS = variable('flags.kept', 'i32', undefined);

export const VARIABLES: readonly Variable[] = variables;

/** Of a variable that has one. */
export const locationOf = (variable: VarId): number => variables[variable].location as number;
export const LOCATIONS = locationCount;
