import { GUEST_END } from '../../guest/layout.ts';
import { FAST_STORE, type GuestMemory, READ, SHADOWED } from '../../guest/memory.ts';
import type { Asking } from '../../translate/steps/quiet-pages.ts';
import type { LanesLedger } from './lanes-ledger.ts';

/**
 * How much later each sweep comes than the one before: their cost vanishes in long runs. Pages with tables of bytes are few, so that it costs little to look at
 * them more often: with 1.12 instead of 1.25 for all pages bzip2 took 0.88 of the time, but xz 1.06 and 1.25 (medians of 5 and 7).
 */
const GROWTH = 1.25;
const GROWTH_OF_BYTES = 1.06;

/** Finds the pages that nothing is stored to for a while (translate/steps/quiet-pages.ts tells what for). */
export class QuietPages {
  private readonly guest: GuestMemory;
  private readonly ledger: LanesLedger;
  private nextSweep: number;
  private nextOfBytes: number;

  constructor(guest: GuestMemory, ledger: LanesLedger, firstSweep: number) {
    this.nextSweep = firstSweep;
    this.nextOfBytes = firstSweep;
    this.guest = guest;
    this.ledger = ledger;
  }

  /**
   * Between slices. `quiet` notes the largest steps of a page. Gives how many quiet pages have tables of steps of their bytes; 0 where it is too soon
   * to look at these.
   */
  sweep(executed: number, { words, bytes }: Asking, quiet: (page: number) => void): number {
    if (words && executed >= this.nextSweep) {
      this.nextSweep = GROWTH * executed;
      this.visit(quiet, () => true);
    }
    if (!bytes || executed < this.nextOfBytes) return 0;
    this.nextOfBytes = GROWTH_OF_BYTES * executed;
    return this.visit(quiet, (page) => this.guest.bytePages.hasTable(page));
  }

  /** Gives how many of them are quiet. */
  private visit(quiet: (page: number) => void, isOne: (page: number) => boolean): number {
    const { guest, ledger } = this;
    let found = 0;
    guest.eachPage(SHADOWED, 0, GUEST_END, (page) => {
      if (!isOne(page)) return;
      // Stores ask from now on: a page where none has by the next sweep is quiet.
      if (guest.has(page, FAST_STORE) || guest.bytePages.isBytewise(page)) guest.layToRest(page);
      else if (guest.has(page, READ)) {
        if (!ledger.isQuiet(page)) quiet(page);
        found++;
      }
    });
    return found;
  }
}
