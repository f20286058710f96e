import { NEAR, PAGE_SIZE, PERMISSIONS } from '../src/guest/layout.ts';
import { FAST_STORE } from '../src/guest/memory.ts';
import type { AccessSize } from '../src/ir/node.ts';
import { does, type EngineLimits } from '../src/translate/limits.ts';
import { Bits } from '../src/translate/regions/bits.ts';
import type { BlockItems } from '../src/translate/regions/dataflow.ts';
import type { Region } from '../src/translate/regions/region.ts';
import type { GroupCheck } from '../src/translate/steps/access-groups.ts';
import type { LaneShape } from '../src/translate/steps/lane-shape.ts';
import type {
  Address,
  HandlerMeasure,
  Measure,
  MeasureHost,
  MemoryHost,
  Reached,
  ServiceParts,
  StepsInLine,
} from '../src/translate/steps/measure.ts';
import { laneEntry, type Reach, type StepEntry } from '../src/translate/steps/step-entry.ts';
import { defineService } from '../src/translate/strings/service.ts';
import { LOCATIONS } from '../src/x86/state.ts';

/**
 * Stands in for translate/measures/lanes.ts in a build (scripts/build.mjs) that measures nothing: the same engine without steps, which is
 * what no measurement in it can be faster than. Instructions are counted, as slices need them; cycles are 0. What memory knows of
 * steps is asked for nowhere but on slow paths.
 */
export class Lanes implements Measure {
  readonly hasQuietPages: boolean;
  readonly hasAsked = false;
  readonly areBytesResting = false;
  readonly mayBeIdle = true;
  readonly asksHere = false;
  readonly entry: StepEntry;
  readonly inLine: StepsInLine = {
    open() {},
    close() {},
    later(f) {
      f.op('drop');
    },
  };
  private readonly shape: LaneShape;
  private host!: MemoryHost;

  constructor(
    shape: LaneShape,
    { end, followsFar }: Pick<Reach, 'end' | 'followsFar'>,
    limits: EngineLimits,
  ) {
    this.shape = shape;
    this.hasQuietPages = shape.hasQuietPages && does(limits, 'quiet pages');
    this.entry = laneEntry(shape, { end, followsFar, isInLine: does(limits, 'steps in line') });
  }

  defineService(module: Parameters<typeof defineService>[0], parts: ServiceParts): number {
    return defineService(module, parts, this.shape, this.entry.end);
  }

  plan(region: Region): readonly BlockItems[] {
    return region.blocks.map(() => ({ uses: new Bits(LOCATIONS), writes: new Bits(LOCATIONS) }));
  }

  start(host: MeasureHost): void {
    this.host = host;
  }

  load(_instruction: number, address: Address, size: AccessSize): number {
    return access(this.host, this.entry, address, size, 'load');
  }

  loadWhen(when: number, _instruction: number, address: number, size: AccessSize, read: Reached): void {
    accessWhen(this.host, this.entry, when, address, size, 'load', read);
  }

  store(_instruction: number, address: Address, size: AccessSize): number {
    return access(this.host, this.entry, address, size, 'store');
  }

  storeWhen(when: number, _instruction: number, address: number, size: AccessSize, write: Reached): void {
    accessWhen(this.host, this.entry, when, address, size, 'store', write);
  }

  handle(host: MemoryHost): HandlerMeasure {
    const { entry } = this;
    return {
      load: (address, size) => access(host, entry, address, size, 'load'),
      loadWhen: (when, address, size, read) => accessWhen(host, entry, when, address, size, 'load', read),
      store: (address, size) => access(host, entry, address, size, 'store'),
      storeWhen: (when, address, size, write) => accessWhen(host, entry, when, address, size, 'store', write),
      settle() {},
      finish() {},
      noteLast() {},
    };
  }

  raiseToFloor(): void {}
  startBlock(): void {}
  beforeLoop(): void {}
  settle(): void {}
  raiseMaximum(): void {}
  finishBlock(): void {}
}

type Kind = 'load' | 'store';

/** The checks that any emulator of ours must make: in range, in one page or aligned, and allowed there. */
function access(host: MemoryHost, entry: StepEntry, address: Address, size: AccessSize, kind: Kind): number {
  if (typeof address !== 'number') return groupedAccess(host, entry, address, size, kind);
  const { f, scratch } = host;
  const near = scratch.take('i32');
  f.get(address);
  f.op('i32.wrap_i64');
  f.set(near);
  const done = f.block();
  const slow = f.block();
  f.get(address);
  f.i64(BigInt(entry.end - size));
  f.op('i64.gt_u');
  f.brIf(slow, 'unlikely');
  if (size > 1) {
    f.get(near);
    f.i32(PAGE_SIZE - 1);
    f.op('i32.and');
    f.i32(PAGE_SIZE - size);
    f.op('i32.gt_u');
    f.brIf(slow, 'unlikely');
  }
  f.get(near);
  f.i32(Math.log2(PAGE_SIZE));
  f.op('i32.shr_u');
  f.memory('i32.load8_u', PERMISSIONS);
  if (kind === 'store') {
    f.i32(FAST_STORE);
    f.op('i32.and');
  }
  f.brIf(done, 'likely');
  f.end();
  goSlowly(host, entry, () => f.get(address), size, kind);
  if (entry.followsFar) {
    f.i32(0);
    f.memory('i32.load', NEAR);
    f.set(near);
  }
  f.end();
  return near;
}

function groupedAccess(
  host: MemoryHost,
  entry: StepEntry,
  { check, distance }: { readonly check: GroupCheck; readonly distance: number },
  size: AccessSize,
  kind: Kind,
): number {
  const { f } = host;
  f.get(check.isChecked);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  const pushAddress = () => {
    f.get(check.base);
    f.i64(BigInt(check.group.low + distance));
    f.op('i64.add');
  };
  goSlowly(host, entry, pushAddress, size, kind);
  f.end();
  return check.near;
}

function accessWhen(
  host: MemoryHost,
  entry: StepEntry,
  when: number,
  address: number,
  size: AccessSize,
  kind: Kind,
  reached: Reached,
): void {
  const { f } = host;
  f.get(when);
  f.if();
  reached(access(host, entry, address, size, kind));
  f.end();
}

function goSlowly(
  { f, functions }: MemoryHost,
  entry: StepEntry,
  pushAddress: () => void,
  size: AccessSize,
  kind: Kind,
): void {
  pushAddress();
  f.i32(size);
  if (kind === 'load') {
    f.call(functions.loadStep);
    f.op('drop');
  } else {
    entry.pushOrigin(f);
    f.call(functions.storeStep);
  }
}
