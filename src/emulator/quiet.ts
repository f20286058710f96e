import { GUEST_END } from '../guest/layout.ts';
import { FAST_STORE, type GuestMemory, READ, SHADOWED } from '../guest/memory.ts';
import type { LanesLedger } from './lanes-ledger.ts';

/**
 * Sweeps come so often, in instructions executed: the cost of what they find is a part of the run however long it is, and a loop
 * over memory that was written before finds it quiet soon (with sweeps at 1.25 times the last one's instructions, a list of 64 MB was
 * chased to the half before the second one).
 */
const SHARE = 1 / 16;

/** Pages side by side of which one is tried first. */
const GROUP_BITS = 4;

/** Finds the pages that nothing is stored to for a while (translate/quiet-pages.ts tells what for). */
export class QuietPages {
  private readonly guest: GuestMemory;
  private readonly ledger: LanesLedger;
  private readonly shortest: number;
  private nextSweep: number;
  private sweeps = 0;

  /** `shortest` is the least number of instructions before and between sweeps. */
  constructor(guest: GuestMemory, ledger: LanesLedger, shortest: number) {
    this.shortest = shortest;
    this.nextSweep = shortest;
    this.guest = guest;
    this.ledger = ledger;
  }

  /**
   * Between slices. `quiet` notes the largest steps of a page.
   *
   * Stores ask in a page whose permission for fast stores is taken away: where none has by the next sweep it is quiet. Where
   * memory is written all over (a tree that grows) each of them would ask, so that one page of a group is tried, and all others only
   * where it was quiet.
   */
  sweep(executed: number, quiet: (page: number) => void): void {
    if (executed < this.nextSweep) return;
    this.nextSweep = executed + Math.max(this.shortest, SHARE * executed);
    const { guest, ledger, sweeps } = this;
    const isFirst = sweeps === 0;
    this.sweeps++;
    let group = -1;
    let hasQuietened = false;
    let stored: number[] = [];
    const tryGroup = () => {
      if (hasQuietened || isFirst) for (const page of stored) guest.denyFastStores(page);
      else if (stored.length > 0) guest.denyFastStores(stored[sweeps % stored.length]);
    };
    guest.eachPage(SHADOWED, 0, GUEST_END, (page) => {
      if (page >> GROUP_BITS !== group) {
        tryGroup();
        group = page >> GROUP_BITS;
        hasQuietened = false;
        stored = [];
      }
      if (guest.has(page, FAST_STORE)) stored.push(page);
      else if (guest.has(page, READ) && !ledger.isQuiet(page)) {
        quiet(page);
        hasQuietened = true;
      }
    });
    tryGroup();
  }
}
