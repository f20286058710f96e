import { XCR0 } from '../cpuid.ts';
import { decodeOperand } from '../operand-code.ts';
import { type Machine, type Range, type Service, type ServiceEffects, ServiceFault } from '../service.ts';
import { MXCSR, MXCSR_STATUS, RAX, RCX, RDX, XMM, YMM_HIGH } from '../state.ts';
import {
  isX87Initial,
  loadVectors,
  loadX87,
  locations,
  resetX87,
  storeVectors,
  storeX87,
  viewOf,
  X87_LOCATIONS,
} from './fpu-state.ts';
import { setMxcsr } from './mxcsr.ts';

/**
 * xsave, xsaveopt, xsavec, xrstor, xgetbv (SDM volume 1, chapter 13) with the components x87, SSE and AVX. What has its
 * initial contents counts as not in use; processors may keep a component in use longer.
 */
const X87 = 1;
const SSE = 2;
const AVX = 4;

/** Bytes of the area: those of fxsave, the header, the high halves, which also the compacted format has there. */
const MXCSR_AT = 24;
const REGISTERS_AT = 32;
const XMM_AT = 160;
const XMM_SIZE = 256;
const HEADER_AT = 512;
const HIGH_AT = 576;
const HIGH_SIZE = 256;
const COMPACTED = 1 << 31;
const INITIAL_MXCSR = 0x1f80;

const COMPONENTS: readonly (readonly [
  component: number,
  locations: readonly number[],
  ranges: readonly (readonly [at: number, length: number])[],
])[] = [
  [
    X87,
    X87_LOCATIONS,
    [
      [0, MXCSR_AT],
      [REGISTERS_AT, XMM_AT - REGISTERS_AT],
    ],
  ],
  [SSE, locations(XMM), [[XMM_AT, XMM_SIZE]]],
  [AVX, locations(YMM_HIGH), [[HIGH_AT, HIGH_SIZE]]],
];

const isZero = (machine: Machine, variables: readonly number[]): boolean =>
  variables.every((variable) => machine.v128(variable).every((byte) => byte === 0));

const mxcsrOf = (machine: Machine): number => machine.readI32(MXCSR) | machine.readI32(MXCSR_STATUS);

function inUse(machine: Machine): number {
  return (
    (isX87Initial(machine) ? 0 : X87) |
    (isZero(machine, XMM) ? 0 : SSE) |
    (isZero(machine, YMM_HIGH) ? 0 : AVX)
  );
}

/** The components that edx:eax asks for. */
const requested = (machine: Machine): number => Number(BigInt.asUintN(32, machine.readI64(RAX))) & XCR0;

interface Area {
  readonly address: bigint;
  readonly sources: readonly number[];
  range(at: number, length: number): Range;
  read(at: number, length: number): DataView;
  write(at: number, length: number): DataView;
}

function areaOf(machine: Machine, argument: number, size: number, isStored: boolean): Area {
  const { address, sources } = decodeOperand(machine, argument);
  if ((address & 63n) !== 0n) throw new ServiceFault('general-protection');
  // A fault leaves everything as it was, so all is looked at first.
  const access = isStored ? machine.memory.writable : machine.memory.read;
  access.call(machine.memory, address, size);
  return {
    address,
    sources: [...sources, ...locations([RAX, RDX])],
    range: (at, length) => ({ address: Number(address) + at, length }),
    read: (at, length) => viewOf(machine.memory.read(address + BigInt(at), length)),
    write: (at, length) => viewOf(machine.memory.writable(address + BigInt(at), length)),
  };
}

const sizeOf = (components: number): number => ((components & AVX) === 0 ? HIGH_AT : HIGH_AT + HIGH_SIZE);

/** Bytes of a vector register's low or high halves, at a place of a view that holds them all. */
const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function storeComponents(machine: Machine, area: Area, components: number): void {
  if ((components & X87) !== 0) {
    const view = area.write(0, XMM_AT);
    storeX87(machine, view);
  }
  if ((components & SSE) !== 0) storeVectors(machine, XMM, bytesOf(area.write(XMM_AT, XMM_SIZE)));
  if ((components & AVX) !== 0) storeVectors(machine, YMM_HIGH, bytesOf(area.write(HIGH_AT, HIGH_SIZE)));
}

function storeMxcsr(machine: Machine, area: Area): void {
  const view = area.write(MXCSR_AT, 8);
  view.setUint32(0, mxcsrOf(machine), true);
  view.setUint32(4, 0xffff, true);
}

const rangesOf = (area: Area, components: number): Range[] =>
  COMPONENTS.filter(([component]) => (components & component) !== 0).flatMap(([, , ranges]) =>
    ranges.map(([at, length]) => area.range(at, length)),
  );

const locationsOf = (components: number): number[] =>
  COMPONENTS.filter(([component]) => (components & component) !== 0).flatMap(([, known]) => known);

const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** xsave stores what is asked for; xsaveopt leaves out what is not in use. Both keep the header's other bits. */
const saving =
  (isOptimised: boolean): Service =>
  (machine, argument): ServiceEffects => {
    const wanted = requested(machine);
    const area = areaOf(machine, argument, sizeOf(wanted), true);
    const used = inUse(machine) & wanted;
    const stored = isOptimised ? used : wanted;
    storeComponents(machine, area, stored);
    const hasMxcsr = (wanted & (SSE | AVX)) !== 0;
    if (hasMxcsr) storeMxcsr(machine, area);
    const header = area.write(HEADER_AT, 8);
    header.setUint32(0, (header.getUint32(0, true) & ~wanted) | used, true);
    return {
      sources: sorted([...area.sources, ...locationsOf(stored), ...(hasMxcsr ? locations([MXCSR]) : [])]),
      destinations: [],
      loads: [area.range(HEADER_AT, 8)],
      stores: [
        ...rangesOf(area, stored),
        ...(hasMxcsr ? [area.range(MXCSR_AT, 8)] : []),
        area.range(HEADER_AT, 8),
      ],
    };
  };

/** xsavec: only what is in use, and a header that does not depend on what was there. MXCSR belongs to SSE. */
const savingCompacted: Service = (machine, argument): ServiceEffects => {
  const wanted = requested(machine);
  const area = areaOf(machine, argument, sizeOf(wanted), true);
  const control = mxcsrOf(machine) === INITIAL_MXCSR ? 0 : SSE;
  const used = (inUse(machine) | control) & wanted;
  storeComponents(machine, area, used);
  const hasMxcsr = (used & SSE) !== 0;
  if (hasMxcsr) storeMxcsr(machine, area);
  const header = area.write(HEADER_AT, 16);
  header.setUint32(0, used, true);
  header.setUint32(4, 0, true);
  header.setUint32(8, wanted, true);
  header.setUint32(12, COMPACTED, true);
  return {
    sources: sorted([...area.sources, ...locationsOf(used), ...(wanted & SSE ? locations([MXCSR]) : [])]),
    destinations: [],
    loads: [],
    stores: [
      ...rangesOf(area, used),
      ...(hasMxcsr ? [area.range(MXCSR_AT, 8)] : []),
      area.range(HEADER_AT, 16),
    ],
  };
};

/** xrstor, of either format: what the header does not have becomes initial. */
const restoring: Service = (machine, argument): ServiceEffects => {
  const wanted = requested(machine);
  const area = areaOf(machine, argument, HIGH_AT, false);
  const header = area.read(HEADER_AT, 64);
  const present = header.getUint32(0, true);
  const isCompacted = (header.getInt32(12, true) & COMPACTED) !== 0;
  checkHeader(header, present, isCompacted);
  const loaded = wanted & present;
  const hasMxcsr = isCompacted ? (loaded & SSE) !== 0 : (wanted & (SSE | AVX)) !== 0;
  const mxcsr = hasMxcsr ? area.read(MXCSR_AT, 4).getUint32(0, true) : INITIAL_MXCSR;
  if ((loaded & AVX) !== 0) area.read(HIGH_AT, HIGH_SIZE);
  const changesMxcsr = hasMxcsr || (isCompacted && (wanted & SSE) !== 0);
  if (changesMxcsr) setMxcsr(machine, mxcsr);
  if ((loaded & X87) !== 0) loadX87(machine, area.read(0, XMM_AT));
  else if ((wanted & X87) !== 0) resetX87(machine);
  restoreVectors(machine, area, XMM, [wanted & SSE, loaded & SSE], XMM_AT);
  restoreVectors(machine, area, YMM_HIGH, [wanted & AVX, loaded & AVX], HIGH_AT);
  return {
    sources: sorted(area.sources),
    destinations: sorted([...locationsOf(wanted), ...(changesMxcsr ? locations([MXCSR]) : [])]),
    loads: [
      ...rangesOf(area, loaded),
      ...(hasMxcsr ? [area.range(MXCSR_AT, 4)] : []),
      area.range(HEADER_AT, 64),
    ],
    stores: [],
  };
};

function checkHeader(header: DataView, present: number, isCompacted: boolean): void {
  const format = header.getUint32(8, true);
  const isKnown = (present & ~XCR0) === 0 && header.getUint32(4, true) === 0;
  const isFormat = isCompacted
    ? header.getInt32(12, true) === COMPACTED && (format & ~XCR0) === 0 && (present & ~format) === 0
    : format === 0 && header.getUint32(12, true) === 0;
  const rest = Array.from({ length: 48 }, (_, i) => header.getUint8(16 + i));
  if (!isKnown || !isFormat || rest.some((byte) => byte !== 0)) throw new ServiceFault('general-protection');
}

function restoreVectors(
  machine: Machine,
  area: Area,
  variables: readonly number[],
  [wanted, loaded]: readonly [number, number],
  at: number,
): void {
  if (loaded !== 0) loadVectors(machine, variables, bytesOf(area.read(at, 256)));
  else if (wanted !== 0) loadVectors(machine, variables, new Uint8Array(256));
}

/** xgetbv: register 0 is what is enabled, 1 what of it is in use. */
const getExtendedControl: Service = (machine): ServiceEffects => {
  const register = Number(BigInt.asUintN(32, machine.readI64(RCX)));
  if (register > 1) throw new ServiceFault('general-protection');
  machine.writeI64(RAX, BigInt(register === 0 ? XCR0 : XCR0 & inUse(machine)));
  machine.writeI64(RDX, 0n);
  return { sources: locations([RCX]), destinations: locations([RAX, RDX]), loads: [], stores: [] };
};

export const XSAVE_SERVICES: readonly (readonly [string, Service])[] = [
  ['xsave', saving(false)],
  ['xsaveopt', saving(true)],
  ['xsavec', savingCompacted],
  ['xrstor', restoring],
  ['xgetbv', getExtendedControl],
];
