import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import type { CodeBytes } from '../../x86/decode.ts';
import { type CodePlaces, pushPlaceOf } from '../code-places.ts';
import type { Edge, Region, RegionBlock } from '../regions/region.ts';
import { FlowCounts } from './flow-counts.ts';

/** Gives memory that stays as long as the code does. */
interface CellSpace {
  take(bytes: number): number;
}

/** Cells of 8 bytes, all 0: an offset in memory. */
export function takeCells(memory: ArrayBuffer, space: CellSpace, count: number): number {
  const at = (space.take(8 * count + 4) + 7) & ~7;
  new Uint8Array(memory, at, 8 * count).fill(0);
  return at;
}

/** Some instructions in a row that were executed as often as each other. */
export interface TalliedCode {
  readonly address: number;
  /** Its bytes, as they were when it was translated, are some of these, as long as the tally is there... */
  readonly bytes: Uint8Array;
  readonly bytesAt: number;
  /** ...and its instructions' lengths some of these. */
  readonly lengths: Uint8Array;
  readonly lengthsAt: number;
  readonly instructions: number;
  readonly executions: number;
  /** How often the last one, a conditional branch, was taken. */
  readonly taken?: number;
}

/** An indirect jump that went to an address. */
export interface TalliedJump {
  readonly from: number;
  readonly target: number;
  readonly executions: number;
}

/** A block that the interpreter counts. */
export interface InterpretedBlock {
  readonly address: number;
  readonly lengths: Uint8Array;
  /** Where its bytes are kept, how often it was entered, and how often its branch was taken: offsets in memory. */
  readonly copy: number;
  readonly entries: number;
  readonly taken: number | undefined;
  /** Set by the tally. */
  serial: number;
}

/** Counters of one who takes turns with others. */
export interface TallyState {
  readonly cells: Uint32Array;
  readonly jumps: Map<number, Map<number, number>>;
}

/** Some counters in a row, in words of 4 bytes. */
interface CellRange {
  readonly first: number;
  readonly words: number;
}

/** Pairs of an indirect jump and its target that are counted in memory; what does not fit goes to a map. */
const JUMP_BITS = 12;
const JUMP_ENTRY = 16;
/** So many words are copied one by one: a view of them would cost more. */
const FEW_WORDS = 16;

/**
 * Counts how often each instruction is executed, inside the generated code of one code space that is asked for it. The
 * counters lie where the interpreter's records are: they are needed as long.
 */
export class Tally {
  private readonly memory: ArrayBuffer;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly space: CellSpace;
  private readonly places: CodePlaces;
  private readonly regions: RegionTally[] = [];
  private readonly ofSlot = new Map<number, RegionTally>();
  /** By where their entries are counted. */
  private readonly blocks = new Map<number, InterpretedBlock>();
  private jumps = new Map<number, Map<number, number>>();
  /** All counters, in the order in which they came to be. */
  private readonly ranges: CellRange[] = [];
  /** Where the counted pairs are. */
  private readonly jumpsAt: number;
  private serial = 0;
  private isOver = false;

  constructor(memory: ArrayBuffer, space: CellSpace, places: CodePlaces) {
    this.memory = memory;
    this.places = places;
    this.view = new DataView(memory);
    this.bytes = new Uint8Array(memory);
    this.space = space;
    this.jumpsAt = this.takeCells((JUMP_ENTRY / 8) << JUMP_BITS);
  }

  private takeCells(count: number): number {
    const at = takeCells(this.memory, this.space, count);
    this.note(at, count);
    return at;
  }

  private note(at: number, count: number): void {
    if (!this.isOver) this.ranges.push({ first: at >> 2, words: 2 * count });
  }

  private cell(at: number): number {
    return Number(this.view.getBigUint64(at, true));
  }

  // --- the interpreter

  interpret(block: InterpretedBlock): void {
    block.serial = ++this.serial;
    if (this.isOver) return;
    this.blocks.set(block.entries, block);
    this.note(block.entries, 1);
    if (block.taken !== undefined) this.note(block.taken, 1);
  }

  /** The block whose entries are counted there is current again. */
  interpretAgain(entries: number): void {
    const block = this.blocks.get(entries);
    if (block !== undefined) block.serial = ++this.serial;
  }

  // --- regions

  region(region: Region, code: CodeBytes, isVolatile: boolean): RegionTally {
    const flow = new FlowCounts(region, isVolatile);
    const tally = new RegionTally(flow, this.takeCells(flow.counters), ++this.serial);
    if (this.isOver) return tally;
    tally.keep(region, code);
    this.regions.push(tally);
    return tally;
  }

  /** The region made last is in these slots. */
  install(slots: readonly number[]): void {
    if (!this.isOver) for (const slot of slots) this.ofSlot.set(slot, this.regions[this.regions.length - 1]);
  }

  restore(slot: number): void {
    const region = this.ofSlot.get(slot);
    if (region !== undefined) region.serial = ++this.serial;
  }

  // --- indirect jumps

  /** Makes (place of the jump i32, target i64): an indirect jump goes to its target. */
  buildCountJump(
    importSpace: (module: ModuleBuilder) => void,
    env: WebAssembly.ModuleImports,
  ): WebAssembly.ExportValue {
    const module = new ModuleBuilder();
    importSpace(module);
    const missed = module.importFunction('env', 'missedJump', { params: ['i32', 'i32', 'i32'], results: [] });
    const placeOf = module.importFunction('env', 'placeOf', { params: ['i64'], results: ['i32'] });
    module.export('countJump', this.defineCountJump(module, missed, placeOf));
    const imports = { env: { ...env, missedJump: this.missedJump } };
    return new WebAssembly.Instance(new WebAssembly.Module(module.build(true)), imports).exports.countJump;
  }

  /** `missed` takes both places, and the place of the pair that is counted there. */
  private defineCountJump(module: ModuleBuilder, missed: number, placeOf: number): number {
    const f = new FunctionBuilder({ params: ['i32', 'i64'], results: [] });
    const entry = f.local('i32');
    const target = f.local('i32');
    pushPlaceOf(f, 1, { placeOf });
    f.tee(target);
    f.get(0);
    f.i32(13);
    f.op('i32.rotl');
    f.op('i32.xor');
    f.i32(0x9e37_79b1 | 0);
    f.op('i32.mul');
    f.i32(32 - JUMP_BITS);
    f.op('i32.shr_u');
    f.i32(4);
    f.op('i32.shl');
    f.tee(entry);
    f.memory('i32.load', this.jumpsAt);
    f.get(0);
    f.op('i32.eq');
    f.get(entry);
    f.memory('i32.load', this.jumpsAt + 4);
    f.get(target);
    f.op('i32.eq');
    f.op('i32.and');
    f.if(undefined, 'likely');
    f.get(entry);
    f.get(entry);
    f.memory('i64.load', this.jumpsAt + 8);
    f.i64(1n);
    f.op('i64.add');
    f.memory('i64.store', this.jumpsAt + 8);
    f.else();
    f.get(0);
    f.get(target);
    f.get(entry);
    f.call(missed);
    f.end();
    return module.define(f);
  }

  /** Another pair takes the place of the one that is counted there. */
  private readonly missedJump = (from: number, target: number, entry: number): void => {
    const at = this.jumpsAt + (entry >>> 0);
    this.takeJump(at);
    this.view.setInt32(at, from, true);
    this.view.setInt32(at + 4, target, true);
    this.view.setBigInt64(at + 8, 1n, true);
  };

  private takeJump(at: number): void {
    const count = this.cell(at + 8);
    const addressAt = (place: number) => this.places.addressOf(this.view.getInt32(place, true));
    if (count > 0) this.addJump(addressAt(at), addressAt(at + 4), count);
    this.view.setBigInt64(at + 8, 0n, true);
  }

  private addJump(from: number, target: number, count: number): void {
    const targets = this.jumps.get(from) ?? new Map<number, number>();
    this.jumps.set(from, targets);
    targets.set(target, (targets.get(target) ?? 0) + count);
  }

  // --- turns

  /** What was counted so far, to be resumed some time; what is in memory is to be overwritten. No region is being executed. */
  park(): TallyState {
    const memory = new Uint32Array(this.memory);
    const cells = new Uint32Array(this.ranges.reduce((sum, { words }) => sum + words, 0));
    let to = 0;
    for (const { first, words } of this.ranges) {
      if (words > FEW_WORDS) cells.set(memory.subarray(first, first + words), to);
      else for (let i = 0; i < words; i++) cells[to + i] = memory[first + i];
      to += words;
    }
    const { jumps } = this;
    this.jumps = new Map();
    return { cells, jumps };
  }

  /** Goes on counting from there; without a state from 0. */
  resume(state: TallyState | undefined): void {
    const memory = new Uint32Array(this.memory);
    const cells = state?.cells ?? new Uint32Array(0);
    let from = 0;
    for (const { first, words } of this.ranges) {
      // Counters that are younger than the state begin with 0, too.
      if (from >= cells.length) memory.fill(0, first, first + words);
      else if (words > FEW_WORDS) memory.set(cells.subarray(from, from + words), first);
      else for (let i = 0; i < words; i++) memory[first + i] = cells[from + i];
      from += words;
    }
    this.jumps = state?.jumps ?? new Map();
  }

  /** Nobody will ask any more, though there is still code that counts. */
  close(): void {
    this.isOver = true;
    this.regions.length = 0;
    this.ofSlot.clear();
    this.blocks.clear();
    this.ranges.length = 0;
    this.jumps.clear();
  }

  // --- what was counted

  /** What was translated later comes later. */
  *code(): Iterable<TalliedCode> {
    const all = [...this.blocks.values(), ...this.regions].sort((a, b) => a.serial - b.serial);
    for (const one of all)
      if (one instanceof RegionTally) yield* one.code((at) => this.cell(at));
      else {
        const { address, lengths, copy, entries, taken } = one;
        const executions = this.cell(entries);
        if (executions === 0) continue;
        yield {
          address,
          bytes: this.bytes,
          bytesAt: copy,
          lengths,
          lengthsAt: 0,
          instructions: lengths.length,
          executions,
          ...(taken !== undefined && { taken: this.cell(taken) }),
        };
      }
  }

  *indirectJumps(): Iterable<TalliedJump> {
    for (let i = 0; i < 1 << JUMP_BITS; i++) this.takeJump(this.jumpsAt + JUMP_ENTRY * i);
    for (const region of this.regions)
      for (const { from, target, executions } of region.jumps((at) => this.cell(at)))
        this.addJump(from, target, executions);
    for (const [from, targets] of this.jumps)
      for (const [target, executions] of targets) yield { from, target, executions };
  }
}

/** A block of a region. */
interface Piece {
  readonly index: number;
  readonly address: number;
  /** Where its bytes and its instructions' lengths are among the region's. */
  readonly bytesAt: number;
  readonly lengthsAt: number;
  readonly isBranch: boolean;
}

/** The counters of one region. */
export class RegionTally {
  /** Whether jumps to the dispatching block are counted with their targets before they come there. */
  readonly countsJumpsFirst: boolean;
  serial: number;
  private readonly flow: FlowCounts;
  private pieces: readonly Piece[] = [];
  private bytes = new Uint8Array(0);
  private lengths = new Uint8Array(0);
  /** The dispatching block. */
  private table: { readonly index: number; readonly targets: readonly number[] } | undefined;
  private readonly at: number;
  /** The local that tells which jump came to the dispatching block: where its counters are. */
  private row: number | undefined;

  constructor(flow: FlowCounts, at: number, serial: number) {
    this.flow = flow;
    this.at = at;
    this.serial = serial;
    this.countsJumpsFirst = flow.routed.length > 1 && !flow.countsPairs;
  }

  private count(f: FunctionBuilder, counter: number | undefined): void {
    if (counter === undefined) return;
    const place = this.at + 8 * counter;
    f.i32(0);
    f.i32(0);
    f.memory('i64.load', place);
    f.i64(1n);
    f.op('i64.add');
    f.memory('i64.store', place);
  }

  /** These emit what counts a way, if it has a counter. */
  enter(f: FunctionBuilder): void {
    this.count(f, this.flow.enter);
  }

  leave(f: FunctionBuilder, index: number): void {
    this.count(f, this.flow.leave(index));
  }

  out(f: FunctionBuilder, { index }: RegionBlock): void {
    this.count(f, this.flow.out(index));
  }

  along(f: FunctionBuilder, block: RegionBlock, edge: Edge): void {
    const counter = this.flow.along(block, edge);
    if (block.targets === undefined || !this.flow.countsPairs) return this.count(f, counter);
    const row = this.rowLocal(f);
    f.get(row);
    f.get(row);
    f.memory('i64.load', 8 * counter!);
    f.i64(1n);
    f.op('i64.add');
    f.memory('i64.store', 8 * counter!);
  }

  /** Before an indirect jump goes to the dispatching block. */
  route(f: FunctionBuilder, from: number): void {
    if (!this.flow.countsPairs) return;
    f.i32(this.rowAt(this.flow.routed.indexOf(from)));
    f.set(this.rowLocal(f));
  }

  private rowLocal(f: FunctionBuilder): number {
    this.row ??= f.local('i32');
    return this.row;
  }

  /** What is needed of the region later, in few objects. */
  keep({ blocks }: Region, code: CodeBytes): void {
    const table = blocks.find(({ targets }) => targets !== undefined);
    this.table = table && { index: table.index, targets: table.targets! };
    const pieces: Piece[] = [];
    const lengths: number[] = [];
    const bytes: number[] = [];
    for (const { index, lifted, targets, gate } of blocks) {
      const { address, end, instructions, terminator } = lifted;
      if (targets !== undefined || gate !== undefined) continue;
      const piece = { index, address, bytesAt: bytes.length, lengthsAt: lengths.length };
      let next = address;
      for (const { length } of instructions) {
        lengths.push(length);
        next += length;
      }
      if (terminator.kind === 'service') lengths.push(end - next);
      if (lengths.length === piece.lengthsAt) continue;
      bytes.push(...code.bytes(address, end - address));
      pieces.push({ ...piece, isBranch: terminator.kind === 'branch' });
    }
    this.pieces = pieces;
    this.bytes = Uint8Array.from(bytes);
    this.lengths = Uint8Array.from(lengths);
  }

  *code(cell: (at: number) => number): Iterable<TalliedCode> {
    const solved = this.flow.solve((counter) => cell(this.at + 8 * counter));
    const { pieces, bytes, lengths } = this;
    for (const [i, { index, address, bytesAt, lengthsAt, isBranch }] of pieces.entries()) {
      const executions = solved.executions(index);
      if (executions === 0) continue;
      const end = i + 1 < pieces.length ? pieces[i + 1].lengthsAt : lengths.length;
      const instructions = end - lengthsAt;
      const taken = isBranch ? { taken: solved.along(index, 0) } : {};
      yield { address, bytes, bytesAt, lengths, lengthsAt, instructions, executions, ...taken };
    }
  }

  /** What the jumps to the dispatching block did. */
  *jumps(cell: (at: number) => number): Iterable<TalliedJump> {
    const { routed, countsPairs } = this.flow;
    const { table } = this;
    if (table === undefined || this.countsJumpsFirst) return;
    const solved = countsPairs ? undefined : this.flow.solve((counter) => cell(this.at + 8 * counter));
    for (const [row, from] of routed.entries())
      for (const [i, target] of table.targets.entries()) {
        const executions = solved?.along(table.index, i) ?? cell(this.rowAt(row) + 8 * i);
        if (executions > 0) yield { from, target, executions };
      }
  }

  /** Where the counters of the jump's targets are. */
  private rowAt(row: number): number {
    return this.at + 8 * row * this.flow.targets;
  }
}
