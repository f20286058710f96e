import {
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  FUEL,
  HOST_STACK,
  MAXIMUM,
  stepOffset,
  valueOffset,
} from '../guest/layout.ts';
import type { Fault, Node, Statement } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';
import { FunctionBuilder, type Signature, type ValueType } from '../wasm/function.ts';
import { FPU_TOP, LOCATIONS, MXCSR, RSP, VARIABLES } from '../x86/state.ts';
import { Bits } from './bits.ts';
import { type BlockItems, type ItemFlow, itemFlow } from './dataflow.ts';
import type { Measure, MeasureHost, SupportFunctions } from './measure.ts';
import { type FlowOrder, orderFlow } from './order.ts';
import { type Edge, findStackOffsets, isRise, type Region, type RegionBlock } from './region.ts';
import { Scratch, Values } from './values.ts';

/** What a region's code calls and refers to, as indices of the module being built. */
export interface RegionImports extends SupportFunctions {
  /** Type index of `regionSignature`. */
  readonly regionType: number;
  /** (address i64) -> slot: finds or makes the region at an address. */
  readonly lookup: number;
  /** (address i32) -> slot: the region at an address for the x87 top now in the state. */
  readonly variant: number;
  /** (target i64): a call is about to enter the target and may open a context. */
  readonly openByCall: number;
  /** (from i32, target i64): a jump leaves the region. */
  readonly openByJump: number;
  /** (address i32): a function that opens contexts wherever it is entered begins. */
  readonly enterHooked: number;
  /** rsp rose above the innermost context's return slot. */
  readonly close: number;
  /** (slot i32): the region in the slot has been entered often enough to deserve a better translation. */
  readonly promote: number;
  /** (site i32): runs the instruction of a service site. */
  readonly service: number;
  /** (fault i32, address i32): never returns. */
  readonly raise: number;
  readonly helpers: ReadonlyMap<string, number>;
}

/** What the emitter asks the code cache. */
export interface RegionEnvironment {
  /** Where the counters of the slots are. */
  readonly entryCounters: number;
  /** Table slot of the region at an address, reserved when it does not exist yet. */
  slotOf(address: number): number;
  isHooked(address: number): boolean;
  siteNumber(site: ServiceSite): number;
  /** Number under which `raise` finds an unsupported instruction's text. */
  unsupportedNumber(text: string): number;
}

/** An instruction that runs as a service. */
export interface ServiceSite {
  readonly service: string;
  readonly argument: number;
  readonly address: number;
  readonly next: number;
}

type ExitEdge = Extract<Edge, { kind: 'exit' }>;

/** Faults by number for `raise`; unsupported instructions are numbered from UNSUPPORTED on. */
export const FAULTS: readonly Fault[] = [
  'divide-error',
  'invalid-opcode',
  'general-protection',
  'breakpoint',
];
export const UNSUPPORTED = 16;

/** Parameters and results of every region: the next address (results only), rsp, instructions left, rsp's step, the maximum. */
export function regionSignature(stepType: ValueType): Signature {
  const carried: ValueType[] = ['i64', 'i64', stepType, stepType];
  return { params: carried, results: ['i64', ...carried] };
}

/** Services that may change MXCSR's control bits. */
const MODE_SERVICES: ReadonlySet<string> = new Set(['ldmxcsr', 'fxrstor']);

const RSP_LOCAL = 0;
const FUEL_LOCAL = 1;
const RSP_STEP_LOCAL = 2;
const MAXIMUM_LOCAL = 3;
const RSP_LOCATION = VARIABLES[RSP].location!;

const CARRIED_VARIABLES = Bits.of(VARIABLES.length, [RSP]);
const CARRIED_LOCATIONS = Bits.of(LOCATIONS, [RSP_LOCATION]);

/** Leaves a block along an edge; returns the block to emit right behind, if that is where the edge leads. */
type TakeEdge = (edge: Edge) => number | undefined;

/** Emits one region as a function of `regionSignature`. */
export function emitRegion(
  region: Region,
  measure: Measure,
  imports: RegionImports,
  environment: RegionEnvironment,
  /** The slot whose entries a cold region counts; undefined for a hot one. */
  countedSlot: number | undefined,
): FunctionBuilder {
  return new RegionEmitter(region, measure, imports, environment, countedSlot).emit();
}

class RegionEmitter implements MeasureHost {
  readonly f: FunctionBuilder;
  readonly scratch: Scratch;
  readonly functions: SupportFunctions;
  readonly maximum = MAXIMUM_LOCAL;
  readonly fuel = FUEL_LOCAL;
  readonly isCold: boolean;
  private readonly countedSlot: number | undefined;
  private readonly region: Region;
  private readonly measure: Measure;
  private readonly imports: RegionImports;
  private readonly environment: RegionEnvironment;
  private readonly order: FlowOrder;
  private readonly variables: ItemFlow;
  private readonly steps: ItemFlow;
  private readonly stepItems: readonly BlockItems[];
  private readonly variableLocals = new Map<number, number>();
  private readonly stepLocals = new Map<number, number>();
  /** rsp at each block's entry relative to the region's entry, when known. */
  private readonly stackOffsets: (number | undefined)[];
  private readonly returnStack: number;
  private readonly nextAddress: number;
  private readonly hostStack: number;
  /** Places where the size of this function's frame on the host's stack is filled in. */
  private readonly frameSizes: number[] = [];
  private values!: Values;

  constructor(
    region: Region,
    measure: Measure,
    imports: RegionImports,
    environment: RegionEnvironment,
    countedSlot: number | undefined,
  ) {
    this.countedSlot = countedSlot;
    this.isCold = countedSlot !== undefined;
    this.region = region;
    this.measure = measure;
    this.imports = imports;
    this.functions = imports;
    this.environment = environment;
    this.f = new FunctionBuilder(regionSignature(measure.stepType));
    this.scratch = new Scratch(this.f);
    this.order = orderFlow(region);
    const variableItems = region.blocks.map(({ lifted }) => ({
      uses: Bits.of(VARIABLES.length, lifted.uses),
      writes: Bits.of(VARIABLES.length, lifted.assignments.keys()),
    }));
    this.variables = itemFlow(region, variableItems, VARIABLES.length, CARRIED_VARIABLES);
    this.stepItems = measure.plan(region);
    this.steps = itemFlow(region, this.stepItems, LOCATIONS, CARRIED_LOCATIONS);
    this.stackOffsets = findStackOffsets(region.blocks);
    this.variableLocals.set(RSP, RSP_LOCAL);
    this.stepLocals.set(RSP_LOCATION, RSP_STEP_LOCAL);
    this.returnStack = this.f.local('i64');
    this.nextAddress = this.f.local('i64');
    this.hostStack = this.f.local('i32');
  }

  emit(): FunctionBuilder {
    const { f, countedSlot } = this;
    this.measure.start(this);
    if (countedSlot !== undefined) f.inPrologue(() => this.countEntry(countedSlot));
    // Before anything the body finds that it needs at the start: opening a context changes the floor.
    f.inPrologue(() => this.emitEntry());
    this.loadItems(0);
    if (this.order.reducible) this.emitTree(0);
    else this.emitDispatch();
    f.unreachable();
    for (const position of this.frameSizes) f.patch(position, f.frameSize);
    return f;
  }

  /** Counts the region's slot down and pushes whether it deserves a better translation now. */
  private countDown(slot: number): void {
    const { f } = this;
    const at = this.environment.entryCounters + 4 * slot;
    f.i32(0);
    f.i32(0);
    f.memory('i32.load', at);
    f.i32(1);
    f.op('i32.sub');
    f.memory('i32.store', at);
    f.i32(0);
    f.memory('i32.load', at);
    f.i32(0);
    f.op('i32.le_s');
  }

  private countEntry(slot: number): void {
    const { f, imports } = this;
    this.countDown(slot);
    f.if();
    f.i32(slot);
    f.call(imports.promote);
    this.pushCarried();
    f.i32(slot);
    f.returnCallIndirect(imports.regionType);
    f.end();
  }

  private emitEntry(): void {
    const { f, region } = this;
    if (region.usesFpu) this.checkTop(region.entry, region.top);
    if (!this.environment.isHooked(region.entry)) return;
    this.storeCarried();
    f.i32(region.entry);
    f.call(this.imports.enterHooked);
    this.loadCarriedSteps();
  }

  stepLocal(location: number): number {
    let local = this.stepLocals.get(location);
    if (local === undefined) {
      local = this.f.local(this.measure.stepType);
      this.stepLocals.set(location, local);
    }
    return local;
  }

  private variableLocal(variable: number): number {
    let local = this.variableLocals.get(variable);
    if (local === undefined) {
      local = this.f.local(VARIABLES[variable].type);
      this.variableLocals.set(variable, local);
    }
    return local;
  }

  // --- control flow: Ramsey, "Beyond Relooper" (2022), on the dominator tree

  private readonly blockLabels = new Map<number, number>();
  private readonly loopLabels = new Map<number, number>();
  private dispatch: { label: number; selector: number } | undefined;

  /**
   * Emits a block and all that it dominates. What follows in a line (merges, the last way out of a block) is worked off
   * a list: recursion is left for the arms of branches, or long functions would exhaust the host's stack.
   */
  private emitTree(root: number): void {
    const { f, order } = this;
    const work: (number | 'end of block' | 'end of loop')[] = [root];
    while (work.length > 0) {
      const item = work.pop()!;
      if (item === 'end of block') {
        f.end();
        continue;
      }
      if (item === 'end of loop') {
        f.unreachable();
        f.end();
        continue;
      }
      if (order.isLoopHeader[item]) {
        this.loopLabels.set(item, f.loop());
        this.checkFuel(item);
        work.push('end of loop');
      }
      // The innermost block ends right before the merge that comes first.
      const merges = order.children[item].filter((child) => order.isMerge[child]);
      for (const merge of [...merges].reverse()) {
        this.blockLabels.set(merge, f.block());
        work.push(merge, 'end of block');
      }
      const next = this.emitBlock(this.region.blocks[item]);
      if (next !== undefined) work.push(next);
    }
  }

  /** A region that no nesting of loops can express: one loop around a table of all blocks. */
  private emitDispatch(): void {
    const { f, region } = this;
    const selector = f.local('i32');
    const label = f.loop();
    this.dispatch = { label, selector };
    const labels = region.blocks.map(() => f.block()).reverse();
    f.get(selector);
    f.brTable(labels, labels[0]);
    for (const block of region.blocks) {
      f.end();
      if (this.order.isLoopHeader[block.index]) this.checkFuel(block.index);
      if (this.emitBlock(block) !== undefined) throw new Error('a block fell out of the dispatch loop');
    }
    f.unreachable();
    f.end();
  }

  /** Whether the edge leads to a block that is emitted right here, because nothing else leads to it. */
  private isInline(from: RegionBlock, edge: Edge): edge is Edge & { kind: 'block' } {
    return (
      this.dispatch === undefined &&
      edge.kind === 'block' &&
      edge.index > from.index &&
      !this.order.isMerge[edge.index]
    );
  }

  /** Goes where the edge leads; a block that is to be emitted right here is returned. */
  private follow(from: RegionBlock, edge: Edge): number | undefined {
    const { f } = this;
    if (edge.kind === 'exit') this.leaveTo(from, edge);
    else if (this.dispatch !== undefined) {
      f.i32(edge.index);
      f.set(this.dispatch.selector);
      f.br(this.dispatch.label);
    } else if (edge.index <= from.index) f.br(this.loopLabels.get(edge.index)!);
    else if (this.order.isMerge[edge.index]) f.br(this.blockLabels.get(edge.index)!);
    else return edge.index;
    return undefined;
  }

  // --- one block

  /** Emits one block; returns the block that comes right behind it, if any. */
  private emitBlock(block: RegionBlock): number | undefined {
    const { f, measure } = this;
    const { lifted } = block;
    const { terminator } = lifted;
    this.scratch.reset();
    this.values = new Values(f, this.scratch, (variable) => this.variableLocal(variable));
    const { values } = this;

    const liveOn = (edge: Edge | undefined) => {
      if (
        edge === undefined ||
        edge.kind === 'exit' ||
        terminator.kind === 'call' ||
        terminator.kind === 'service'
      )
        return this.variables.dirtyOut[block.index];
      return this.variables.liveIn[edge.index];
    };
    const edges = terminator.kind === 'branch' ? block.successors : [block.successors[0]];
    const assigned = [...lifted.assignments].filter(
      ([variable]) => variable === RSP || edges.some((edge) => liveOn(edge).has(variable)),
    );
    const common = assigned.filter(
      ([variable]) => variable === RSP || edges.every((edge) => liveOn(edge).has(variable)),
    );
    const partial = assigned.filter((pair) => !common.includes(pair));

    for (const statement of lifted.statements) values.countStatement(statement);
    for (const [, node] of assigned) values.count(node);
    const operand = terminatorNode(terminator);
    if (operand !== undefined) values.count(operand);

    measure.startBlock(block);
    const count = lifted.instructions.length;
    if (count > 0) this.burn(count);
    let statement = 0;
    for (let i = 0; i < count; i++) {
      let settled = false;
      while (statement < lifted.statements.length && lifted.statements[statement].instruction === i) {
        const s = lifted.statements[statement++];
        if (s.kind === 'store' && !settled) {
          measure.settle(i);
          settled = true;
        }
        this.emitStatement(s, lifted.instructions[i].address);
      }
      if (!settled) measure.settle(i);
    }
    // Statements of a last instruction that is not counted (its guard or fault) follow the counted ones.
    while (statement < lifted.statements.length)
      this.emitStatement(lifted.statements[statement++], lastAddress(block));

    const operandLocal = operand === undefined ? -1 : this.pinned(operand);
    const changing = new Set(common.map(([variable]) => variable));
    values.pinEntries(
      partial.map(([, node]) => node),
      (variable) => changing.has(variable),
    );
    const writtenSteps = [...this.stepItems[block.index].writes].filter(
      (location) =>
        location === RSP_LOCATION || edges.some((edge) => this.stepLiveOn(block, edge).has(location)),
    );
    measure.finishBlock(writtenSteps);
    for (const location of [...writtenSteps].reverse()) f.set(this.stepLocal(location));
    this.assign(common);
    this.closeIfRisen(block);
    return this.emitTerminator(block, operandLocal, (edge) => {
      this.assign(partial.filter(([variable]) => liveOn(edge).has(variable)));
      return this.follow(block, edge);
    });
  }

  private stepLiveOn(block: RegionBlock, edge: Edge | undefined): Bits {
    const kind = block.lifted.terminator.kind;
    if (edge === undefined || edge.kind === 'exit' || kind === 'call' || kind === 'service')
      return this.steps.dirtyOut[block.index];
    return this.steps.liveIn[edge.index];
  }

  /** The terminator's operand in a local of its own: variables change before it is used. */
  private pinned(node: Node): number {
    if (node.op !== 'get' && node.op !== 'const') return this.values.asLocal(node);
    const copy = this.scratch.take(node.type);
    this.values.emit(node);
    this.f.set(copy);
    return copy;
  }

  /** All values first, then all locals: the values may depend on each other's old contents. */
  private assign(assignments: readonly (readonly [number, Node])[]): void {
    for (const [, node] of assignments) this.values.emit(node);
    for (const [variable] of [...assignments].reverse()) this.f.set(this.variableLocal(variable));
  }

  private emitStatement(statement: Statement, address: number): void {
    const { f, values, measure } = this;
    switch (statement.kind) {
      case 'load': {
        const at = values.asLocal(statement.address);
        measure.load(statement.instruction, at, statement.size);
        if (!values.isUsed(statement.result)) return;
        f.get(at);
        f.op('i32.wrap_i64');
        f.memory(loadName(statement.result.type, statement.size), 0);
        return values.define(statement.result);
      }
      case 'store': {
        const at = values.asLocal(statement.address);
        const value = values.asLocal(statement.value);
        measure.store(statement.instruction, at, statement.size);
        f.get(at);
        f.op('i32.wrap_i64');
        f.get(value);
        const name = storeName(statement.value.type, statement.size);
        if (name.endsWith('_lane')) return f.memoryLane(name, 0, 0);
        return f.memory(name, 0);
      }
      case 'helper':
        for (const arg of statement.args) values.emit(arg);
        f.call(this.imports.helpers.get(statement.name)!);
        for (const result of [...statement.results].reverse()) values.define(result);
        return;
      case 'guard':
        values.emit(statement.condition);
        f.if();
        this.raise(FAULTS.indexOf(statement.fault), address);
        return f.end();
    }
  }

  private raise(number: number, address: number): void {
    const { f } = this;
    f.i32(number);
    f.i32(address);
    f.call(this.imports.raise);
    f.unreachable();
  }

  private emitTerminator(block: RegionBlock, operand: number, take: TakeEdge): number | undefined {
    const { f, imports } = this;
    const { terminator } = block.lifted;
    const address = lastAddress(block);
    switch (terminator.kind) {
      case 'jump':
        return take(block.successors[0]);
      case 'branch':
        return this.emitBranch(block, operand, take);
      case 'indirect-jump':
        this.storeItems(block.index);
        this.jumpIndirect(operand, block.lifted.instructions.at(-1)!.address);
        return undefined;
      case 'call':
        return this.emitCall(block, operand, take);
      case 'return':
        this.storeItems(block.index);
        f.get(operand);
        this.pushCarried();
        f.return();
        return undefined;
      case 'service': {
        this.burn(1);
        this.storeItems(block.index);
        this.storeCarried();
        f.i32(this.environment.siteNumber({ ...terminator, address }));
        f.call(imports.service);
        this.loadCarried();
        if (MODE_SERVICES.has(terminator.service)) this.leaveOnOtherMode(terminator.next);
        return this.resume(block, take);
      }
      case 'fault':
        this.storeItems(block.index);
        this.raise(FAULTS.indexOf(terminator.fault), address);
        return undefined;
      case 'unsupported':
        this.raise(UNSUPPORTED + this.environment.unsupportedNumber(terminator.text), address);
        return undefined;
    }
  }

  /** One way out goes into an `if`, the other follows it: the `if` never falls through. */
  private emitBranch(block: RegionBlock, condition: number, take: TakeEdge): number | undefined {
    const { f } = this;
    const [taken, next] = block.successors;
    // A way out that only jumps makes the shorter `if`.
    const swap = this.isInline(block, taken) && !this.isInline(block, next);
    f.get(condition);
    if (swap) f.op('i32.eqz');
    f.if();
    this.inArm(() => {
      const nested = take(swap ? next : taken);
      if (nested !== undefined) this.emitTree(nested);
    });
    f.end();
    return take(swap ? taken : next);
  }

  /** One arm of a branch may hold whole blocks; the other arm starts from what was known before it. */
  private inArm(emit: () => void): void {
    const { values } = this;
    this.scratch.within(() => values.inArm(emit));
    this.values = values;
  }

  private emitCall(block: RegionBlock, operand: number, take: TakeEdge): number | undefined {
    const { f, imports } = this;
    const { terminator } = block.lifted;
    if (terminator.kind !== 'call') throw new Error('not a call');
    const { target, next } = terminator;
    const pushTarget = () => {
      if (typeof target === 'number') f.i64(BigInt(target));
      else f.get(operand);
    };
    this.storeItems(block.index);
    // What rsp must be when the callee has returned: its return address popped.
    f.get(RSP_LOCAL);
    f.i64(8n);
    f.op('i64.add');
    f.set(this.returnStack);
    this.ifContextsOpen(() => {
      pushTarget();
      f.call(imports.openByCall);
    });
    f.i32(0);
    f.memory('i32.load', HOST_STACK);
    this.frameSizes.push(f.i32Later());
    f.op('i32.sub');
    f.tee(this.hostStack);
    f.i32(0);
    f.op('i32.lt_s');
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.op('i32.or');
    f.if();
    pushTarget();
    this.pushCarried();
    f.return();
    f.end();
    f.i32(0);
    f.get(this.hostStack);
    f.memory('i32.store', HOST_STACK);
    this.pushCarried();
    if (typeof target === 'number') f.i32(this.environment.slotOf(target));
    else {
      f.get(operand);
      f.call(imports.lookup);
    }
    f.callIndirect(imports.regionType);
    this.popCarried();
    f.set(this.nextAddress);
    f.i32(0);
    f.get(this.hostStack);
    this.frameSizes.push(f.i32Later());
    f.op('i32.add');
    f.memory('i32.store', HOST_STACK);
    // Anything but the plain return unwinds to the dispatcher: fuel, longjmp, a callee that moved its return address.
    f.get(this.nextAddress);
    f.i64(BigInt(next));
    f.op('i64.ne');
    f.get(RSP_LOCAL);
    f.get(this.returnStack);
    f.op('i64.ne');
    f.op('i32.or');
    f.if();
    f.get(this.nextAddress);
    this.pushCarried();
    f.return();
    f.end();
    return this.resume(block, take);
  }

  /** The code behind is valid for one mode of MXCSR: with another one everything unwinds to the run loop. */
  private leaveOnOtherMode(next: number): void {
    const { f } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(MXCSR));
    f.i32(this.region.mxcsr);
    f.op('i32.ne');
    f.if();
    f.i64(BigInt(next));
    this.pushCarried();
    f.return();
    f.end();
  }

  /** After a call or a service: state is in memory, the next block wants it in locals. */
  private resume(block: RegionBlock, take: TakeEdge): number | undefined {
    const { f } = this;
    const edge = block.successors[0];
    if (edge.kind === 'block') {
      if (this.region.usesFpu) {
        f.i32(0);
        f.memory('i32.load', valueOffset(FPU_TOP));
        f.i32(block.lifted.topAfter);
        f.op('i32.ne');
        f.if();
        f.i64(BigInt(this.region.blocks[edge.index].lifted.address));
        this.pushCarried();
        f.return();
        f.end();
      }
      this.loadItems(edge.index);
    }
    return take(edge);
  }

  /** Leaves the region for a known address: into its region directly, unless the slice is over. */
  private leaveTo(from: RegionBlock, { address, enters }: ExitEdge): void {
    const { f, imports } = this;
    const kind = from.lifted.terminator.kind;
    if (kind !== 'call' && kind !== 'service') this.storeItems(from.index);
    if (enters)
      this.ifContextsOpen(() => {
        f.i32(from.lifted.instructions.at(-1)!.address);
        f.i64(BigInt(address));
        f.call(imports.openByJump);
      });
    this.leaveIfSpent(() => f.i64(BigInt(address)));
    this.pushCarried();
    f.i32(this.environment.slotOf(address));
    f.returnCallIndirect(imports.regionType);
  }

  private jumpIndirect(target: number, from: number): void {
    const { f, imports } = this;
    this.ifContextsOpen(() => {
      f.i32(from);
      f.get(target);
      f.call(imports.openByJump);
    });
    this.leaveIfSpent(() => f.get(target));
    this.pushCarried();
    f.get(target);
    f.call(imports.lookup);
    f.returnCallIndirect(imports.regionType);
  }

  private leaveIfSpent(pushAddress: () => void): void {
    const { f } = this;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if();
    pushAddress();
    this.pushCarried();
    f.return();
    f.end();
  }

  private checkFuel(index: number): void {
    const { f } = this;
    const { address } = this.region.blocks[index].lifted;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if();
    this.storeForLoop(index);
    f.i64(BigInt(address));
    this.pushCarried();
    f.return();
    f.end();
    if (this.countedSlot === undefined) return;
    // A loop that keeps running in cold code goes on in a region of its own, which becomes a hot one.
    this.countDown(this.countedSlot);
    f.if();
    this.storeForLoop(index);
    this.pushCarried();
    f.i32(this.environment.slotOf(address));
    f.returnCallIndirect(this.imports.regionType);
    f.end();
  }

  private storeForLoop(index: number): void {
    this.storeBits(
      this.variables.dirtyIn[index],
      this.variables.liveIn[index],
      this.steps.dirtyIn[index],
      this.steps.liveIn[index],
    );
    if (!this.region.usesFpu) return;
    // Which region the loop goes on in depends on it, even where every path would soon overwrite it.
    this.f.i32(0);
    this.f.i32(this.region.blocks[index].top);
    this.f.memory('i32.store', valueOffset(FPU_TOP));
  }

  /** Opening contexts is rare and shallow: `emit` runs with the carried state in memory. */
  private ifContextsOpen(emit: () => void): void {
    const { f } = this;
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if();
    this.storeCarried();
    emit();
    this.loadCarriedSteps();
    f.end();
  }

  /** Closes contexts when this block may have raised rsp above the innermost one's return slot (rule 9). */
  private closeIfRisen(block: RegionBlock): void {
    const { f } = this;
    const offset = this.stackOffsets[block.index];
    const isReturn = block.lifted.terminator.kind === 'return';
    const risky = isReturn || block.lifted.stackRises.some((rise) => isRise(rise.value, offset));
    if (!risky) return;
    f.get(RSP_LOCAL);
    f.i32(0);
    f.memory('i64.load', CONTEXT_SLOT);
    f.op('i64.gt_u');
    f.if();
    this.storeItems(block.index);
    this.storeCarried();
    f.call(this.imports.close);
    this.loadCarriedSteps();
    f.end();
  }

  private burn(count: number): void {
    const { f } = this;
    f.get(FUEL_LOCAL);
    f.i64(BigInt(count));
    f.op('i64.sub');
    f.set(FUEL_LOCAL);
  }

  // --- state in memory

  private loadItems(index: number): void {
    for (const variable of this.variables.liveIn[index]) {
      this.f.i32(0);
      this.f.memory(
        loadName(VARIABLES[variable].type, sizeOf(VARIABLES[variable].type)),
        valueOffset(variable),
      );
      this.f.set(this.variableLocal(variable));
    }
    for (const location of this.steps.liveIn[index]) {
      this.loadStep(stepOffset(location));
      this.f.set(this.stepLocal(location));
    }
  }

  private storeItems(index: number): void {
    this.storeBits(this.variables.dirtyOut[index], undefined, this.steps.dirtyOut[index], undefined);
  }

  private storeBits(
    variables: Bits,
    liveVariables: Bits | undefined,
    steps: Bits,
    liveSteps: Bits | undefined,
  ): void {
    for (const variable of variables) {
      if (liveVariables?.has(variable) === false) continue;
      this.f.i32(0);
      this.f.get(this.variableLocal(variable));
      this.f.memory(
        storeName(VARIABLES[variable].type, sizeOf(VARIABLES[variable].type)),
        valueOffset(variable),
      );
    }
    for (const location of steps) {
      if (liveSteps?.has(location) === false) continue;
      this.storeStep(stepOffset(location), this.stepLocal(location));
    }
  }

  private loadStep(offset: number): void {
    this.f.i32(0);
    this.f.memory(this.measure.stepType === 'v128' ? 'v128.load' : 'i64.load', offset);
  }

  private storeStep(offset: number, local: number): void {
    this.f.i32(0);
    this.f.get(local);
    this.f.memory(this.measure.stepType === 'v128' ? 'v128.store' : 'i64.store', offset);
  }

  private pushCarried(): void {
    for (const local of [RSP_LOCAL, FUEL_LOCAL, RSP_STEP_LOCAL, MAXIMUM_LOCAL]) this.f.get(local);
  }

  private popCarried(): void {
    for (const local of [MAXIMUM_LOCAL, RSP_STEP_LOCAL, FUEL_LOCAL, RSP_LOCAL]) this.f.set(local);
  }

  private storeCarried(): void {
    const { f } = this;
    f.i32(0);
    f.get(RSP_LOCAL);
    f.memory('i64.store', valueOffset(RSP));
    f.i32(0);
    f.get(FUEL_LOCAL);
    f.memory('i64.store', FUEL);
    this.storeStep(stepOffset(RSP_LOCATION), RSP_STEP_LOCAL);
    this.storeStep(MAXIMUM, MAXIMUM_LOCAL);
  }

  private loadCarriedSteps(): void {
    this.loadStep(stepOffset(RSP_LOCATION));
    this.f.set(RSP_STEP_LOCAL);
    this.loadStep(MAXIMUM);
    this.f.set(MAXIMUM_LOCAL);
  }

  private loadCarried(): void {
    const { f } = this;
    f.i32(0);
    f.memory('i64.load', valueOffset(RSP));
    f.set(RSP_LOCAL);
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.set(FUEL_LOCAL);
    this.loadCarriedSteps();
  }

  /** Blocks are valid for one x87 top: a region entered with another one goes to its variant. */
  private checkTop(address: number, top: number): void {
    const { f, imports } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(FPU_TOP));
    f.i32(top);
    f.op('i32.ne');
    f.if();
    this.pushCarried();
    f.i32(address);
    f.call(imports.variant);
    f.returnCallIndirect(imports.regionType);
    f.end();
  }
}

function terminatorNode(terminator: RegionBlock['lifted']['terminator']): Node | undefined {
  switch (terminator.kind) {
    case 'branch':
      return terminator.condition;
    case 'indirect-jump':
    case 'return':
      return terminator.target;
    case 'call':
      return typeof terminator.target === 'number' ? undefined : terminator.target;
    default:
      return undefined;
  }
}

/** Of the instruction that is not counted in the block because it is a service or faults. */
function lastAddress(block: RegionBlock): number {
  const last = block.lifted.instructions.at(-1);
  return last === undefined ? block.lifted.address : last.address + last.length;
}

const sizeOf = (type: Type): number => (type === 'v128' ? 16 : type === 'i64' || type === 'f64' ? 8 : 4);

function loadName(type: Type, size: number): string {
  switch (type) {
    case 'i32':
      return size === 1 ? 'i32.load8_u' : size === 2 ? 'i32.load16_u' : 'i32.load';
    case 'i64':
      return size === 8 ? 'i64.load' : `i64.load${8 * size}_u`;
    case 'v128':
      return size === 16 ? 'v128.load' : `v128.load${8 * size}_zero`;
    default:
      return `${type}.load`;
  }
}

function storeName(type: Type, size: number): string {
  switch (type) {
    case 'i32':
      return size === 1 ? 'i32.store8' : size === 2 ? 'i32.store16' : 'i32.store';
    case 'i64':
      return size === 8 ? 'i64.store' : `i64.store${8 * size}`;
    case 'v128':
      return size === 16 ? 'v128.store' : `v128.store${8 * size}_lane`;
    default:
      return `${type}.store`;
  }
}
