import {
  CLOCK,
  CONTEXT_OPENS,
  FUEL,
  LAST_ADDRESS,
  LAST_EXECUTED,
  PRECISE_ADDRESS,
  STEPS,
  stepOffset,
  VALUES,
  valueOffset,
} from '../../guest/layout.ts';
import type { Node, Statement, VarId } from '../../ir/node.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import {
  ADDRESS,
  ADDRESS_LOCATION,
  FORM_VARIABLES,
  type Form,
  IMMEDIATE32,
  IMMEDIATE64,
  NEXT,
} from '../../x86/lift/form.ts';
import { LOCATIONS, locationOf, VARIABLES } from '../../x86/state.ts';
import { type PlaceFunctions, pushAddressOf } from '../code-places.ts';
import { isRaised } from '../contexts/meters.ts';
import { LoggedHandler, type TraceLog } from '../counts/trace-log.ts';
import { emitCheck, emitLoad, emitStore, terminatorOperand } from '../emission/statements.ts';
import type { Counting } from '../instruments.ts';
import { Scratch, Values } from '../lowering/values.ts';
import { FAULTS } from '../region-interface.ts';
import { stackSetIn } from '../regions/stack-offsets.ts';
import { loadName, sizeOf, storeName } from '../steps/access-names.ts';
import type { HandlerMeasure, Measure, Place, SupportFunctions } from '../steps/measure.ts';
import { type Checks, checkStores, checkTarget } from './foreseen-faults.ts';
import { type Field, HANDLER_TYPE, LINK, sizeOfField } from './record.ts';
import { closeIfRisen, emitSetStack, keepStack, type StackImports } from './stack-rises.ts';
import { goToBlock, type WayOn } from './way-on.ts';

/** What handlers call, as indices of the module being built. */
export interface HandlerImports
  extends SupportFunctions,
    StackImports,
    Checks,
    Pick<PlaceFunctions, 'addressOf'> {
  /** Type index of `HANDLER_TYPE`. */
  readonly handlerType: number;
  /** (link i32) -> record: where a link leads that is not known yet. */
  readonly link: number;
  readonly openByCall: number;
  readonly raise: number;
  /** These are called in the handler's place. (link of the target, link of the way back) */
  readonly callDirect: number;
  /** (target i64, link of the way back, place of the record's jump field) */
  readonly callIndirect: number;
  /** (target i64) */
  readonly doReturn: number;
  /** (target i64, place of the record's jump field) */
  readonly jumpIndirect: number;
  readonly helpers: { get(name: string): number };
}

export interface Handler {
  readonly f: FunctionBuilder;
  /** The record's parts behind the handler's slot, in order. */
  readonly fields: readonly Field[];
  /** Bytes of the record. */
  readonly size: number;
}

/** What handlers do besides, when somebody asks. */
export interface HandlerExtras {
  /** Whether executions are counted. */
  readonly tallies: boolean;
  /** Whether it is noted that the instruction has retired, and its step. */
  readonly isPrecise: boolean;
  /** Where it is logged what is accessed. */
  readonly log: TraceLog | undefined;
  readonly heads: WayOn['heads'];
}

export function emitHandler(
  form: Form,
  measure: Measure,
  imports: HandlerImports,
  counters: Counting,
  extras: HandlerExtras,
): Handler {
  return new HandlerEmitter(form, measure, imports, counters, extras).emit();
}

const RECORD = 0;

/** Emits the code of one form: the instruction's effects, its measurement, the way on. */
class HandlerEmitter {
  private readonly f: FunctionBuilder;
  private readonly scratch: Scratch;
  private readonly form: Form;
  private readonly imports: HandlerImports;
  private readonly counters: Counting;
  private readonly way: WayOn;
  private readonly tallies: boolean;
  private readonly isPrecise: boolean;
  private readonly measure: HandlerMeasure;
  private readonly values: Values;
  private readonly fields: Field[] = [];
  private size = 4;
  private readonly offsets = new Map<string, number>();
  /** Locals that hold 16 times the variable of a register. */
  private readonly registers = new Map<string, number>();
  private readonly variables = new Map<VarId, number>();

  constructor(
    form: Form,
    measure: Measure,
    imports: HandlerImports,
    counters: Counting,
    { tallies, isPrecise, log, heads }: HandlerExtras,
  ) {
    this.way = { handlerType: imports.handlerType, heads, tallies, counters };
    this.counters = counters;
    this.tallies = tallies;
    this.isPrecise = isPrecise;
    const f = new FunctionBuilder(HANDLER_TYPE);
    this.f = f;
    this.form = form;
    this.imports = imports;
    this.scratch = new Scratch(f);
    const host = {
      f,
      scratch: this.scratch,
      functions: imports,
      unalignedInLine: 'none',
      pushIsIdle: undefined,
      farInLine: false,
    } as const;
    const pushAddress = () => this.pushField({ kind: 'address' });
    const measured = measure.handle(host, {
      pushAddress,
      pushFollowing: () => this.pushField({ kind: 'following' }),
    });
    this.measure = log === undefined ? measured : new LoggedHandler(measured, log, f, pushAddress);
    this.values = new Values(
      f,
      this.scratch,
      (variable) => this.variables.get(variable)!,
      // Handlers may have been made on another machine.
      { helper: (name) => imports.helpers.get(name), fuses: false },
    );
  }

  emit(): Handler {
    const { f, form, imports, values, measure } = this;
    const { block } = form;
    for (const variable of block.uses) this.loadVariable(variable);
    for (const statement of block.statements) values.countStatement(statement);
    for (const node of block.assignments.values()) values.count(node);
    const operand = terminatorOperand(form.block.terminator);
    if (operand !== undefined) values.count(operand);

    const distance = stackSetIn(block);
    const before = distance === undefined ? undefined : keepStack(f, distance);
    const [instruction] = block.instructions;
    const places = (locations: readonly number[]) => locations.flatMap((location) => this.placesOf(location));
    let settled = false;
    const settle = () => {
      if (settled) return;
      settled = true;
      if (this.isPrecise) this.checkFirst(operand);
      measure.settle(places(instruction.sources));
    };
    for (const statement of block.statements) {
      if (statement.kind === 'store') settle();
      this.emitStatement(statement);
    }
    settle();
    for (const [variable, node] of block.assignments) this.assign(variable, node);
    measure.finish(places(instruction.destinations));
    if (this.isPrecise) this.noteRetired();
    const following = form.ends ? undefined : () => this.pushField({ kind: 'following' });
    if (before !== undefined) emitSetStack(f, imports, before, following);
    if (block.stackRises.length > 0) closeIfRisen(f, imports, following);
    this.emitEnd(operand);
    return { f: this.f, fields: this.fields, size: this.size };
  }

  private checkFirst(target: Node | undefined): void {
    const { f, values, imports, form } = this;
    if (target?.type === 'i64') checkTarget(f, values, imports, target);
    checkStores(f, values, imports, form.block.statements);
  }

  private noteRetired(): void {
    const { f, measure } = this;
    measure.noteLast();
    f.i32(0);
    f.i32(0);
    f.memory('i64.load', CLOCK);
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.op('i64.sub');
    f.memory('i64.store', LAST_EXECUTED);
    f.i32(0);
    this.pushField({ kind: 'address' });
    f.memory('i32.store', LAST_ADDRESS);
    f.i32(0);
    f.i32(0);
    f.memory('i32.store', PRECISE_ADDRESS);
  }

  // --- the record

  private offsetOf(field: Field): number {
    const key =
      'operand' in field
        ? `${field.kind} ${field.operand}`
        : field.kind === 'link'
          ? `link ${field.to}`
          : field.kind;
    let offset = this.offsets.get(key);
    if (offset === undefined) {
      offset = this.size;
      this.offsets.set(key, offset);
      this.fields.push(field);
      this.size += sizeOfField(field);
    }
    return offset;
  }

  /** Pushes a field of 4 bytes. */
  private pushField(field: Field): void {
    this.f.get(RECORD);
    this.f.memory('i32.load', this.offsetOf(field));
  }

  private pushPlaceOf(field: Field): void {
    const { f } = this;
    f.get(RECORD);
    f.i32(this.offsetOf(field));
    f.op('i32.add');
  }

  private registerLocal(field: Field): number {
    const key = 'operand' in field ? `${field.operand}` : field.kind;
    let local = this.registers.get(key);
    if (local === undefined) {
      local = this.f.local('i32');
      this.registers.set(key, local);
      this.pushField(field);
      this.f.set(local);
    }
    return local;
  }

  // --- variables

  private loadVariable(variable: VarId): void {
    const { f } = this;
    const { type } = FORM_VARIABLES[variable];
    const local = f.local(type);
    this.variables.set(variable, local);
    const standIn = this.form.standIns.get(variable);
    if (variable === ADDRESS) this.pushAddress();
    else if (variable === NEXT) {
      f.get(RECORD);
      f.memory('i64.load', this.offsetOf({ kind: 'next' }));
    } else if (IMMEDIATE32.includes(variable))
      this.pushField({ kind: 'immediate32', operand: IMMEDIATE32.indexOf(variable) });
    else if (IMMEDIATE64.includes(variable)) {
      f.get(RECORD);
      f.memory('i64.load', this.offsetOf({ kind: 'immediate64', operand: IMMEDIATE64.indexOf(variable) }));
    } else {
      const name = loadName(type, sizeOf(type));
      if (standIn === undefined) {
        f.i32(0);
        f.memory(name, valueOffset(variable));
      } else {
        f.get(this.registerLocal({ kind: 'register', operand: standIn.operand }));
        f.memory(name, VALUES + 16 * standIn.variable);
      }
    }
    f.set(local);
  }

  /** The effective address (SDM volume 1, 3.7.5), from the registers as they are before the instruction. */
  private pushAddress(): void {
    const { f } = this;
    const shape = this.form.address!;
    if (shape.kind === 'absolute') {
      f.get(RECORD);
      f.memory('i64.load', this.offsetOf({ kind: 'absolute' }));
    } else {
      f.get(this.registerLocal({ kind: 'base' }));
      f.memory('i64.load', VALUES);
      if (shape.kind === 'indexed') {
        f.get(this.registerLocal({ kind: 'index' }));
        f.memory('i64.load', VALUES);
        this.pushField({ kind: 'scale' });
        f.op('i64.extend_i32_u');
        f.op('i64.shl');
        f.op('i64.add');
      }
      f.get(RECORD);
      f.memory('i64.load32_s', this.offsetOf({ kind: 'displacement' }));
      f.op('i64.add');
      if (shape.narrow) {
        f.i64(0xffff_ffffn);
        f.op('i64.and');
      }
    }
    if (shape.segment === undefined) return;
    f.i32(0);
    f.memory('i64.load', valueOffset(shape.segment));
    f.op('i64.add');
  }

  /** Where the steps of a location are: an address has those of its registers. */
  private placesOf(location: number): Place[] {
    if (location === ADDRESS_LOCATION) {
      const shape = this.form.address!;
      const places: Place[] = [];
      // An address without a base has an index: general registers both.
      if (shape.kind !== 'absolute')
        places.push({ from: this.registerLocal({ kind: 'base' }), offset: STEPS, isRaised: true });
      if (shape.kind === 'indexed')
        places.push({ from: this.registerLocal({ kind: 'index' }), offset: STEPS, isRaised: true });
      if (shape.segment !== undefined) places.push(fixedPlace(locationOf(shape.segment)));
      return places;
    }
    const standIn = this.form.standIns.get(VARIABLE_AT[location]);
    if (standIn === undefined) return [fixedPlace(location)];
    const from = this.registerLocal({ kind: 'register', operand: standIn.operand });
    return [{ from, offset: STEPS + 16 * standIn.location, isRaised: isRaised(location) }];
  }

  private assign(variable: VarId, node: Node): void {
    const { f } = this;
    const { type } = FORM_VARIABLES[variable];
    const standIn = this.form.standIns.get(variable);
    const from =
      standIn === undefined ? undefined : this.registerLocal({ kind: 'register', operand: standIn.operand });
    const value = this.values.asLocal(node);
    if (from === undefined) f.i32(0);
    else f.get(from);
    f.get(value);
    const offset = standIn === undefined ? valueOffset(variable) : VALUES + 16 * standIn.variable;
    f.memory(storeName(type, sizeOf(type)), offset);
  }

  // --- statements

  private emitStatement(statement: Statement): void {
    const { f, values, measure } = this;
    switch (statement.kind) {
      case 'load':
        return emitLoad(f, values, measure, statement);
      case 'store':
        return emitStore(f, values, measure, statement);
      case 'check':
        return emitCheck(f, values, this.imports.checkStore, statement);
      case 'helper':
        this.counters.emit(f, `helpers: ${statement.name}`);
        for (const arg of statement.args) values.emit(arg);
        f.call(this.imports.helpers.get(statement.name));
        for (const result of [...statement.results].reverse()) values.define(result);
        return;
      case 'guard':
        values.emit(statement.condition);
        f.if(undefined, 'unlikely');
        f.i32(FAULTS.indexOf(statement.fault));
        this.pushField({ kind: 'address' });
        f.call(this.imports.raise);
        f.unreachable();
        f.end();
    }
  }

  // --- ends

  private emitEnd(operand: Node | undefined): void {
    const { f, imports, form } = this;
    const { terminator } = form.block;
    if (!form.ends) return this.goOn();
    switch (terminator.kind) {
      case 'jump':
        return this.follow(() => this.pushPlaceOf({ kind: 'link', to: 'target' }));
      case 'branch': {
        const taken = this.offsetOf({ kind: 'link', to: 'taken' });
        const next = this.offsetOf({ kind: 'link', to: 'next' });
        if (next !== taken + LINK.size) throw new Error('the links of a branch are not neighbours');
        if (this.tallies) this.countTaken(operand!);
        return this.follow(() => {
          f.get(RECORD);
          f.i32(taken);
          f.i32(next);
          this.values.emit(operand!);
          f.op('select');
          f.op('i32.add');
        });
      }
      case 'call': {
        const back = () => this.pushPlaceOf({ kind: 'link', to: 'next' });
        const target = operand === undefined ? undefined : this.values.asLocal(operand);
        this.ifContextsOpen(() => {
          if (target !== undefined) f.get(target);
          else {
            const place = this.offsetOf({ kind: 'link', to: 'target' }) + LINK.place;
            const pushPlace = () => {
              f.get(RECORD);
              f.memory('i32.load', place);
            };
            pushAddressOf(f, pushPlace, imports);
          }
          f.call(imports.openByCall);
        });
        if (target === undefined) this.pushPlaceOf({ kind: 'link', to: 'target' });
        else f.get(target);
        back();
        if (target === undefined) return f.returnCall(imports.callDirect);
        this.pushPlaceOf({ kind: 'jump' });
        return f.returnCall(imports.callIndirect);
      }
      case 'return':
        this.values.emit(operand!);
        return f.returnCall(imports.doReturn);
      case 'indirect-jump':
        this.values.emit(operand!);
        this.pushPlaceOf({ kind: 'jump' });
        return f.returnCall(imports.jumpIndirect);
      default:
        throw new Error(`a handler cannot end in a ${terminator.kind}`);
    }
  }

  private countTaken(condition: Node): void {
    const { f } = this;
    const place = this.offsetOf({ kind: 'taken' });
    const taken = this.values.asLocal(condition);
    f.get(RECORD);
    f.get(RECORD);
    f.memory('i64.load', place);
    f.get(taken);
    f.i32(0);
    f.op('i32.ne');
    f.op('i64.extend_i32_u');
    f.op('i64.add');
    f.memory('i64.store', place);
  }

  private ifContextsOpen(emit: () => void): void {
    const { f } = this;
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    emit();
    f.end();
  }

  /** Goes on with the next record. */
  private goOn(): void {
    const { f } = this;
    // The record's size is known by now: nothing after this adds to it.
    f.get(RECORD);
    f.i32(this.size);
    f.op('i32.add');
    f.get(RECORD);
    f.memory('i32.load', this.size);
    f.returnCallIndirect(this.imports.handlerType);
  }

  private follow(pushLink: () => void): void {
    const { f, imports, scratch } = this;
    const link = scratch.take('i32');
    const record = scratch.take('i32');
    pushLink();
    f.tee(link);
    f.memory('i32.load', 0);
    f.tee(record);
    f.op('i32.eqz');
    f.if(undefined, 'unlikely');
    f.get(link);
    f.call(imports.link);
    f.set(record);
    f.end();
    goToBlock(f, record, this.way);
  }
}

/** The first variable of each location. */
const VARIABLE_AT = new Int32Array(LOCATIONS).fill(-1);
for (const [variable, { location }] of VARIABLES.entries())
  if (location !== undefined && VARIABLE_AT[location] < 0) VARIABLE_AT[location] = variable;

const fixedPlace = (location: number): Place => ({
  from: undefined,
  offset: stepOffset(location),
  isRaised: isRaised(location),
});
