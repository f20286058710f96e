import { XCR0 } from '../cpuid.ts';
import type { Machine } from '../service.ts';
import { FPU_CONDITION, FPU_CONTROL, FPU_SIGNIFICAND, FPU_TOP, MXCSR, XMM, YMM_HIGH } from '../state.ts';
import {
  FX_MXCSR,
  FX_REGISTERS,
  FX_STATE,
  FX_XMM,
  loadExtended,
  loadVectors,
  locations,
  resetX87,
  storeExtended,
  storeVectors,
  viewOf,
} from './fpu-state.ts';
import { setMxcsr } from './mxcsr.ts';

/**
 * The floating-point and vector state as a signal's frame holds it: xsave's area, with words for the kernel in what fxsave
 * leaves to software (Linux, uapi/asm/sigcontext.h, struct _fpx_sw_bytes and _xstate). It is the same at every level, for
 * instructions above the level are executed too.
 */
const SOFTWARE_AT = 464;
const MAGIC = 0x4650_5853;
const MAGIC_AFTER = 0x4650_5845;
const HEADER_AT = 512;
const HIGH_AT = 576;
const AREA_SIZE = HIGH_AT + 256;
const AVX = 4;

const highsIn = (view: DataView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset + HIGH_AT, 256);

/** A location and the bytes that hold its value. */
export interface SavedPart {
  readonly location: number;
  readonly offset: number;
  readonly length: number;
}

/** By top of the x87 stack. */
const PARTS = Array.from({ length: 8 }, (_, top): readonly SavedPart[] => {
  const part = (variable: number, offset: number, length: number): SavedPart[] =>
    locations([variable]).map((location) => ({ location, offset, length }));
  return [
    ...part(FPU_CONTROL, 0, 2),
    ...part(FPU_CONDITION, 2, 2),
    ...part(MXCSR, FX_MXCSR, 4),
    ...FPU_SIGNIFICAND.flatMap((variable, slot) =>
      part(variable, FX_REGISTERS + 16 * ((slot - top) & 7), 16),
    ),
    ...XMM.flatMap((variable, i) => part(variable, FX_XMM + 16 * i, 16)),
    ...YMM_HIGH.flatMap((variable, i) => part(variable, HIGH_AT + 16 * i, 16)),
  ];
});

export const SIGNAL_STATE = {
  size: AREA_SIZE + 4,
  hasExtendedState: true,
  save(machine: Machine, bytes: Uint8Array): void {
    const view = viewOf(bytes);
    storeExtended(machine, view);
    storeVectors(machine, YMM_HIGH, highsIn(view));
    view.setUint32(SOFTWARE_AT, MAGIC, true);
    view.setUint32(SOFTWARE_AT + 4, AREA_SIZE + 4, true);
    view.setUint32(SOFTWARE_AT + 8, XCR0, true);
    view.setUint32(SOFTWARE_AT + 16, AREA_SIZE, true);
    view.setUint32(HEADER_AT, XCR0, true);
    view.setUint32(AREA_SIZE, MAGIC_AFTER, true);
  },
  /** Without the kernel's words, or where the header does not have them, the high halves become zero. */
  restore(machine: Machine, bytes: Uint8Array): void {
    const view = viewOf(bytes);
    loadExtended(machine, view);
    const isExtended =
      view.getUint32(SOFTWARE_AT, true) === MAGIC && view.getUint32(AREA_SIZE, true) === MAGIC_AFTER;
    const hasHighs = isExtended && (view.getUint32(HEADER_AT, true) & AVX) !== 0;
    loadVectors(machine, YMM_HIGH, hasHighs ? highsIn(view) : new Uint8Array(256));
  },
  /** What a handler finds: everything as it was when the program began. */
  reset(machine: Machine): void {
    resetX87(machine);
    setMxcsr(machine, 0x1f80);
    for (const variable of [...XMM, ...YMM_HIGH]) machine.v128(variable).fill(0);
  },
  locations: [...FX_STATE, ...locations(YMM_HIGH)],
  /** Where the values of locations are, for the present top of the x87 stack. */
  parts(machine: Machine): readonly SavedPart[] {
    return PARTS[machine.readI32(FPU_TOP)];
  },
} as const;
