import type {
  Answers,
  CodePiece,
  LearnedJump,
  RegionRecord,
  StoredRegion,
  StoredTable,
} from './stored-code.ts';

/** What the guest's symbols say of addresses and jumps. */
export interface Symbols {
  /** Entering there opens a context wherever it happens. */
  isHooked(address: number): boolean;
  /** Control must be seen to arrive there. */
  isSeen(address: number): boolean;
  entersFunction(from: number, target: number): boolean;
}

/** What the region's cache knows of it. */
export type RegionFacts = Pick<StoredRegion, 'bytes' | 'module' | 'body' | 'slots' | 'size'> & {
  readonly entry: number;
  readonly pieces: readonly CodePiece[];
  readonly jumps: (from: number) => Omit<LearnedJump, 'from'>;
} & Pick<
    RegionRecord,
    'inLine' | 'areTargets' | 'isFull' | 'isCrowded' | 'isUnaligned' | 'asksForBytes' | 'isVolatile' | 'asks'
  >;

/** Notes what a region depends on, and what its code refers to, while it is made. */
export class RegionNotes {
  private readonly symbols: Symbols;
  private readonly seen = new Map<number, boolean>();
  private readonly entering: number[] = [];
  private readonly staying: number[] = [];
  private readonly jumps = new Set<number>();
  private readonly tables: StoredTable[] = [];
  private lastSlot = -1;
  private lastSite = -1;
  /** Code at high addresses is known by numbers that another run gives to other code (CodePlaces). */
  private isFar = false;
  private isFused = false;

  constructor(symbols: Symbols) {
    this.symbols = symbols;
  }

  isSeen(address: number): boolean {
    const isSeen = this.symbols.isSeen(address);
    this.seen.set(address, isSeen);
    return isSeen;
  }

  entersFunction(from: number, target: number): boolean {
    const enters = this.symbols.entersFunction(from, target);
    (enters ? this.entering : this.staying).push(from, target);
    return enters;
  }

  /** Indirect jumps whose targets were asked for. */
  get jumpSites(): readonly number[] {
    return [...this.jumps];
  }

  noteJump(from: number): void {
    this.jumps.add(from);
  }

  noteTable(table: StoredTable): void {
    this.tables.push(table);
  }

  noteSlot(slot: number): void {
    this.lastSlot = Math.max(this.lastSlot, slot);
  }

  noteSite(site: number): void {
    this.lastSite = Math.max(this.lastSite, site);
  }

  noteFar(): void {
    this.isFar = true;
  }

  /** It multiplies and adds as not all hosts do. */
  noteFused(): void {
    this.isFused = true;
  }

  /** Undefined where no other run can use the region. */
  region(facts: RegionFacts): StoredRegion | undefined {
    if (this.isFar) return undefined;
    const {
      entry,
      pieces,
      inLine,
      jumps,
      areTargets,
      isFull,
      isCrowded,
      isUnaligned,
      asksForBytes,
      isVolatile,
      asks,
      ...others
    } = facts;
    const record: RegionRecord = {
      areTargets,
      inLine,
      blocks: pieces.map(({ start, bytes }) => [start, start + bytes.length]),
      answers: this.answers(entry),
      jumps: [...this.jumps].map((from) => ({ from, ...jumps(from) })),
      tables: this.tables,
      isFused: this.isFused,
      isFull,
      isCrowded,
      isUnaligned,
      asksForBytes,
      isVolatile,
      asks,
    };
    return {
      ...others,
      lastSlot: Math.max(this.lastSlot, ...facts.slots),
      lastSite: this.lastSite,
      unused: 0,
      isOptimised: false,
      record: () => record,
      code: joined(pieces),
    };
  }

  private answers(entry: number): Answers {
    const isEntryHooked = this.symbols.isHooked(entry);
    const all = [...this.seen];
    const seen = all.filter(([, isSeen]) => isSeen).map(([address]) => address);
    const unseen = all.filter(([, isSeen]) => !isSeen).map(([address]) => address);
    return { isEntryHooked, seen, unseen, entering: this.entering, staying: this.staying };
  }
}

/** Whether the symbols say the same now. */
export function areSame(
  { isEntryHooked, seen, unseen, entering, staying }: Answers,
  entry: number,
  now: Symbols,
): boolean {
  return (
    now.isHooked(entry) === isEntryHooked &&
    seen.every((address) => now.isSeen(address)) &&
    unseen.every((address) => !now.isSeen(address)) &&
    allEnter(entering, true, now) &&
    allEnter(staying, false, now)
  );
}

function allEnter(jumps: readonly number[], enters: boolean, now: Symbols): boolean {
  for (let i = 0; i < jumps.length; i += 2)
    if (now.entersFunction(jumps[i], jumps[i + 1]) !== enters) return false;
  return true;
}

function joined(pieces: readonly CodePiece[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of pieces) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
