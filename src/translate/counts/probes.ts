import type { FunctionBuilder } from '../../wasm/function.ts';

/** Addresses at which generated code stops, when control has come there so many times more. */
export class Probes {
  private readonly view: DataView;
  /** Where in memory it is counted down, by address. */
  private readonly cells = new Map<number, number>();

  /** `takeCells` gives places of 8 bytes each. */
  constructor(memory: ArrayBuffer, addresses: Iterable<number>, takeCells: (count: number) => number) {
    this.view = new DataView(memory);
    const all = [...new Set(addresses)];
    const at = takeCells(all.length);
    all.forEach((address, i) => {
      this.cells.set(address, at + 8 * i);
      this.set(address, Infinity);
    });
  }

  has(address: number): boolean {
    return this.cells.has(address);
  }

  cellOf(address: number): number | undefined {
    return this.cells.get(address);
  }

  /** How often control may come there before it stops: -1 where it has stopped. */
  left(address: number): number {
    return Number(this.view.getBigInt64(this.cells.get(address)!, true));
  }

  set(address: number, left: number): void {
    const most = 2 ** 62;
    this.view.setBigInt64(this.cells.get(address)!, BigInt(Math.min(left, most)), true);
  }
}

/** Counts down; begins an `if` that is for when control is to stop. */
export function ifProbed(f: FunctionBuilder, pushCell: () => void, offset: number): void {
  const left = f.local('i64');
  pushCell();
  pushCell();
  f.memory('i64.load', offset);
  f.i64(1n);
  f.op('i64.sub');
  f.tee(left);
  f.memory('i64.store', offset);
  f.get(left);
  f.i64(0n);
  f.op('i64.lt_s');
  f.if(undefined, 'unlikely');
}
