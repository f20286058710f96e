import { FLOOR, MAXIMUM, stepOffset, valueOffset } from '../../guest/layout.ts';
import type { VarId } from '../../ir/node.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import { locationOf } from '../../x86/state.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import type { SupportFunctions } from '../steps/measure.ts';
import { SIZE_IN_NUMBER } from './numbers.ts';

/** What the functions of string instructions need. */
export interface StringParts extends SupportFunctions {
  readonly shape: LaneShape;
  /** See pages.ts. */
  readonly allow: number;
}

/**
 * A function for one kind of repeated string instruction: (number i32) -> i32, whether it has executed and measured it. Where it has
 * not, nothing has changed, and x86/services/string.ts does it.
 */
export abstract class Repeated {
  readonly f = new FunctionBuilder({ params: ['i32'], results: ['i32'] });
  protected readonly parts: StringParts;
  /** Label of what is not done here. */
  protected readonly elsewhere: number;
  /** The logarithm of an element's size. */
  protected readonly log: number;
  private readonly step: number;

  constructor(parts: StringParts) {
    const { f } = this;
    this.parts = parts;
    this.elsewhere = f.block();
    this.log = f.local('i32');
    this.step = f.local('v128');
    f.get(0);
    f.i32(SIZE_IN_NUMBER.shift);
    f.op('i32.shr_u');
    f.i32(SIZE_IN_NUMBER.mask);
    f.op('i32.and');
    f.set(this.log);
  }

  protected finish(): FunctionBuilder {
    const { f } = this;
    f.i32(1);
    f.return();
    f.end();
    f.i32(0);
    return f;
  }

  protected pushValue(variable: VarId, type: 'i32' | 'i64' = 'i64'): void {
    this.f.i32(0);
    this.f.memory(`${type}.load`, valueOffset(variable));
  }

  protected setValue(variable: VarId, type: 'i32' | 'i64', push: () => void): void {
    this.f.i32(0);
    push();
    this.f.memory(`${type}.store`, valueOffset(variable));
  }

  protected pushAt(address: number): void {
    this.f.get(address);
    this.f.op('i32.wrap_i64');
  }

  /** Whoever has not the permission is told so elsewhere. */
  protected checkPages(address: number, pushBytes: () => void, permission: number): void {
    const { f } = this;
    f.get(address);
    pushBytes();
    f.i32(permission);
    f.call(this.parts.allow);
    f.op('i32.eqz');
    f.brIf(this.elsewhere, 'unlikely');
  }

  /** Rules 4 and 5, as `LanesLedger.apply`: the cycle behind that of all that is read, `load` included, for all that is written. */
  protected measure(
    {
      sources,
      destinations,
    }: { readonly sources: readonly VarId[]; readonly destinations: readonly VarId[] },
    load: (raise: (push: () => void) => void) => void,
    store?: (pushStep: () => void) => void,
  ): void {
    const { f, step } = this;
    const { shape } = this.parts;
    const stepsOf = (variables: readonly VarId[]) =>
      new Set(variables.map((variable) => stepOffset(locationOf(variable))));
    const pushAt = (offset: number) => {
      f.i32(0);
      f.memory('v128.load', offset);
    };
    const raise = (push: () => void) => {
      f.get(step);
      push();
      f.op(shape.max);
      f.set(step);
    };
    pushAt(FLOOR);
    f.set(step);
    for (const offset of stepsOf(sources)) raise(() => pushAt(offset));
    load(raise);
    f.get(step);
    shape.pushOffset(f, 1);
    f.op(shape.add);
    f.set(step);
    store?.(() => f.get(step));
    // The steps that are overwritten are sources' as well, hence below the new one: MAXIMUM need not be told of them.
    for (const offset of stepsOf(destinations)) {
      f.i32(0);
      f.get(step);
      f.memory('v128.store', offset);
    }
    f.i32(0);
    pushAt(MAXIMUM);
    f.get(step);
    f.op(shape.max);
    f.memory('v128.store', MAXIMUM);
  }
}
