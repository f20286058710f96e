import { TAG_CLOCK } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { LOCATIONS } from '../../x86/state.ts';
import type { CodePlaces } from '../code-places.ts';
import { does, ENGINE_LIMITS, type EngineLimits } from '../limits.ts';
import { Bits } from '../regions/bits.ts';
import type { BlockItems } from '../regions/dataflow.ts';
import type { Region, RegionBlock } from '../regions/region.ts';
import { loadStepAt, storeStepAt } from '../steps/grouped-steps.ts';
import type {
  Address,
  Measure,
  MeasureHost,
  MemoryHost,
  Reached,
  RecordParts,
  ServiceParts,
} from '../steps/measure.ts';
import { type Reach, type StepEntry, tagEntry } from '../steps/step-entry.ts';
import { loadStepWhen, storeStepWhen } from '../steps/step-memory.ts';
import { HandlerTags } from './handler-measure.ts';
import { emitTag, raiseMaximum, type TagLog, takeInversion, takeNumber } from './tag-code.ts';

/**
 * One context, with the producers of everything: a step is a tag (steps/tag-shape.ts), cycle << 32 | number of the writing instruction in the
 * window (from 2; 1 was never written). The largest of the sources' tags is then the source that rule 10 follows: the largest cycle and, on a tie, the writer that ran last. Every instruction logs its own address and that writer's
 * number into a ring, from which the chain is read backwards once the window has ended.
 *
 * MAXIMUM holds the largest `tag ^ 0xffffffff`: the largest cycle and, among equals, the first instruction.
 */
export class Tags implements Measure {
  readonly hasQuietPages = false;
  hasAsked = false;
  areBytesResting = false;
  readonly mayBeIdle = false;
  readonly asksHere = false;
  /** JavaScript looks at all of the state where the window opens. */
  readonly inLine = undefined;
  readonly entry: StepEntry;
  private readonly log: TagLog;
  private readonly places: CodePlaces;
  private host!: MeasureHost;
  private block!: RegionBlock;
  /** The number of the instruction before the block. */
  private before = { unit: 0, entry: 0 };
  private inversion = 0;
  /**
   * Instructions of the block after which another one of it has a larger cycle for sure; or the same cycles as those that they follow, where the
   * block costs nothing (rule 9).
   */
  private passedOn: ReadonlySet<number> = new Set();
  private latest = new Map<number, number>();
  private loads: number[] = [];
  private tag = 0;

  constructor(
    log: TagLog,
    places: CodePlaces,
    { end, followsFar }: Pick<Reach, 'end' | 'followsFar'>,
    limits: EngineLimits = ENGINE_LIMITS,
  ) {
    this.log = log;
    this.places = places;
    this.entry = tagEntry({ end, followsFar, isInLine: does(limits, 'steps in line') });
  }

  defineService(_module: ModuleBuilder, { serve }: ServiceParts): number {
    return serve;
  }

  plan(region: Region): readonly BlockItems[] {
    return region.blocks.map((block) => {
      const uses = new Bits(LOCATIONS);
      const writes = new Bits(LOCATIONS);
      for (const instruction of block.lifted.instructions) {
        for (const location of instruction.sources) if (!writes.has(location)) uses.add(location);
        for (const location of instruction.destinations) writes.add(location);
      }
      return { uses, writes };
    });
  }

  /** A window has one context, and whatever came before it is forgotten. */
  raiseToFloor(): void {}

  handle(host: MemoryHost, record: RecordParts): HandlerTags {
    return new HandlerTags(host, record, this.entry, this.log);
  }

  /** Every cycle that none of its block exceeds for sure is brought into it when it is made. */
  raiseMaximum(): void {}

  start(host: MeasureHost): void {
    this.host = host;
  }

  beforeLoop(): void {}

  startBlock(block: RegionBlock): void {
    const { f, scratch, fuel } = this.host;
    this.block = block;
    this.passedOn = passedOn(block.lifted.instructions);
    this.latest = new Map();
    this.loads = [];
    // Before the block's instructions are taken off the fuel: the number of the instruction before the block.
    this.before = { unit: scratch.take('v128'), entry: scratch.take('i32') };
    f.i32(0);
    f.memory('i64.load', TAG_CLOCK);
    f.get(fuel);
    f.op('i64.sub');
    // Before a window opens, numbers mean nothing.
    takeNumber(f, this.before, this.log);
    this.inversion = scratch.take('v128');
    takeInversion(f, this.inversion);
  }

  load(_instruction: number, address: Address, size: AccessSize): number {
    const tag = this.host.scratch.take('v128');
    this.loads.push(tag);
    return loadStepAt(this.host, this.entry, address, size, tag);
  }

  loadWhen(when: number, _instruction: number, address: number, size: AccessSize, read: Reached): void {
    const tag = this.host.scratch.take('v128');
    this.loads.push(tag);
    loadStepWhen(this.host, this.entry, when, address, size, tag, read);
  }

  settle(index: number): void {
    const { f, scratch, maximum } = this.host;
    const instruction = this.block.lifted.instructions[index];
    const producer = scratch.take('v128');
    const tag = scratch.take('v128');
    const sources = [
      ...instruction.sources.map((l) => this.latest.get(l) ?? this.host.stepLocal(l)),
      ...this.loads,
    ];
    this.loads = [];
    const [first, ...others] = sources;
    if (first === undefined) this.entry.pushOrigin(f);
    else f.get(first);
    f.set(producer);
    for (const source of others) this.entry.raise(f, producer, source);
    const number = { ...this.before, index: index + 1 };
    emitTag(f, { producer, tag }, number, this.log, () => f.i32(this.places.of(instruction.address)));
    if (!this.passedOn.has(index)) raiseMaximum(f, maximum, tag, this.inversion);
    this.tag = tag;
    for (const location of instruction.destinations) this.latest.set(location, tag);
  }

  store(_instruction: number, address: Address, size: AccessSize): number {
    return storeStepAt(this.host, this.entry, address, size, this.tag);
  }

  storeWhen(when: number, _instruction: number, address: number, size: AccessSize, write: Reached): void {
    storeStepWhen(this.host, this.entry, when, address, size, this.tag, write);
  }

  finishBlock(written: readonly number[]): void {
    for (const location of written) this.host.f.get(this.latest.get(location)!);
  }
}

/** Those of which another one of the block reads what they have written. */
function passedOn(instructions: RegionBlock['lifted']['instructions']): ReadonlySet<number> {
  const writers = new Map<number, number>();
  const found = new Set<number>();
  instructions.forEach(({ sources, destinations }, index) => {
    for (const location of sources) {
      const writer = writers.get(location);
      if (writer !== undefined) found.add(writer);
    }
    for (const location of destinations) writers.set(location, index);
  });
  return found;
}
