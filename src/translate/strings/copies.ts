import { FAST_STORE, READ } from '../../guest/memory.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { DF, RAX, RCX, RDI, RSI } from '../../x86/state.ts';
import { Repeated, type StringParts } from './repeated.ts';

/** Bytes at most. What is longer takes so long that JavaScript hardly counts. */
const LONGEST = 1 << 20;

/** `rep stos` and `rep movs`, upwards and downwards. */
export class Copy extends Repeated {
  private readonly moves: boolean;
  private readonly isDown: number;
  private readonly length: number;
  /** The lowest addresses. */
  private readonly target: number;
  private readonly source: number;
  /** How far behind what it reads, in its direction, it writes; and whether it so reads what it has written. */
  private readonly lag: number;
  private readonly feedsItself: number;

  constructor(parts: StringParts, kind: 'stos' | 'movs') {
    super(parts);
    const { f } = this;
    this.moves = kind === 'movs';
    this.isDown = f.local('i32');
    this.length = f.local('i32');
    this.target = f.local('i64');
    this.source = f.local('i64');
    this.lag = f.local('i32');
    this.feedsItself = f.local('i32');
  }

  emit(): FunctionBuilder {
    const { f } = this;
    this.readRegisters();
    this.ifAny(() => {
      this.checkPages(this.target, () => f.get(this.length), FAST_STORE);
      if (!this.moves) return;
      this.checkPages(this.source, () => f.get(this.length), READ);
      this.findLag();
    });
    const moved = this.moves ? [RDI, RSI] : [RDI];
    this.measure(
      { sources: [RCX, DF, ...moved, ...(this.moves ? [] : [RAX])], destinations: [RCX, ...moved] },
      (raise) => {
        if (this.moves) this.ifAny(() => raise(() => this.pushStepsRead()));
      },
      (pushStep) => this.ifAny(() => this.pushRange(this.target, this.parts.storeStep, pushStep)),
    );
    this.ifAny(() => (this.moves ? this.move() : this.fill()));
    this.setValue(RCX, 'i64', () => f.i64(0n));
    for (const variable of moved) this.advance(variable);
    return this.finish();
  }

  /** With a count of 0, pointers are pointers to nothing. */
  private ifAny(emit: () => void): void {
    this.f.get(this.length);
    this.f.if();
    emit();
    this.f.end();
  }

  private pushRange(address: number, call: number, pushMore: () => void = () => {}): void {
    const { f } = this;
    f.get(address);
    f.get(this.length);
    pushMore();
    f.call(call);
  }

  private readRegisters(): void {
    const { f } = this;
    this.pushValue(RCX);
    f.i64(BigInt(LONGEST));
    f.op('i64.gt_u');
    f.brIf(this.elsewhere, 'unlikely');
    this.pushValue(RCX);
    f.op('i32.wrap_i64');
    f.get(this.log);
    f.op('i32.shl');
    f.tee(this.length);
    f.i32(LONGEST);
    f.op('i32.gt_u');
    f.brIf(this.elsewhere, 'unlikely');
    this.pushValue(DF, 'i32');
    f.set(this.isDown);
    this.setLowest(this.target, RDI);
    if (this.moves) this.setLowest(this.source, RSI);
  }

  private pushSize(): void {
    this.f.i32(1);
    this.f.get(this.log);
    this.f.op('i32.shl');
  }

  /** Downwards the pointer is that of the last element. */
  private setLowest(address: number, pointer: number): void {
    const { f } = this;
    this.pushValue(pointer);
    f.get(this.isDown);
    f.if('i64', 'unlikely');
    f.get(this.length);
    this.pushSize();
    f.op('i32.sub');
    f.op('i64.extend_i32_u');
    f.else();
    f.i64(0n);
    f.end();
    f.op('i64.sub');
    f.set(address);
  }

  private advance(pointer: number): void {
    const { f } = this;
    this.setValue(pointer, 'i64', () => {
      this.pushValue(pointer);
      this.pushSigned(() => f.get(this.length));
      f.op('i64.extend_i32_s');
      f.op('i64.add');
    });
  }

  /** Downwards the negative of it. */
  private pushSigned(push: () => void): void {
    const { f } = this;
    f.i32(0);
    push();
    f.op('i32.sub');
    push();
    f.get(this.isDown);
    f.op('select');
  }

  private move(): void {
    const { f } = this;
    f.get(this.feedsItself);
    f.if(undefined, 'unlikely');
    this.moveElements();
    f.else();
    this.pushAt(this.target);
    this.pushAt(this.source);
    f.get(this.length);
    f.memoryCopy();
    f.end();
  }

  /**
   * Whether later elements read what earlier ones wrote, so that the start is repeated: decompressors copy so. Where an element writes into
   * what it has just read itself, what is read before is no range.
   */
  private findLag(): void {
    const { f } = this;
    // Neither is above 4 GiB by now.
    this.pushAt(this.target);
    this.pushAt(this.source);
    f.op('i32.sub');
    f.set(this.lag);
    this.pushSigned(() => f.get(this.lag));
    f.tee(this.lag);
    f.i32(1);
    f.op('i32.sub');
    f.get(this.length);
    f.i32(1);
    f.op('i32.sub');
    f.op('i32.lt_u');
    f.tee(this.feedsItself);
    f.get(this.lag);
    this.pushSize();
    f.op('i32.lt_u');
    f.op('i32.and');
    f.brIf(this.elsewhere, 'unlikely');
  }

  /** The largest step of what it reads and has not written by then (rule 4). */
  private pushStepsRead(): void {
    const { f } = this;
    f.get(this.source);
    f.get(this.length);
    f.get(this.lag);
    f.op('i32.sub');
    f.i32(0);
    f.get(this.feedsItself);
    f.get(this.isDown);
    f.op('i32.and');
    f.op('select');
    f.op('i64.extend_i32_u');
    f.op('i64.add');
    f.get(this.lag);
    f.get(this.length);
    f.get(this.feedsItself);
    f.op('select');
    f.call(this.parts.loadStep);
  }

  private moveElements(): void {
    const { f } = this;
    const [to, from, left, step] = Array.from({ length: 4 }, () => f.local('i32'));
    for (const [at, pointer] of [
      [to, RDI],
      [from, RSI],
    ]) {
      this.pushValue(pointer);
      f.op('i32.wrap_i64');
      f.set(at);
    }
    f.get(this.length);
    f.get(this.log);
    f.op('i32.shr_u');
    f.set(left);
    this.pushSigned(() => this.pushSize());
    f.set(step);
    this.bySize((size) => {
      const suffix = size === 8 ? '' : size === 4 ? '32' : size === 2 ? '16' : '8';
      const next = f.loop();
      f.get(to);
      f.get(from);
      f.memory(size === 8 ? 'i64.load' : `i64.load${suffix}_u`, 0);
      f.memory(`i64.store${suffix}`, 0);
      for (const at of [to, from]) {
        f.get(at);
        f.get(step);
        f.op('i32.add');
        f.set(at);
      }
      f.get(left);
      f.i32(1);
      f.op('i32.sub');
      f.tee(left);
      f.brIf(next);
      f.end();
    });
  }

  private bySize(emit: (size: 1 | 2 | 4 | 8) => void): void {
    const { f } = this;
    const done = f.block();
    const cases = [8, 4, 2, 1].map(() => f.block()).reverse();
    f.get(this.log);
    f.brTable(cases, cases[3]);
    for (const size of [1, 2, 4, 8] as const) {
      f.end();
      emit(size);
      if (size < 8) f.br(done);
    }
    f.end();
  }

  /** The accumulator's low bytes again and again. */
  private fill(): void {
    const { f } = this;
    const pattern = f.local('i64');
    const at = f.local('i32');
    const end = f.local('i32');
    this.bySize((size) => {
      this.pushValue(RAX);
      if (size < 8) {
        // As often as it fits into 8 bytes.
        f.i64((1n << BigInt(8 * size)) - 1n);
        f.op('i64.and');
        f.i64((2n ** 64n - 1n) / (2n ** BigInt(8 * size) - 1n));
        f.op('i64.mul');
      }
      f.set(pattern);
    });
    this.pushAt(this.target);
    f.tee(at);
    f.get(this.length);
    f.op('i32.add');
    f.set(end);
    const enough = f.block();
    const next = f.loop();
    f.get(end);
    f.get(at);
    f.op('i32.sub');
    f.i32(8);
    f.op('i32.lt_u');
    f.brIf(enough);
    f.get(at);
    f.get(pattern);
    f.memory('i64.store', 0);
    this.addTo(at, 8);
    f.br(next);
    f.end();
    f.end();
    for (const size of [4, 2, 1] as const) {
      f.get(this.length);
      f.i32(size);
      f.op('i32.and');
      f.if();
      f.get(at);
      f.get(pattern);
      f.memory(size === 4 ? 'i64.store32' : size === 2 ? 'i64.store16' : 'i64.store8', 0);
      this.addTo(at, size);
      f.end();
    }
  }

  private addTo(at: number, bytes: number): void {
    const { f } = this;
    f.get(at);
    f.i32(bytes);
    f.op('i32.add');
    f.set(at);
  }
}
