import { PAGE_SIZE } from '../../guest/layout.ts';
import { READ } from '../../guest/memory.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { AR, CF, DF, OF, RAX, RCX, RDI, RSI, SR, ZR } from '../../x86/state.ts';
import { EQUAL_IN_NUMBER } from './numbers.ts';
import { Repeated, type StringParts } from './repeated.ts';

const FLAGS = [CF, OF, ZR];

/** `repe` and `repne`, `scas` and `cmps`, upwards: what `strlen` and `memcmp` are where compilers want little code. */
export class Search extends Repeated {
  private readonly compares: boolean;
  /** Count, and next addresses. */
  private readonly left: number;
  private readonly target: number;
  private readonly source: number;
  /** What was compared last, without signs, and what is left of 64 bits above it. */
  private readonly x: number;
  private readonly y: number;
  private readonly above: number;
  /** Of all that was compared. */
  private readonly bytes: number;

  constructor(parts: StringParts, kind: 'scas' | 'cmps') {
    super(parts);
    const { f } = this;
    this.compares = kind === 'cmps';
    this.left = f.local('i64');
    this.target = f.local('i64');
    this.source = f.local('i64');
    this.x = f.local('i64');
    this.y = f.local('i64');
    this.above = f.local('i64');
    this.bytes = f.local('i32');
  }

  emit(): FunctionBuilder {
    const { f } = this;
    this.readRegisters();
    const pointers = this.compares ? [RDI, RSI] : [RDI];
    this.ifAny(() => {
      this.search();
      this.setFlags();
      this.pushAt(this.target);
      this.pushValue(RDI);
      f.op('i32.wrap_i64');
      f.op('i32.sub');
      f.set(this.bytes);
    });
    this.measure(
      {
        sources: [RCX, DF, ...pointers, ...(this.compares ? [] : [RAX]), ...FLAGS],
        destinations: [RCX, ...pointers, ...FLAGS],
      },
      (raise) =>
        this.ifAny(() => {
          for (const pointer of pointers) {
            raise(() => {
              this.pushValue(pointer);
              f.get(this.bytes);
              f.call(this.parts.loadStep);
            });
          }
        }),
    );
    this.setValue(RCX, 'i64', () => f.get(this.left));
    this.setValue(RDI, 'i64', () => f.get(this.target));
    if (this.compares) this.setValue(RSI, 'i64', () => f.get(this.source));
    return this.finish();
  }

  private readRegisters(): void {
    const { f } = this;
    this.pushValue(DF, 'i32');
    f.brIf(this.elsewhere, 'unlikely');
    this.pushValue(RCX);
    f.set(this.left);
    this.pushValue(RDI);
    f.set(this.target);
    this.pushValue(RSI);
    f.set(this.source);
    f.i64(64n);
    f.i64(8n);
    f.get(this.log);
    f.op('i64.extend_i32_u');
    f.op('i64.shl');
    f.op('i64.sub');
    f.set(this.above);
    if (this.compares) return;
    this.setElement(this.x, () => this.pushValue(RAX));
  }

  private ifAny(emit: () => void): void {
    this.pushValue(RCX);
    this.f.op('i64.eqz');
    this.f.op('i32.eqz');
    this.f.if();
    emit();
    this.f.end();
  }

  private setElement(element: number, push: () => void): void {
    const { f } = this;
    push();
    f.get(this.above);
    f.op('i64.shl');
    f.get(this.above);
    f.op('i64.shr_u');
    f.set(element);
  }

  /** In runs of elements that lie in one page each: behind the element that ends it, no page need be there. */
  private search(): void {
    const { f } = this;
    const room = f.local('i32');
    const at = f.local('i32');
    const addresses = this.compares ? [this.target, this.source] : [this.target];
    const over = f.block();
    const found = f.block();
    const nextPage = f.loop();
    for (const address of addresses) this.checkPages(address, () => f.i32(1), READ);
    this.setRoom(room);
    f.i32(0);
    f.set(at);
    const next = f.loop();
    if (this.compares) this.setElement(this.x, () => this.pushElement(this.source, at));
    this.setElement(this.y, () => this.pushElement(this.target, at));
    f.get(at);
    f.i32(1);
    f.get(this.log);
    f.op('i32.shl');
    f.op('i32.add');
    f.set(at);
    f.get(this.x);
    f.get(this.y);
    f.op('i64.eq');
    f.get(0);
    f.i32(EQUAL_IN_NUMBER);
    f.op('i32.and');
    f.op('i32.eqz');
    f.op('i32.ne');
    f.brIf(found);
    f.get(at);
    f.get(room);
    f.op('i32.ne');
    f.brIf(next);
    f.end();
    this.pass(addresses, at);
    f.get(this.left);
    f.op('i64.eqz');
    f.op('i32.eqz');
    f.brIf(nextPage);
    f.end();
    f.br(over);
    f.end();
    this.pass(addresses, at);
    f.end();
  }

  /** As much as is read beyond the element is not used; memory goes on there (4 GiB, of which guests have the lower part). */
  private pushElement(address: number, at: number): void {
    const { f } = this;
    this.pushAt(address);
    f.get(at);
    f.op('i32.add');
    f.memory('i64.load', 0);
  }

  /** Bytes of the elements that are left and end with the page at the latest. Where an element lies in two, all is done elsewhere. */
  private setRoom(room: number): void {
    const { f } = this;
    const pushRest = (address: number) => {
      f.i32(PAGE_SIZE);
      this.pushAt(address);
      f.i32(PAGE_SIZE - 1);
      f.op('i32.and');
      f.op('i32.sub');
    };
    pushRest(this.target);
    f.set(room);
    const smaller = (pushOther: () => void, pushIs: () => void) => {
      pushOther();
      f.get(room);
      pushIs();
      f.op('select');
      f.set(room);
    };
    if (this.compares) {
      smaller(
        () => pushRest(this.source),
        () => {
          pushRest(this.source);
          f.get(room);
          f.op('i32.lt_u');
        },
      );
    }
    f.get(room);
    f.get(this.log);
    f.op('i32.shr_u');
    f.tee(room);
    f.op('i32.eqz');
    f.brIf(this.elsewhere, 'unlikely');
    smaller(
      () => this.pushAt(this.left),
      () => {
        f.get(this.left);
        f.get(room);
        f.op('i64.extend_i32_u');
        f.op('i64.lt_u');
      },
    );
    f.get(room);
    f.get(this.log);
    f.op('i32.shl');
    f.set(room);
  }

  /** So many bytes were compared. */
  private pass(addresses: readonly number[], bytes: number): void {
    const { f } = this;
    for (const address of addresses) {
      f.get(address);
      f.get(bytes);
      f.op('i64.extend_i32_u');
      f.op('i64.add');
      f.set(address);
    }
    f.get(this.left);
    f.get(bytes);
    f.get(this.log);
    f.op('i32.shr_u');
    f.op('i64.extend_i32_u');
    f.op('i64.sub');
    f.set(this.left);
  }

  /** As `sub` leaves them. */
  private setFlags(): void {
    const { f, x, y } = this;
    const result = f.local('i64');
    f.get(x);
    f.get(y);
    f.op('i64.sub');
    f.get(this.above);
    f.op('i64.shl');
    f.get(this.above);
    f.op('i64.shr_s');
    f.set(result);
    this.setValue(CF, 'i32', () => {
      f.get(x);
      f.get(y);
      f.op('i64.lt_u');
    });
    this.setValue(OF, 'i32', () => {
      // Signs differ, and the result's is not that of x.
      f.get(x);
      f.get(y);
      f.op('i64.xor');
      f.get(x);
      f.get(result);
      f.op('i64.xor');
      f.op('i64.and');
      f.get(this.above);
      f.op('i64.shl');
      f.i64(63n);
      f.op('i64.shr_u');
      f.op('i32.wrap_i64');
    });
    for (const variable of [ZR, SR]) this.setValue(variable, 'i64', () => f.get(result));
    this.setValue(AR, 'i32', () => {
      f.get(x);
      f.get(y);
      f.op('i64.xor');
      f.get(result);
      f.op('i64.xor');
      f.op('i32.wrap_i64');
      f.i32(0x10);
      f.op('i32.and');
    });
  }
}
