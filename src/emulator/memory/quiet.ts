import { GUEST_END } from '../../guest/layout.ts';
import { FAST_STORE, type GuestMemory, READ, SHADOWED } from '../../guest/memory.ts';
import type { LanesLedger } from './lanes-ledger.ts';

/** How much later each sweep comes than the one before: their cost vanishes in long runs. */
const GROWTH = 1.25;

/** Finds the pages that nothing is stored to for a while (translate/steps/quiet-pages.ts tells what for). */
export class QuietPages {
  private readonly guest: GuestMemory;
  private readonly ledger: LanesLedger;
  private nextSweep: number;

  constructor(guest: GuestMemory, ledger: LanesLedger, firstSweep: number) {
    this.nextSweep = firstSweep;
    this.guest = guest;
    this.ledger = ledger;
  }

  /** Between slices. `quiet` notes the largest steps of a page. */
  sweep(executed: number, quiet: (page: number) => void): void {
    if (executed < this.nextSweep) return;
    this.nextSweep = GROWTH * executed;
    const { guest, ledger } = this;
    guest.eachPage(SHADOWED, 0, GUEST_END, (page) => {
      // Stores ask from now on: a page where none has by the next sweep is quiet.
      if (guest.has(page, FAST_STORE) || guest.isBytewise(page)) guest.denyFastStores(page);
      else if (!ledger.isQuiet(page) && guest.has(page, READ)) quiet(page);
    });
  }
}
