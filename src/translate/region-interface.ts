import { FUEL, MAXIMUM, stepOffset, valueOffset } from '../guest/layout.ts';
import type { Fault } from '../ir/node.ts';
import type { Signature, ValueType } from '../wasm/function.ts';
import type { CodeBytes } from '../x86/decode.ts';
import { locationOf, RSP } from '../x86/state.ts';
import type { CachePlace } from './cached-lookup.ts';
import type { Probes } from './counts/probes.ts';
import type { Tally } from './counts/tally.ts';
import type { Instruments } from './instruments.ts';
import type { SupportFunctions, UnalignedInLine } from './steps/measure.ts';

/** What a region's code calls and refers to, as indices of the module being built. */
export interface RegionImports extends SupportFunctions {
  /** Type index of `REGION_TYPE`. */
  readonly regionType: number;
  /** (address i64) -> slot: finds or makes the region at an address. */
  readonly lookup: number;
  /** (place i32) -> slot: the region at a place for the x87 top now in the state. */
  readonly variant: number;
  /** (target i64, carried...) -> rsp's step, the maximum: a call is about to enter the target and may open a context. */
  readonly openByCall: number;
  /** (place of the jump i32, target i64): a jump leaves the region. */
  readonly openByJump: number;
  /** (place i32): a function that opens contexts wherever it is entered begins. */
  readonly enterHooked: number;
  /** (next i64, carried...) -> what a region gives back: rsp rose above the innermost context's return slot. */
  readonly close: number;
  /** (rsp before i64): rsp was set, and may be on another stack; state that regions carry is in memory. */
  readonly setStack: number;
  /** Of calls in line: see contexts/leaves.ts. */
  readonly countLeaves: number;
  readonly isLinking: number;
  readonly leafLane: number;
  readonly pushLeaf: number;
  /** The steps of registers in the state area rise to the floor. */
  readonly raiseSteps: number;
  /** `storeStep` in a call in line, whose context has no frame. */
  readonly storeStepInside: number;
  /** (carried..., slot i32) -> whether the region in the slot must leave: the slice is over, and FUEL holds the next one's if it may stay. */
  readonly endSlice: number;
  /** (slot i32, place of the jump i32, target i64): an indirect jump in the slot's region went where the region has no block for it. */
  readonly noteJump: number;
  readonly noteCall: number;
  /** (slot i32, place i32): the slot's region left for a block that was not warm when it was translated. */
  readonly noteExit: number;
  /** (site i32): runs the instruction of a service site. */
  readonly service: number;
  /** (fault i32, place i32): never returns. */
  readonly raise: number;
  /** (address i64, size i32): faults unless so many bytes may be written. */
  readonly checkStore: number;
  /** (place of the jump i32, target i64): an indirect jump goes to its target. Only where there is a tally. */
  readonly countJump: number;
  /** A probe stops control: no fuel is left from now on. Only where there are probes. */
  readonly probed: number;
  readonly helpers: ReadonlyMap<string, number>;
}

/** What accesses to memory call in a call in line. */
export const functionsInCall = ({ loadStep, storeStepInside }: RegionImports): SupportFunctions => ({
  loadStep,
  storeStep: storeStepInside,
});

/** What the emitter asks the code cache. */
export interface RegionEnvironment {
  readonly instruments: Instruments;
  readonly code: CodeBytes;
  /** Whether what nobody reads before it is overwritten is kept all the same. */
  readonly keepsDeadState: boolean;
  /** Whether the region's code can be written: it is left where any code has changed. */
  readonly isVolatile: boolean;
  /** In loops and lines of blocks state stays in locals; for tests, else through memory from block to block. */
  readonly keepsLocals: boolean;
  /** Whether accesses at constant distances are checked together. */
  readonly groupsAccesses: boolean;
  /** Counts executions, when somebody asks. */
  readonly tally: Tally | undefined;
  /** Where control is to stop. */
  readonly probes: Probes | undefined;
  /** What stands for an address of code in 32 bits. */
  placeOf(address: number): number;
  /** Table slot of the region at an address, reserved when it does not exist yet. */
  slotOf(address: number): number;
  isHooked(address: number): boolean;
  /** Whether it is worth knowing where the indirect jump at the address goes: not if it enters functions, as a linkage stub's does. */
  learns(from: number): boolean;
  /** Whether control came to the address often enough for it to be part of the slot's region. */
  isWarm(address: number, slot: number): boolean;
  /** Of the slot's region, which has so many instructions. */
  unalignedInLine(slot: number, instructions: number): UnalignedInLine;
  /** Whether far pages are looked up in line. */
  readonly farInLine: boolean;
  /** Whether all loads of bytes in the slot's region ask whether their page is quiet. */
  asksForBytes(slot: number): boolean;
  /** Fused multiplications and additions are the host's own. */
  readonly fuses: boolean;
  /** Table slots of the regions at addresses to which indirect jumps and calls went. */
  readonly jumpTargets: CachePlace;
  /** Makes the table of a region's jump targets. */
  jumpTable(targets: readonly number[]): JumpTable;
  siteNumber(site: ServiceSite): number;
  /** Number under which `raise` finds an unsupported instruction's text. */
  unsupportedNumber(text: string): number;
}

/** In memory at `at`: for each address from `start` on its target's number, counted from 1, or 0; 2 bytes each. */
export interface JumpTable {
  readonly at: number;
  readonly start: number;
  readonly length: number;
}

/** An instruction that runs as a service. */
export interface ServiceSite {
  readonly service: string;
  readonly argument: number;
  readonly address: number;
  readonly next: number;
}

/** Faults by number for `raise`; unsupported instructions are numbered from UNSUPPORTED on. */
export const FAULTS: readonly Fault[] = [
  'divide-error',
  'invalid-opcode',
  'general-protection',
  'breakpoint',
  'float-invalid',
  'float-divide-by-zero',
  'float-overflow',
  'float-underflow',
  'float-inexact',
  'debug',
  'overflow',
];
export const UNSUPPORTED = 16;

/** What regions carry, in their parameters' order, and where it lies in the state area: rsp, instructions left, rsp's step, the maximum. */
export const CARRIED_CELLS: readonly (readonly [type: ValueType, offset: number])[] = [
  ['i64', valueOffset(RSP)],
  ['i64', FUEL],
  ['v128', stepOffset(locationOf(RSP))],
  ['v128', MAXIMUM],
];

/** Of every region: what it carries; the next address, and that. */
const carried = CARRIED_CELLS.map(([type]) => type);
export const REGION_TYPE: Signature = { params: carried, results: ['i64', ...carried] };

/** Of what opens contexts for a region: the target, what the region carries; what changes of that. */
export const OPEN_TYPE: Signature = { params: REGION_TYPE.results, results: ['v128', 'v128'] };

/** Of what puts the frame of a call in line on the stack: see contexts/leaves.ts. */
export const PUSH_LEAF_TYPE: Signature = { params: ['i32', 'i64', 'i64'], results: ['i32'] };

/** Of what ends a slice for a region: what the region carries and its slot. */
export const END_SLICE_TYPE: Signature = { params: [...carried, 'i32'], results: ['i32'] };

/** Of what closes contexts for a region: what the region is about to give back, and gives back then. */
export const CLOSE_TYPE: Signature = { params: REGION_TYPE.results, results: REGION_TYPE.results };
