import { FAR_END } from '../../guest/far-memory.ts';
import { GUEST_END, NEAR, PAGE_SIZE } from '../../guest/layout.ts';
import { FAST_STORE, type GuestMemory, READ, WRITE } from '../../guest/memory.ts';
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
}

/** What generated code asks about memory: pages that it may not use as they are, and addresses that are no places of memory. */
export class MemoryEvents
  implements Pick<CodeEvents, 'pageFault' | 'beyond' | 'away' | 'prepareStore' | 'addBytePage'>
{
  private readonly memory: GuestMemory;
  private readonly ledger: Ledger;
  private readonly space: Space;

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

  prepareStore(page: number): void {
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
    for (const address of this.memory.addressesOf(offset))
      this.space.forgetCode(address, address + PAGE_SIZE);
    this.memory.touch(offset);
    this.ledger.preparePage(page);
    this.memory.allowFastStores(offset);
  }

  addBytePage(page: number): void {
    this.ledger.addBytePage(page);
  }
}
