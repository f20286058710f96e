import type { StoredSlot } from '../stored/stored-code.ts';

/** In place of the address of a slot that holds a handler. */
const HANDLER = -1;

/** What the slots of a code cache's table stand for. */
export class Slots {
  private readonly ofAddress = new Map<number, number>();
  private readonly variants = new Map<string, number>();
  private readonly addresses: number[] = [];
  private readonly tops: (number | undefined)[] = [];
  private readonly onMore: () => void;

  /** `onMore` hears that there is one more slot for something else than the interpreter's first handlers. */
  constructor(onMore: () => void) {
    this.onMore = onMore;
  }

  get length(): number {
    return this.addresses.length;
  }

  /** A slot for a handler, before there are any others. */
  reserveFirst(): number {
    this.tops.push(undefined);
    return this.addresses.push(HANDLER) - 1;
  }

  reserveHandler(): number {
    return this.reserve(HANDLER, undefined);
  }

  private reserve(address: number, top: number | undefined): number {
    this.addresses.push(address);
    this.tops.push(top);
    this.onMore();
    return this.addresses.length - 1;
  }

  /** The slot of an address, reserved when there is none yet. */
  of(address: number): number {
    const known = this.ofAddress.get(address);
    if (known !== undefined) return known;
    const slot = this.reserve(address, undefined);
    this.ofAddress.set(address, slot);
    return slot;
  }

  find(address: number): number | undefined {
    return this.ofAddress.get(address);
  }

  /** The slot of an address for one top of the x87 stack. */
  variant(address: number, top: number): number {
    const key = `${address}/${top}`;
    const known = this.variants.get(key);
    if (known !== undefined) return known;
    const slot = this.reserve(address, top);
    this.variants.set(key, slot);
    return slot;
  }

  addressOf(slot: number): number {
    return this.addresses[slot];
  }

  /** Undefined where the slot is for every top. */
  topOf(slot: number): number | undefined {
    return this.tops[slot];
  }

  isHandler(slot: number): boolean {
    return this.addresses[slot] === HANDLER;
  }

  /** Slots behind the first ones are what they were in an earlier run, for the handlers that it left, too. */
  expect(stored: readonly StoredSlot[]): void {
    for (const [address, top] of stored.slice(this.length)) {
      if (address === HANDLER) this.reserveHandler();
      else if (top === null) this.of(address);
      else this.variant(address, top);
    }
  }

  get stored(): StoredSlot[] {
    return this.addresses.map((address, slot) => [address, this.tops[slot] ?? null]);
  }
}
