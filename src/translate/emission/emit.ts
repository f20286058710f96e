import type { Node, Statement } from '../../ir/node.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import { RSP } from '../../x86/state.ts';
import { pushIsIdle } from '../contexts/idle.ts';
import type { RegionTally } from '../counts/tally.ts';
import { MARK } from '../instruments.ts';
import type { ExpansionHost } from '../lowering/expansion.ts';
import { Scratch, Values } from '../lowering/values.ts';
import {
  FAULTS,
  functionsInCall,
  REGION_TYPE,
  type RegionEnvironment,
  type RegionImports,
  UNSUPPORTED,
} from '../region-interface.ts';
import type { BlockItems } from '../regions/dataflow.ts';
import { orderFlow } from '../regions/order.ts';
import {
  type CallInLine,
  type Edge,
  type Region,
  type RegionBlock,
  sizeOfRegion,
} from '../regions/region.ts';
import { findSegments, type Segments } from '../regions/segments.ts';
import {
  type AccessGroup,
  type GroupCheck,
  type GroupedAddress,
  type GroupMember,
  groupAccesses,
} from '../steps/access-groups.ts';
import { checkGroup } from '../steps/grouped-steps.ts';
import type { Measure, MeasureHost, SupportFunctions, UnalignedInLine } from '../steps/measure.ts';
import { lastAddress, waysOut } from './block-ends.ts';
import type { TakeEdge } from './exits/emission.ts';
import { type ExitEdge, Exits } from './exits/exits.ts';
import { FUEL_LOCAL, MAXIMUM_LOCAL, Residence, RSP_LOCATION } from './residence.ts';
import { type Accesses, emitCheck, emitLoad, emitStore, terminatorOperand } from './statements.ts';
import { Structure, type StructureParts } from './structure.ts';

const NO_GROUPS: ReadonlyMap<Statement, GroupMember> = new Map();

/** Emits one region as a function of `REGION_TYPE`. */
export function emitRegion(
  region: Region,
  measure: Measure,
  imports: RegionImports,
  environment: RegionEnvironment,
  slot: number,
  /** Hears what locals hold. */
  locals: Map<number, string>,
): FunctionBuilder {
  const emitter = new RegionEmitter(region, measure, imports, environment, slot);
  const f = emitter.emit();
  if (environment.instruments.onRegion !== undefined) emitter.nameLocals(locals);
  return f;
}

/** Blocks: their values, their measurement, their ends. */
class RegionEmitter implements MeasureHost, StructureParts {
  readonly f: FunctionBuilder;
  readonly scratch: Scratch;
  readonly maximum = MAXIMUM_LOCAL;
  readonly fuel = FUEL_LOCAL;
  readonly unalignedInLine: UnalignedInLine;
  readonly farInLine: boolean;
  readonly asksForBytes: boolean;
  isInLoop = false;
  private isInCall = false;
  private readonly region: Region;
  private readonly measure: Measure;
  private readonly imports: RegionImports;
  private readonly environment: RegionEnvironment;
  private readonly stepItems: readonly BlockItems[];
  private readonly state: Residence;
  private readonly segments: Segments;
  private readonly exits: Exits;
  private readonly structure: Structure;
  private readonly tally: RegionTally | undefined;
  private values!: Values;
  private groups: ReadonlyMap<Statement, GroupMember> = NO_GROUPS;
  private checks = new Map<AccessGroup, GroupCheck>();
  /** The instruction that accesses memory. */
  private accessing = 0;
  private readonly accesses: Accesses = {
    load: (address, size) => this.measure.load(this.accessing, address, size),
    loadWhen: (when, address, size, read) => this.measure.loadWhen(when, this.accessing, address, size, read),
    store: (address, size) => this.measure.store(this.accessing, address, size),
    storeWhen: (when, address, size, write) =>
      this.measure.storeWhen(when, this.accessing, address, size, write),
  };
  private readonly expansionHost: ExpansionHost;
  private readonly variableLocal = (variable: number): number => this.state.readVariable(variable);

  constructor(
    region: Region,
    measure: Measure,
    imports: RegionImports,
    environment: RegionEnvironment,
    slot: number,
  ) {
    this.region = region;
    this.measure = measure;
    this.imports = imports;
    this.environment = environment;
    this.expansionHost = {
      helper: (name) => imports.helpers.get(name)!,
      get fuses() {
        return environment.fuses;
      },
    };
    this.unalignedInLine = environment.unalignedInLine(slot, sizeOfRegion(region));
    this.farInLine = environment.farInLine;
    this.asksForBytes = environment.asksForBytes(slot);
    this.f = new FunctionBuilder(REGION_TYPE);
    this.scratch = new Scratch(this.f);
    this.stepItems = environment.instruments.within('plan', () => measure.plan(region));
    const order = orderFlow(region.blocks);
    const { code, isVolatile, keepsDeadState, keepsLocals, tally } = environment;
    this.segments = findSegments(region, order, keepsLocals);
    this.state = new Residence(this.f, region, this.segments, measure, this.stepItems, keepsDeadState);
    this.tally = tally?.region(region, code, isVolatile);
    const { f, state } = this;
    this.exits = new Exits({ f, region, state, measure, imports, environment, slot, tally: this.tally });
    this.structure = new Structure(this.f, region, order, this);
  }

  emit(): FunctionBuilder {
    const { f, exits } = this;
    this.measure.start(this);
    // Before anything the body finds that it needs at the start: opening a context changes the floor.
    f.inPrologue(() => this.emitEntry());
    exits.gates.takeEntry();
    this.tally?.enter(f);
    exits.around(() => {
      this.structure.emit();
      f.unreachable();
    });
    exits.calls.finish();
    return f;
  }

  private emitEntry(): void {
    const { f, region, state } = this;
    if (region.usesFpu) this.exits.modes.checkTop();
    if (!this.environment.isHooked(region.entry)) return;
    this.exits.gates.unlessAtEntry(() => {
      this.count('contexts: perhaps opened by name');
      state.storeCarried();
      f.i32(this.environment.placeOf(region.entry));
      f.call(this.imports.enterHooked);
      state.loadCarriedSteps();
    });
  }

  private mark({ index }: RegionBlock): void {
    if (this.environment.instruments.onRegion === undefined) return;
    this.f.i32(MARK + index);
    this.f.op('drop');
  }

  nameLocals(locals: Map<number, string>): void {
    locals.set(FUEL_LOCAL, 'fuel').set(MAXIMUM_LOCAL, 'maximum');
    this.state.nameLocals(locals);
  }

  private count(name: string, push?: () => void): void {
    this.environment.instruments.counters.emit(this.f, name, push);
  }

  get functions(): SupportFunctions {
    return this.isInCall ? functionsInCall(this.imports) : this.imports;
  }

  get pushIsIdle(): (() => void) | undefined {
    return this.measure.mayBeIdle && !this.isInCall ? () => pushIsIdle(this.f) : undefined;
  }

  stepLocal(location: number): number {
    return this.state.readStep(location);
  }

  beforeLoop(index: number): void {
    if (!this.state.loadsBeforeLoop(index)) return;
    this.state.loadItems(index);
    if (this.segments.of[index] === index) this.measure.beforeLoop();
  }

  enterLoop(index: number): void {
    // On the way to an entry nothing has been executed yet.
    if (this.region.blocks[index].gate === undefined) this.exits.checkFuel(index);
  }

  leave(from: RegionBlock, edge: ExitEdge): void {
    this.exits.leaveTo(from, edge);
  }

  /** Emits one block; returns the block that comes right behind it, if any. */
  emitBlock(block: RegionBlock): number | undefined {
    const { f, measure } = this;
    const { lifted } = block;
    const { terminator } = lifted;
    this.scratch.reset();
    this.mark(block);
    const isCode = block.targets === undefined && block.gate === undefined;
    if (!this.state.loadsBeforeLoop(block.index)) {
      if (isCode) this.state.loadItemsWhenRead(block.index);
      else this.state.loadItems(block.index);
    }
    if (block.targets !== undefined) {
      this.exits.jumps.dispatch(block, block.targets, (edge) => this.follow(block, edge));
      return undefined;
    }
    if (block.gate !== undefined) {
      this.exits.gates.pass(block, block.gate, (edge) => this.follow(block, edge));
      if (block.gate.isLoop) this.exits.checkFuel(block.index);
      return this.follow(block, block.successors[0]);
    }
    this.exits.leaveIfChanged(block);
    this.exits.probe(block);
    this.values = new Values(f, this.scratch, this.variableLocal, this.expansionHost);
    const { values } = this;

    const edges = waysOut(block);
    const live = edges.map((edge) => this.state.variables.liveOn(block, edge));
    // What is live on some of the edges only is assigned on those.
    const assigned: Assignment[] = [];
    const common: Assignment[] = [];
    const partial: Assignment[] = [];
    for (const assignment of lifted.assignments) {
      const [variable] = assignment;
      let count = 0;
      for (let i = 0; i < live.length; i++) if (live[i].has(variable)) count++;
      if (count === 0 && variable !== RSP) continue;
      assigned.push(assignment);
      (count === live.length || variable === RSP ? common : partial).push(assignment);
    }

    this.groups = this.environment.groupsAccesses ? groupAccesses(lifted.statements) : NO_GROUPS;
    this.checks = new Map();
    for (const statement of lifted.statements) values.countStatement(statement);
    for (let i = 0; i < assigned.length; i++) values.count(assigned[i][1]);
    const operand = terminatorOperand(terminator);
    if (operand !== undefined) values.count(operand);

    this.isInLoop = this.segments.isInLoop[block.index] === 1;
    this.isInCall = block.inside !== undefined;
    measure.startBlock(block);
    const count = lifted.instructions.length;
    if (count > 0) this.burn(count);
    this.countAccesses(block);
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
    if (partial.length > 0)
      values.pinEntries(
        partial.map(([, node]) => node),
        (variable) => common.some(([changing]) => changing === variable),
      );
    const liveSteps = edges.map((edge) => this.state.steps.liveOn(block, edge));
    const isWritten = (at: number) => at === RSP_LOCATION || liveSteps.some((steps) => steps.has(at));
    const writtenSteps = this.stepItems[block.index].writes.items().filter(isWritten);
    this.exits.calls.keepStack(block);
    // Everything new is on the stack before anything old is overwritten.
    measure.finishBlock(writtenSteps);
    this.emitValues(common);
    this.state.loadPending();
    this.setVariables(common);
    for (let i = writtenSteps.length - 1; i >= 0; i--) f.set(this.state.stepLocal(writtenSteps[i]));
    this.exits.calls.moved(block);
    const assignFor = (edge: Edge | undefined) => {
      if (partial.length === 0) return;
      const liveThere = this.state.variables.liveOn(block, edge);
      const assigned = partial.filter(([variable]) => liveThere.has(variable));
      this.emitValues(assigned);
      this.setVariables(assigned);
    };
    const take = (edge: Edge) => {
      assignFor(edge);
      return this.follow(block, edge);
    };
    if (block.calls !== undefined)
      return this.emitCalls(block, block.calls, operandLocal, take, () => assignFor(undefined));
    return this.emitTerminator(block, operandLocal, take);
  }

  private follow(block: RegionBlock, edge: Edge): number | undefined {
    this.state.storeForEdge(block, edge);
    this.tally?.along(this.f, block, edge);
    return this.structure.follow(block, edge);
  }

  private countAccesses({ lifted }: RegionBlock): void {
    if (!this.environment.instruments.counters.isOn) return;
    this.count('tiers: blocks of regions');
    for (const kind of ['load', 'store']) {
      const accesses = lifted.statements.filter((statement) => statement.kind === kind).length;
      if (accesses > 0) this.count(`memory: ${kind}s in regions`, () => this.f.i64(BigInt(accesses)));
    }
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
  private emitValues(assignments: readonly Assignment[]): void {
    for (let i = 0; i < assignments.length; i++) this.values.emit(assignments[i][1]);
  }

  private setVariables(assignments: readonly Assignment[]): void {
    for (let i = assignments.length - 1; i >= 0; i--) this.f.set(this.state.variableLocal(assignments[i][0]));
  }

  private emitStatement(statement: Statement, address: number): void {
    const { f, values } = this;
    this.accessing = statement.instruction;
    switch (statement.kind) {
      case 'load':
        return emitLoad(f, values, this.accesses, statement, this.groupedAddress(statement));
      case 'store':
        return emitStore(f, values, this.accesses, statement, this.groupedAddress(statement));
      case 'check':
        return emitCheck(f, values, this.imports.checkStore, statement);
      case 'helper':
        this.count(`helpers: ${statement.name}`);
        for (const arg of statement.args) values.emit(arg);
        f.call(this.expansionHost.helper(statement.name));
        for (const result of [...statement.results].reverse()) values.define(result);
        return;
      case 'guard':
        values.emit(statement.condition);
        f.if();
        this.raise(FAULTS.indexOf(statement.fault), address);
        return f.end();
    }
  }

  /** The check of a group comes before its first access. */
  private groupedAddress(statement: Statement): GroupedAddress | undefined {
    const member = this.groups.get(statement);
    if (member === undefined) return undefined;
    const { group, distance } = member;
    let check = this.checks.get(group);
    if (check === undefined) {
      check = checkGroup(this, this.measure, group, this.values.asLocal(group.base));
      this.checks.set(group, check);
    }
    return { check, distance };
  }

  private raise(number: number, address: number): void {
    const { f } = this;
    f.i32(number);
    f.i32(this.environment.placeOf(address));
    f.call(this.imports.raise);
    f.unreachable();
  }

  private emitTerminator(block: RegionBlock, operand: number, take: TakeEdge): number | undefined {
    const { f, imports } = this;
    const { terminator } = block.lifted;
    const address = lastAddress(block);
    this.tally?.out(f, block);
    switch (terminator.kind) {
      case 'jump':
        return take(block.successors[0]);
      case 'branch':
        return this.emitBranch(block, operand, take);
      case 'indirect-jump': {
        const from = block.lifted.instructions.at(-1)!.address;
        if (block.successors.length > 0) {
          this.exits.jumps.route(operand, from);
          return take(block.successors[0]);
        }
        this.state.storeItems(block.index);
        this.exits.jumps.leave(operand, from);
        return undefined;
      }
      case 'call':
        return this.exits.calls.call(block, operand, take);
      case 'return':
        if (block.inside !== undefined) return this.exits.inLine.return(block, block.inside, operand, take);
        this.exits.calls.return(block, operand);
        return undefined;
      case 'service': {
        this.burn(1);
        this.state.storeItems(block.index);
        this.state.storeCarried();
        f.i32(this.environment.siteNumber({ ...terminator, address }));
        f.call(imports.service);
        this.state.loadCarried();
        this.exits.modes.leaveBehind(terminator.service, terminator.next);
        return this.exits.modes.resume(block, take);
      }
      case 'fault':
        this.state.storeItems(block.index);
        this.state.storeCarried();
        this.raise(FAULTS.indexOf(terminator.fault), address);
        return undefined;
      case 'unsupported':
        this.raise(UNSUPPORTED + this.environment.unsupportedNumber(terminator.text), address);
        return undefined;
    }
  }

  /** To the function in line that begins at the target, in an `if` unless it is known; out of the region where none does. */
  private emitCalls(
    block: RegionBlock,
    calls: readonly CallInLine[],
    target: number,
    take: TakeEdge,
    assignAll: () => void,
  ): number | undefined {
    const { f, exits } = this;
    const pushTarget = () => {
      if (target < 0) f.i64(BigInt(calls[0].target));
      else f.get(target);
    };
    exits.changes.ifAny(() =>
      this.inArm(() => {
        assignAll();
        exits.inLine.callElsewhere(block, pushTarget);
      }),
    );
    if (target < 0) return exits.inLine.call(block, 0, take);
    calls.forEach((call, i) => {
      f.get(target);
      f.i64(BigInt(call.target));
      f.op('i64.eq');
      f.if();
      this.inArm(() => {
        const nested = exits.inLine.call(block, i, take);
        if (nested !== undefined) this.structure.emitTree(nested);
      });
      f.end();
    });
    assignAll();
    exits.inLine.callElsewhere(block, pushTarget, block.lifted.instructions.at(-1)!.address);
    return undefined;
  }

  /** One way out goes into an `if`, the other follows it: the `if` never falls through. */
  private emitBranch(block: RegionBlock, condition: number, take: TakeEdge): number | undefined {
    const { f } = this;
    const [taken, next] = block.successors;
    // The lighter way makes the shorter `if`; the other may go on for long, and costs no recursion.
    this.state.storeForBoth(block);
    const swap = this.structure.weight(block, taken) > this.structure.weight(block, next);
    f.get(condition);
    if (swap) f.op('i32.eqz');
    f.if();
    this.inArm(() => {
      const nested = take(swap ? next : taken);
      if (nested !== undefined) this.structure.emitTree(nested);
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

  private burn(count: number): void {
    const { f } = this;
    f.get(FUEL_LOCAL);
    f.i64(BigInt(count));
    f.op('i64.sub');
    f.set(FUEL_LOCAL);
  }
}

/** A variable and its value at a block's end. */
type Assignment = readonly [number, Node];
