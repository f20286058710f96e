import { kindOf } from '../float/extended.ts';
import { X87Unmasked } from '../float/helpers.ts';
import { decodeOperand } from '../operand-code.ts';
import { type Machine, type Place, type Service, type ServiceEffects, ServiceFault } from '../service.ts';
import {
  FPU_CONDITION,
  FPU_CONTROL,
  FPU_EXPONENT,
  FPU_SIGNIFICAND,
  FPU_STATUS,
  FPU_TAGS,
  FPU_TOP,
  MXCSR,
  MXCSR_STATUS,
  VARIABLES,
  XMM,
} from '../state.ts';
import { setMxcsr } from './mxcsr.ts';

/**
 * fnstenv, fldenv, fnsave, frstor, fxsave, fxrstor (SDM volume 1, 8.1.10 and 10.5). Pointers to the last instruction and
 * its operand are not kept: they are stored as 0.
 */
const INITIAL_CONTROL = 0x37f;
const EXCEPTIONS = 0x7f;
const CONDITIONS = 0x4700;
/** Of the control word: exceptions are masked. */
const ALL_MASKS = 0x3f;
/** Error summary and busy. */
const SUMMARY = 0x8080;
/** Of the environment's seven words, by the operand size; the registers follow in 80 bytes. */
type Stride = 2 | 4;
const environmentSize = (stride: Stride): number => 7 * stride;
const REGISTERS_SIZE = 80;
/** What fxsave writes: the last 96 of its 512 bytes are the program's. */
const FXSAVE_SIZE = 416;
const FXSAVE_ALIGNMENT = 16;
export const FX_MXCSR = 24;
export const FX_REGISTERS = 32;
export const FX_XMM = 160;

export const locations = (variables: readonly number[]): number[] =>
  variables.flatMap((variable) => VARIABLES[variable].location ?? []);

const ENVIRONMENT = locations([FPU_CONTROL, FPU_CONDITION]);
const SLOTS = locations(FPU_SIGNIFICAND);
export const X87_LOCATIONS: readonly number[] = [...ENVIRONMENT, ...SLOTS];
export const FX_STATE: readonly number[] = [
  ...ENVIRONMENT,
  ...SLOTS,
  ...locations([MXCSR]),
  ...locations(XMM),
];

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function statusWord(machine: Machine): number {
  return machine.readI32(FPU_STATUS) | machine.readI32(FPU_CONDITION) | (machine.readI32(FPU_TOP) << 11);
}

/** Sets the sticky exceptions, and the summary of those that are not masked. */
export function setExceptions(machine: Machine, status: number): void {
  const unmasked = status & ~machine.readI32(FPU_CONTROL) & ALL_MASKS;
  machine.writeI32(FPU_STATUS, (status & EXCEPTIONS) | (unmasked === 0 ? 0 : SUMMARY));
}

/** The control word must be set before: it tells which exceptions are pending. */
function setStatusWord(machine: Machine, status: number): void {
  setExceptions(machine, status);
  machine.writeI32(FPU_CONDITION, status & CONDITIONS);
  machine.writeI32(FPU_TOP, (status >> 11) & 7);
}

/** Two bits a slot: 0 valid, 1 zero, 2 special, 3 empty. */
function tagWord(machine: Machine): number {
  const present = machine.readI32(FPU_TAGS);
  let tags = 0;
  for (let i = 0; i < 8; i++) tags |= (((present >> i) & 1) === 0 ? 3 : contentTag(machine, i)) << (2 * i);
  return tags;
}

function contentTag(machine: Machine, slot: number): number {
  const significand = BigInt.asUintN(64, machine.readI64(FPU_SIGNIFICAND[slot]));
  const kind = kindOf({ significand, head: machine.readI32(FPU_EXPONENT[slot]) });
  return kind === 'normal' ? 0 : kind === 'zero' ? 1 : 2;
}

/** Seven words: control, status, tags, and pointers. In 4 bytes those that have 2 have ones above them. */
function storeEnvironment(machine: Machine, { data, at }: Place, stride: Stride): void {
  const put = (i: number, word: number) => {
    if (stride === 2) data.setUint16(at + 2 * i, word, true);
    else data.setUint32(at + 4 * i, word | (i < 3 || i === 6 ? 0xffff_0000 : 0), true);
  };
  put(0, machine.readI32(FPU_CONTROL));
  put(1, statusWord(machine));
  put(2, tagWord(machine));
  for (let i = 3; i < 7; i++) put(i, 0);
}

function loadControl(machine: Machine, word: number): void {
  if ((word & ALL_MASKS) !== ALL_MASKS && machine.signalsX87 === false) throw new X87Unmasked();
  machine.writeI32(FPU_CONTROL, (word & 0x1f3f) | 0x40);
}

function loadEnvironment(machine: Machine, { data, at }: Place, stride: Stride): void {
  loadControl(machine, data.getUint16(at, true));
  setStatusWord(machine, data.getUint16(at + stride, true));
  const tags = data.getUint16(at + 2 * stride, true);
  let present = 0;
  for (let i = 0; i < 8; i++) if (((tags >> (2 * i)) & 3) !== 3) present |= 1 << i;
  machine.writeI32(FPU_TAGS, present);
}

/** The registers in stack order, `stride` bytes apart. */
function storeRegisters(machine: Machine, view: DataView, at: number, stride: 10 | 16): void {
  const top = machine.readI32(FPU_TOP);
  for (let i = 0; i < 8; i++) {
    view.setBigInt64(at + stride * i, machine.readI64(FPU_SIGNIFICAND[(top + i) & 7]), true);
    view.setUint16(at + stride * i + 8, machine.readI32(FPU_EXPONENT[(top + i) & 7]), true);
  }
}

function loadRegisters(machine: Machine, view: DataView, at: number, stride: 10 | 16): void {
  const top = machine.readI32(FPU_TOP);
  for (let i = 0; i < 8; i++) {
    machine.writeI64(FPU_SIGNIFICAND[(top + i) & 7], view.getBigInt64(at + stride * i, true));
    machine.writeI32(FPU_EXPONENT[(top + i) & 7], view.getUint16(at + stride * i + 8, true));
  }
}

function initialise(machine: Machine): void {
  machine.writeI32(FPU_CONTROL, INITIAL_CONTROL);
  setStatusWord(machine, 0);
  machine.writeI32(FPU_TAGS, 0);
}

function checkAlignment(address: bigint, alignment: number): void {
  if (address % BigInt(alignment) !== 0n) throw new ServiceFault('general-protection');
}

/** A service that stores `length` bytes made from `sources`, and changes `destinations`. */
function storing(
  length: number,
  sources: readonly number[],
  destinations: readonly number[],
  run: (machine: Machine, place: Place) => void,
  alignment = 1,
): Service {
  const known = new Map<readonly number[], readonly number[]>();
  const withOperand = (ofOperand: readonly number[]): readonly number[] => {
    const all = known.get(ofOperand) ?? [...ofOperand, ...sources];
    known.set(ofOperand, all);
    return all;
  };
  return (machine, argument): ServiceEffects => {
    const operand = decodeOperand(machine, argument);
    checkAlignment(operand.address, alignment);
    run(machine, machine.memory.placeToWrite(operand.address, length));
    const stores = [{ address: Number(operand.address), length }];
    return { sources: withOperand(operand.sources), destinations, loads: [], stores };
  };
}

function loading(
  length: number,
  destinations: readonly number[],
  run: (machine: Machine, place: Place) => void,
  alignment = 1,
): Service {
  return (machine, argument): ServiceEffects => {
    const operand = decodeOperand(machine, argument);
    checkAlignment(operand.address, alignment);
    run(machine, machine.memory.placeToRead(operand.address, length));
    const loads = [{ address: Number(operand.address), length }];
    return { sources: operand.sources, destinations, loads, stores: [] };
  };
}

/** Masks all exceptions after storing: the control word is a destination. */
const storeEnvironmentService = (stride: Stride): Service =>
  storing(environmentSize(stride), ENVIRONMENT, locations([FPU_CONTROL]), (machine, place) => {
    storeEnvironment(machine, place, stride);
    machine.writeI32(FPU_CONTROL, machine.readI32(FPU_CONTROL) | ALL_MASKS);
    setExceptions(machine, machine.readI32(FPU_STATUS));
  });

const loadEnvironmentService = (stride: Stride): Service =>
  loading(environmentSize(stride), ENVIRONMENT, (machine, place) => loadEnvironment(machine, place, stride));

const save = (stride: Stride): Service =>
  storing(
    environmentSize(stride) + REGISTERS_SIZE,
    [...ENVIRONMENT, ...SLOTS],
    ENVIRONMENT,
    (machine, place) => {
      storeEnvironment(machine, place, stride);
      storeRegisters(machine, place.data, place.at + environmentSize(stride), 10);
      initialise(machine);
    },
  );

const restore = (stride: Stride): Service =>
  loading(environmentSize(stride) + REGISTERS_SIZE, [...ENVIRONMENT, ...SLOTS], (machine, place) => {
    loadEnvironment(machine, place, stride);
    loadRegisters(machine, place.data, place.at + environmentSize(stride), 10);
  });

/** The x87's part of fxsave's and xsave's area: bytes 0 to 23 and 32 to 159. */
export function storeX87(machine: Machine, view: DataView): void {
  for (let i = 4; i < FX_MXCSR; i += 4) view.setUint32(i, 0, true);
  for (let i = FX_REGISTERS; i < FX_XMM; i += 4) view.setUint32(i, 0, true);
  view.setUint16(0, machine.readI32(FPU_CONTROL), true);
  view.setUint16(2, statusWord(machine), true);
  view.setUint8(4, machine.readI32(FPU_TAGS));
  storeRegisters(machine, view, FX_REGISTERS, 16);
}

export function loadX87(machine: Machine, view: DataView): void {
  loadControl(machine, view.getUint16(0, true));
  setStatusWord(machine, view.getUint16(2, true));
  machine.writeI32(FPU_TAGS, view.getUint8(4));
  loadRegisters(machine, view, FX_REGISTERS, 16);
}

/** As after fninit, with zeros in the registers. */
export function resetX87(machine: Machine): void {
  initialise(machine);
  for (const slot of FPU_SIGNIFICAND) machine.writeI64(slot, 0n);
  for (const slot of FPU_EXPONENT) machine.writeI32(slot, 0);
}

export function isX87Initial(machine: Machine): boolean {
  return (
    machine.readI32(FPU_CONTROL) === INITIAL_CONTROL &&
    statusWord(machine) === 0 &&
    machine.readI32(FPU_TAGS) === 0 &&
    FPU_SIGNIFICAND.every((slot) => machine.readI64(slot) === 0n) &&
    FPU_EXPONENT.every((slot) => machine.readI32(slot) === 0)
  );
}

/** Sixteen registers, or halves of registers, one after the other. */
export function storeVectors(machine: Machine, variables: readonly number[], bytes: Uint8Array): void {
  variables.forEach((variable, i) => {
    bytes.set(machine.v128(variable), 16 * i);
  });
}

export function loadVectors(machine: Machine, variables: readonly number[], bytes: Uint8Array): void {
  variables.forEach((variable, i) => {
    machine.v128(variable).set(bytes.subarray(16 * i, 16 * i + 16));
  });
}

const vectorsIn = (view: DataView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + FX_XMM, FXSAVE_SIZE - FX_XMM);

export function storeExtended(machine: Machine, view: DataView): void {
  storeX87(machine, view);
  view.setUint32(FX_MXCSR, machine.readI32(MXCSR) | machine.readI32(MXCSR_STATUS), true);
  view.setUint32(FX_MXCSR + 4, 0xffff, true);
  storeVectors(machine, XMM, vectorsIn(view));
}

export function loadExtended(machine: Machine, view: DataView): void {
  setMxcsr(machine, view.getUint32(FX_MXCSR, true));
  loadX87(machine, view);
  loadVectors(machine, XMM, vectorsIn(view));
}

const inArea =
  (run: (machine: Machine, view: DataView) => void) =>
  (machine: Machine, { data, at }: Place): void =>
    run(machine, new DataView(data.buffer, data.byteOffset + at, FXSAVE_SIZE));

export const FPU_STATE_SERVICES: readonly (readonly [string, Service])[] = [
  ['fnstenv', storeEnvironmentService(4)],
  ['fldenv', loadEnvironmentService(4)],
  ['fnsave', save(4)],
  ['frstor', restore(4)],
  ['fnstenv of 2-byte words', storeEnvironmentService(2)],
  ['fldenv of 2-byte words', loadEnvironmentService(2)],
  ['fnsave of 2-byte words', save(2)],
  ['frstor of 2-byte words', restore(2)],
  ['fxsave', storing(FXSAVE_SIZE, FX_STATE, [], inArea(storeExtended), FXSAVE_ALIGNMENT)],
  ['fxrstor', loading(FXSAVE_SIZE, FX_STATE, inArea(loadExtended), FXSAVE_ALIGNMENT)],
];
