import { PAGE_SIZE } from '../../guest/layout.ts';
import type { CodeOptions } from '../code-options.ts';
import { pageOf, pagesIn } from '../pages.ts';
import type { CodePiece } from '../stored/stored-code.ts';

/** A region in its slot: what to put back when its code may have changed, and how to tell whether it has. */
interface Installed {
  /** Makes the region anew when it is entered. */
  readonly stub: unknown;
  readonly body: unknown;
  readonly pieces: readonly CodePiece[];
  /** It looks for changes of its own code. */
  readonly isVolatile: boolean;
}

/** Who hears of slots that get a region, or lose it. */
interface InstalledEvents {
  readonly onInstall: (slot: number) => void;
  readonly onReset: (slot: number) => void;
}

/**
 * Which translated regions hold code of which pages. A page that changes hands or is written gives its regions' slots
 * their stubs back; a region whose bytes turn out to be the same when it is entered again is put back as it was.
 */
export class InstalledRegions {
  private readonly table: WebAssembly.Table;
  private readonly options: Pick<CodeOptions, 'code' | 'isVolatile' | 'onCode'>;
  private readonly heard: InstalledEvents;
  private readonly slotsOfPage = new Map<number, Set<number>>();
  private readonly installed = new Map<number, Installed>();
  readonly statistics = { forgotten: 0, restored: 0 };

  constructor(
    table: WebAssembly.Table,
    options: Pick<CodeOptions, 'code' | 'isVolatile' | 'onCode'>,
    heard: InstalledEvents,
  ) {
    this.table = table;
    this.heard = heard;
    this.options = options;
  }

  /** Puts a region that was translated before back into its slot, if its code is still the same. */
  restore(slot: number): boolean {
    const known = this.installed.get(slot);
    if (known === undefined || !known.pieces.every((piece) => this.isSame(piece))) return false;
    if (!known.isVolatile && this.isVolatile(known.pieces)) return false;
    this.table.set(slot, known.body);
    this.statistics.restored++;
    this.watch(slot, pagesOf(known.pieces));
    return true;
  }

  /** Whether the slot holds its region now. */
  holds(slot: number): boolean {
    const known = this.installed.get(slot);
    return known !== undefined && this.table.get(slot) === known.body;
  }

  isSame({ start, bytes }: Installed['pieces'][number]): boolean {
    return this.options.code.has(start, bytes);
  }

  /** Whether some of the code can be written. */
  isVolatile(pieces: readonly CodePiece[]): boolean {
    return [...pagesOf(pieces)].some((page) => this.options.isVolatile(page * PAGE_SIZE));
  }

  /** To be called around the instantiation that puts a region into its slots. */
  install(
    slots: readonly number[],
    { pieces, isVolatile }: Pick<Installed, 'pieces' | 'isVolatile'>,
    instantiate: () => void,
  ): void {
    const stubs = slots.map((slot) => this.installed.get(slot)?.stub ?? this.table.get(slot));
    instantiate();
    const pages = pagesOf(pieces);
    slots.forEach((slot, i) => {
      this.installed.set(slot, { stub: stubs[i], body: this.table.get(slot), pieces, isVolatile });
      this.watch(slot, pages);
      this.heard.onInstall(slot);
    });
  }

  /** The slot has no region from now on. */
  remove(slot: number): void {
    const known = this.installed.get(slot);
    if (known === undefined) return;
    this.table.set(slot, known.stub);
    this.installed.delete(slot);
    this.heard.onReset(slot);
  }

  /** Regions with the instruction at an address have to be made anew, even where the code is what it was. */
  removeWith(address: number): void {
    for (const [slot, { pieces }] of this.installed)
      if (pieces.some(({ start, bytes }) => address >= start && address < start + bytes.length))
        this.remove(slot);
  }

  private watch(slot: number, pages: ReadonlySet<number>): void {
    for (const page of pages) {
      const slots = this.slotsOfPage.get(page) ?? new Set();
      this.slotsOfPage.set(page, slots.add(slot));
      this.options.onCode(page);
    }
  }

  /** Whether there are bytes of a region in [start, end). */
  hasCode(first: number, end: number): boolean {
    const isIn = ({ start, bytes }: CodePiece) => start < end && start + bytes.length > first;
    return pagesIn(this.slotsOfPage, first, end).some((page) =>
      [...this.slotsOfPage.get(page)!].some((slot) => this.installed.get(slot)?.pieces.some(isIn)),
    );
  }

  /** The bytes of [start, end) may be others from now on. */
  forget(start: number, end: number): void {
    for (const page of pagesIn(this.slotsOfPage, start, end)) {
      const slots = this.slotsOfPage.get(page)!;
      this.slotsOfPage.delete(page);
      for (const slot of slots) {
        const known = this.installed.get(slot);
        if (known === undefined) continue;
        if (this.holds(slot)) this.statistics.forgotten++;
        this.table.set(slot, known.stub);
        this.heard.onReset(slot);
      }
    }
  }
}

function pagesOf(pieces: Installed['pieces']): ReadonlySet<number> {
  const pages = new Set<number>();
  for (const { start, bytes } of pieces)
    for (let page = pageOf(start); page <= pageOf(start + bytes.length - 1); page++) pages.add(page);
  return pages;
}
