import { readRflags, writeRflags } from '../../../src/x86/rflags.ts';
import type { Machine } from '../../../src/x86/service.ts';
import {
  DS,
  ES,
  FPU_CONDITION,
  FPU_CONTROL,
  FPU_EXPONENT,
  FPU_SIGNIFICAND,
  FPU_STATUS,
  FPU_TAGS,
  FPU_TOP,
  FS,
  FS_BASE,
  GPR,
  GS,
  GS_BASE,
  MXCSR,
  MXCSR_STATUS,
  XMM,
  YMM_HIGH,
} from '../../../src/x86/state.ts';
import { DATA_ADDRESS, FX_CONTROL, FX_MXCSR, FX_STATUS, FX_TAGS, State } from './state.ts';

/** Between a native case's registers and a machine's variables. */

/** Of the status word: exceptions, stack fault, error summary and busy; the condition codes; top. */
const FSW_STICKY = 0x80ff;
const FSW_CONDITIONS = 0x4700;
export const MXCSR_STICKY = 0x3f;

export function loadState(machine: Machine, state: State): void {
  GPR.forEach((variable, i) => {
    machine.writeI64(variable, BigInt.asIntN(64, state.gpr(i)));
  });
  XMM.forEach((variable, i) => {
    machine.v128(variable).set(state.xmm(i));
  });
  YMM_HIGH.forEach((variable, i) => {
    machine.v128(variable).set(state.ymmHigh(i));
  });
  machine.writeI32(ES, state.selector('es'));
  machine.writeI32(DS, state.selector('ds'));
  machine.writeI32(FS, state.selector('fs'));
  machine.writeI32(GS, state.selector('gs'));
  machine.writeI64(FS_BASE, state.selector('fs') === 0 ? BigInt(DATA_ADDRESS) : 0n);
  machine.writeI64(GS_BASE, state.selector('gs') === 0 ? BigInt(DATA_ADDRESS) : 0n);
  writeRflags(machine, BigInt(state.rflags));
  const { fx } = state;
  const mxcsr = fx.getUint32(FX_MXCSR, true);
  machine.writeI32(MXCSR, mxcsr & ~MXCSR_STICKY);
  machine.writeI32(MXCSR_STATUS, mxcsr & MXCSR_STICKY);
  const status = fx.getUint16(FX_STATUS, true);
  const top = (status >> 11) & 7;
  machine.writeI32(FPU_CONTROL, fx.getUint16(FX_CONTROL, true));
  machine.writeI32(FPU_STATUS, status & FSW_STICKY);
  machine.writeI32(FPU_CONDITION, status & FSW_CONDITIONS);
  machine.writeI32(FPU_TOP, top);
  machine.writeI32(FPU_TAGS, fx.getUint8(FX_TAGS));
  for (let i = 0; i < 8; i++) {
    const st = state.st(i);
    const view = new DataView(st.buffer, st.byteOffset, 10);
    machine.writeI64(FPU_SIGNIFICAND[(top + i) & 7], view.getBigInt64(0, true));
    machine.writeI32(FPU_EXPONENT[(top + i) & 7], view.getUint16(8, true));
  }
}

/** The registers; signal, taken and data are the caller's. */
export function savedState(machine: Machine): State {
  const state = new State();
  GPR.forEach((variable, i) => {
    state.setGpr(i, machine.readI64(variable));
  });
  XMM.forEach((variable, i) => {
    state.xmm(i).set(machine.v128(variable));
  });
  YMM_HIGH.forEach((variable, i) => {
    state.ymmHigh(i).set(machine.v128(variable));
  });
  state.rflags = Number(readRflags(machine));
  state.setSelector('es', machine.readI32(ES));
  state.setSelector('ds', machine.readI32(DS));
  state.setSelector('fs', machine.readI32(FS));
  state.setSelector('gs', machine.readI32(GS));
  state.flat = (machine.readI64(FS_BASE) === 0n ? 1 : 0) | (machine.readI64(GS_BASE) === 0n ? 2 : 0);
  const { fx } = state;
  const top = machine.readI32(FPU_TOP);
  fx.setUint32(FX_MXCSR, machine.readI32(MXCSR) | machine.readI32(MXCSR_STATUS), true);
  fx.setUint16(FX_CONTROL, machine.readI32(FPU_CONTROL), true);
  fx.setUint16(FX_STATUS, machine.readI32(FPU_STATUS) | machine.readI32(FPU_CONDITION) | (top << 11), true);
  fx.setUint8(FX_TAGS, machine.readI32(FPU_TAGS));
  for (let i = 0; i < 8; i++) {
    const st = state.st(i);
    const view = new DataView(st.buffer, st.byteOffset, 10);
    view.setBigInt64(0, machine.readI64(FPU_SIGNIFICAND[(top + i) & 7]), true);
    view.setUint16(8, machine.readI32(FPU_EXPONENT[(top + i) & 7]), true);
  }
  return state;
}
