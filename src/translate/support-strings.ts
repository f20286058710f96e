import { FLOOR, MAXIMUM, PAGE_SIZE, PERMISSIONS, stepOffset, valueOffset } from '../guest/layout.ts';
import { FAST_STORE, READ } from '../guest/memory.ts';
import { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { DF, locationOf, RAX, RCX, RDI, RSI } from '../x86/state.ts';
import { emitRaiseMaximum } from './context-meters.ts';
import type { LaneShape } from './lane-shape.ts';
import type { ServiceParts } from './measure.ts';
import type { ServiceSite } from './region-interface.ts';

/**
 * The common cases of `rep movs` and `rep stos` (x86/services/string.ts has all of them) in WebAssembly: compilers clear
 * and copy small structures so (measured on gawk: 2.4 of 4.4 s were these instructions as services in JavaScript).
 *
 * Such a service's number tells the case, above the number of its site.
 */
const SITE_BITS = 20;
const SIZE_SHIFT = SITE_BITS;
const STOS = 1 << 24;
const MOVS = 1 << 25;

export const siteOf = (number: number): number =>
  (number & (STOS | MOVS)) === 0 ? number : number & ((1 << SITE_BITS) - 1);

/** What generated code calls `service` with. */
export function serviceNumber(site: ServiceSite, index: number): number {
  const kind = site.service === 'stos' ? STOS : site.service === 'movs' ? MOVS : 0;
  // 64-bit addresses, no segment: the argument is the element's size alone (see x86/string-form.ts).
  if (kind === 0 || index >>> SITE_BITS !== 0 || (site.argument & ~(3 | 8)) !== 0) return index;
  return kind | ((site.argument & 3) << SIZE_SHIFT) | index;
}

/** Bytes at most: two pages, whose permissions are asked at both ends. */
const LONGEST = PAGE_SIZE;

/** service(number i32) */
export function defineService(
  module: ModuleBuilder,
  parts: ServiceParts,
  shape: LaneShape,
  end: number,
): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const elsewhere = f.block();
  f.get(0);
  f.i32(STOS | MOVS);
  f.op('i32.and');
  f.op('i32.eqz');
  f.brIf(elsewhere);
  new Repeated(f, parts, shape, end, elsewhere).emit();
  f.return();
  f.end();
  f.get(0);
  f.call(parts.serve);
  return module.define(f);
}

const stepOf = (variable: number): number => stepOffset(locationOf(variable));

class Repeated {
  private readonly f: FunctionBuilder;
  private readonly parts: ServiceParts;
  private readonly shape: LaneShape;
  /** Of the addresses that have steps. */
  private readonly end: number;
  private readonly elsewhere: number;
  private readonly length: number;
  private readonly target: number;
  private readonly source: number;
  private readonly step: number;

  constructor(f: FunctionBuilder, parts: ServiceParts, shape: LaneShape, end: number, elsewhere: number) {
    this.end = end;
    this.f = f;
    this.parts = parts;
    this.shape = shape;
    this.elsewhere = elsewhere;
    this.length = f.local('i32');
    this.target = f.local('i64');
    this.source = f.local('i64');
    this.step = f.local('v128');
  }

  emit(): void {
    const { f } = this;
    this.readRegisters();
    this.checkPages(this.target, FAST_STORE);
    this.ifMovs(() => {
      this.checkPages(this.source, READ);
      this.checkOverlap();
    });
    this.measure();
    this.ifMovs(
      () => {
        this.pushAt(this.target);
        this.pushAt(this.source);
        f.get(this.length);
        f.memoryCopy();
      },
      () => this.fill(),
    );
    this.writeRegisters();
  }

  private pushValue(variable: number): void {
    this.f.i32(0);
    this.f.memory('i64.load', valueOffset(variable));
  }

  private pushAt(address: number): void {
    this.f.get(address);
    this.f.op('i32.wrap_i64');
  }

  private ifMovs(emit: () => void, otherwise?: () => void): void {
    const { f } = this;
    f.get(0);
    f.i32(MOVS);
    f.op('i32.and');
    f.if();
    emit();
    if (otherwise !== undefined) {
      f.else();
      otherwise();
    }
    f.end();
  }

  private readRegisters(): void {
    const { f, elsewhere } = this;
    // A count from 1 to LONGEST, upwards.
    this.pushValue(RCX);
    f.i64(1n);
    f.op('i64.sub');
    f.i64(BigInt(LONGEST));
    f.op('i64.ge_u');
    f.brIf(elsewhere, 'unlikely');
    f.i32(0);
    f.memory('i32.load', valueOffset(DF));
    f.brIf(elsewhere, 'unlikely');
    this.pushValue(RCX);
    f.op('i32.wrap_i64');
    f.get(0);
    f.i32(SIZE_SHIFT);
    f.op('i32.shr_u');
    f.i32(3);
    f.op('i32.and');
    f.op('i32.shl');
    f.tee(this.length);
    f.i32(LONGEST);
    f.op('i32.gt_u');
    f.brIf(elsewhere, 'unlikely');
    this.pushValue(RDI);
    f.set(this.target);
    this.pushValue(RSI);
    f.set(this.source);
  }

  /** Whoever has not the permission at both ends is told so elsewhere. */
  private checkPages(address: number, permission: number): void {
    const { f, elsewhere } = this;
    f.get(address);
    f.i64(BigInt(this.end - LONGEST));
    f.op('i64.gt_u');
    f.brIf(elsewhere, 'unlikely');
    for (const isLast of [false, true]) {
      this.pushAt(address);
      if (isLast) {
        f.get(this.length);
        f.op('i32.add');
        f.i32(1);
        f.op('i32.sub');
      }
      f.i32(Math.log2(PAGE_SIZE));
      f.op('i32.shr_u');
      f.memory('i32.load8_u', PERMISSIONS);
      f.i32(permission);
      f.op('i32.and');
      f.op('i32.eqz');
      f.brIf(elsewhere, 'unlikely');
    }
  }

  /** A copy whose later elements read what earlier ones wrote is done elsewhere. */
  private checkOverlap(): void {
    const { f } = this;
    f.get(this.target);
    f.get(this.source);
    f.op('i64.sub');
    f.i64(1n);
    f.op('i64.sub');
    f.get(this.length);
    f.op('i64.extend_i32_u');
    f.i64(1n);
    f.op('i64.sub');
    f.op('i64.lt_u');
    f.brIf(this.elsewhere, 'unlikely');
  }

  /** Rules 4 and 5, as `LanesLedger.apply`. */
  private measure(): void {
    const { f, parts, shape, step } = this;
    const raise = (push: () => void) => {
      f.get(step);
      push();
      f.op(shape.max);
      f.set(step);
    };
    const raiseTo = (offset: number) =>
      raise(() => {
        f.i32(0);
        f.memory('v128.load', offset);
      });
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.set(step);
    for (const variable of [RCX, RDI, DF]) raiseTo(stepOf(variable));
    this.ifMovs(
      () => {
        raiseTo(stepOf(RSI));
        raise(() => {
          f.get(this.source);
          f.get(this.length);
          f.call(parts.loadStep);
        });
      },
      () => raiseTo(stepOf(RAX)),
    );
    f.get(step);
    shape.pushOffset(f, 1);
    f.op(shape.add);
    f.set(step);
    f.get(this.target);
    f.get(this.length);
    f.get(step);
    f.call(parts.storeStep);
    // The overwritten steps may be the largest so far.
    emitRaiseMaximum(f, shape);
    const put = (offset: number) => {
      f.i32(0);
      f.get(step);
      f.memory('v128.store', offset);
    };
    put(stepOf(RCX));
    put(stepOf(RDI));
    this.ifMovs(() => put(stepOf(RSI)));
    f.i32(0);
    f.i32(0);
    f.memory('v128.load', MAXIMUM);
    f.get(step);
    f.op(shape.max);
    f.memory('v128.store', MAXIMUM);
  }

  /** The accumulator's low bytes again and again. */
  private fill(): void {
    const { f } = this;
    const pattern = f.local('i64');
    const at = f.local('i32');
    const end = f.local('i32');
    // As often as it fits into 8 bytes.
    const repeats = [0x0101_0101_0101_0101n, 0x0001_0001_0001_0001n, 0x0000_0001_0000_0001n, 1n];
    const done = f.block();
    const cases = repeats.map(() => f.block()).reverse();
    f.get(0);
    f.i32(SIZE_SHIFT);
    f.op('i32.shr_u');
    f.i32(3);
    f.op('i32.and');
    f.brTable(cases, cases[3]);
    repeats.forEach((repeat, i) => {
      f.end();
      this.pushValue(RAX);
      if (i < 3) {
        f.i64((1n << BigInt(8 << i)) - 1n);
        f.op('i64.and');
        f.i64(repeat);
        f.op('i64.mul');
      }
      f.set(pattern);
      f.br(done);
    });
    f.end();
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
    this.advance(at, 8);
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
      this.advance(at, size);
      f.end();
    }
  }

  private advance(at: number, bytes: number): void {
    const { f } = this;
    f.get(at);
    f.i32(bytes);
    f.op('i32.add');
    f.set(at);
  }

  private writeRegisters(): void {
    const { f } = this;
    f.i32(0);
    f.i64(0n);
    f.memory('i64.store', valueOffset(RCX));
    const move = (variable: number, address: number) => {
      f.i32(0);
      f.get(address);
      f.get(this.length);
      f.op('i64.extend_i32_u');
      f.op('i64.add');
      f.memory('i64.store', valueOffset(variable));
    };
    move(RDI, this.target);
    this.ifMovs(() => move(RSI, this.source));
  }
}
