import { FAR_END } from '../../guest/far-memory.ts';
import { GUEST_END, NEAR, PAGE_SIZE } from '../../guest/layout.ts';
import { EXECUTE, FAST_STORE, type GuestMemory, READ, WRITE } from '../../guest/memory.ts';
import type { CodeEvents } from '../../translate/code-events.ts';
import { GuestFault } from '../machine/fault.ts';
import type { Ledger } from './ledger.ts';
import { Outgrown } from './measure-plan.ts';

/** Of the code space. */
interface Space {
  /** Whether memory up to an offset has steps. */
  holds(end: number): boolean;
  /** Whether generated code may access far memory. */
  readonly followsFar: boolean;
  forgetCode(start: number, end: number): void;
  /** Whether something was made of code in [start, end); another object where that may have changed. */
  holdsCode(start: number, end: number): boolean;
  readonly newestCode: object;
}

/** Of a page with code that is stored to: how often that was forgotten, and how many stores have been let through since. */
interface BesideCode {
  forgotten: number;
  stores: number;
  /** Lines of 64 bytes without code, by bits, for one `newestCode`. */
  readonly free: Int32Array;
  newest: object | undefined;
}

/** Stores into a page with code that is not stored to itself are let through one by one from so many on... */
const FORGOTTEN_OFTEN = 4;
/** ...but no more than so many in a row, so that a page where code is not executed any more becomes like others. */
const MOST_BESIDE_CODE = 256;
const LINE_BITS = 6;

/** What generated code asks about memory: pages that it may not use as they are, and addresses that are no places of memory. */
export class MemoryEvents
  implements
    Pick<CodeEvents, 'pageFault' | 'beyond' | 'away' | 'checkStore' | 'prepareStore' | 'addBytes' | 'recall'>
{
  private readonly memory: GuestMemory;
  private readonly ledger: Ledger;
  private readonly space: Space;
  private readonly besideCode = new Map<number, BesideCode>();

  constructor(memory: GuestMemory, ledger: Ledger, space: Space) {
    this.memory = memory;
    this.ledger = ledger;
    this.space = space;
  }

  pageFault(address: bigint, isWrite: number): void {
    const at = this.memory.addressOf(Number(BigInt.asUintN(64, address)));
    // Asking lets the stack grow.
    if (this.memory.allows(at, 1, isWrite !== 0 ? WRITE : READ)) return;
    const isNear = at < GUEST_END || at < FAR_END;
    throw new GuestFault('page-fault', isNear ? BigInt(at) : BigInt.asUintN(64, address), isWrite !== 0);
  }

  beyond(address: bigint, size: number, isWrite: number): number {
    const { memory, space } = this;
    const start = Number(BigInt.asUintN(64, address));
    const missing = start < FAR_END ? memory.firstWithout(start, size, isWrite !== 0 ? WRITE : READ) : start;
    if (missing !== undefined) this.pageFault(missing === start ? address : BigInt(missing), isWrite);
    const offset = memory.offsetOf(start, size);
    if (!space.holds(offset + size)) throw new Outgrown('addresses');
    if (offset !== start && !space.followsFar) throw new Outgrown('far memory');
    memory.far.noteOffset(start, isWrite !== 0);
    return offset;
  }

  away(address: bigint, size: number, isWrite: number): number {
    const offset = Number(address);
    return this.memory.hasFar(offset, offset + size) ? this.beyond(address, size, isWrite) : offset;
  }

  checkStore(address: bigint, size: number): void {
    const start = BigInt.asUintN(64, address);
    const isOutside = start >= BigInt(FAR_END);
    const missing = isOutside ? start : this.memory.firstWithout(Number(start), size, WRITE);
    if (missing !== undefined) throw new GuestFault('page-fault', BigInt(missing), true);
  }

  prepareStore(page: number, place: number, size: number): void {
    if (this.memory.has(page, FAST_STORE)) return;
    const offset = page * PAGE_SIZE;
    // The frame of a far page may lie where a stack would grow, but is none.
    const mayGrow = this.memory.addressOf(offset) === offset;
    const isDenied = (this.memory.permissionOfPage(page) & WRITE) === 0;
    if (isDenied && !(mayGrow && this.memory.allows(offset, 1, WRITE))) {
      // The bytes begin in this page, or in the one before.
      const near = this.memory.view.getUint32(NEAR, true);
      const at = this.memory.addressOf(Math.max(near, offset));
      throw new GuestFault('page-fault', BigInt(at), true);
    }
    const isBesideCode = this.isBesideCode(page, place, size);
    if (!isBesideCode)
      for (const address of this.memory.addressesOf(offset))
        this.space.forgetCode(address, address + PAGE_SIZE);
    this.memory.touch(offset);
    this.ledger.preparePage(page);
    if (!isBesideCode) this.memory.allowFastStores(offset);
  }

  /**
   * Just-in-time compilers have data in pages of code: to forget that and find it unchanged took 5 µs for each store and call, 29 times
   * callgrind's time of such a loop; now 0.3.
   */
  private isBesideCode(page: number, place: number, size: number): boolean {
    const offset = page * PAGE_SIZE;
    if (!this.memory.allows(offset, 1, EXECUTE) || this.memory.addressOf(offset) !== offset) return false;
    const known = this.besideCode.get(page);
    if (known === undefined) {
      this.besideCode.set(page, { forgotten: 1, stores: 0, free: new Int32Array(2), newest: undefined });
      return false;
    }
    if (known.forgotten < FORGOTTEN_OFTEN || known.stores === MOST_BESIDE_CODE) {
      known.forgotten++;
      known.stores = 0;
      return false;
    }
    if (!this.isFree(known, place, size)) {
      known.stores = 0;
      return false;
    }
    known.stores++;
    return true;
  }

  private isFree(known: BesideCode, place: number, size: number): boolean {
    const { free } = known;
    const { newestCode } = this.space;
    if (known.newest !== newestCode) free.fill(0);
    known.newest = newestCode;
    const line = place >>> LINE_BITS;
    const bit = 1 << line;
    const word = (line >> 5) & 1;
    const isOneLine = (place + size - 1) >>> LINE_BITS === line;
    if (isOneLine && (free[word] & bit) !== 0) return true;
    if (this.space.holdsCode(place, place + size)) return false;
    const start = line << LINE_BITS;
    if (isOneLine && !this.space.holdsCode(start, start + (1 << LINE_BITS))) free[word] |= bit;
    return true;
  }

  addBytes(page: number): void {
    this.ledger.addBytes(page);
  }

  recall(place: number, size: number): number {
    const found = this.ledger.recall(place >>> 0, size);
    // It gets steps now, those of what was never written.
    if (found === 0) this.memory.noteShadow(place >>> 12);
    return found;
  }
}
