import {
  AT_REST,
  BYTE_PAGES,
  BYTE_SPLITS,
  BYTEWISE,
  CHUNK_CELLS,
  IN_CELLS,
  PAGE_SIZE,
} from '../../guest/layout.ts';
import { does, type EngineLimits } from '../../translate/limits.ts';
import type { StepEntry } from '../../translate/steps/step-entry.ts';
import { Outgrown } from './measure-plan.ts';

/** Granules of a page. */
const GRANULES = PAGE_SIZE / 4;

const NONE = new Int32Array();

/** What a page's word holds beside the place of its table. */
const FLAGS = BYTEWISE | AT_REST;

/**
 * Where the steps of single bytes lie: in tables of pages, which come down from a pool's end, and in chunks of cells, which are cut from tables
 * (translate/support/byte-cells.ts).
 */
export class ByteSteps {
  /** Tables in use, and those that have been cut into chunks. */
  tables = 0;
  private readonly start: number;
  private lowest: number;
  private readonly freeTables: number[] = [];
  /** By the table that they were cut from, of which at least one is in use. */
  private readonly freeChunks = new Map<number, number[]>();
  /** Pages with steps of bytes, in the order in which they came to have some. */
  private readonly pages = new Set<number>();
  /** The chunks of pages that have no table, by page. */
  private readonly chunks = new Map<number, number[]>();
  /** Of the page at hand. */
  private readonly mixed = new Int32Array(GRANULES);
  private readonly words: Int32Array;
  private readonly entry: StepEntry;
  private readonly pool: Pool;
  /** Cells after which a page gets a table. */
  private readonly mostCells: number;

  constructor(words: Int32Array, entry: StepEntry, pool: Pool, limits: EngineLimits) {
    this.words = words;
    this.entry = entry;
    this.pool = pool;
    this.start = Math.max(pool.start, pool.end - limits.byteTables * this.tableSize);
    this.lowest = pool.end;
    this.mostCells = does(limits, 'byte cells') ? limits.byteCells : 0;
  }

  /** How many tables there may be, and how many of them are not in use. */
  get capacity(): number {
    return Math.floor((this.pool.end - this.start) / this.tableSize);
  }

  get room(): number {
    return Math.floor((this.lowest - this.start) / this.tableSize) + this.freeTables.length;
  }

  /** Of a page that has one; its place. */
  tableOf(page: number): number | undefined {
    const word = this.words[BYTE_PAGES / 4 + page];
    return word === 0 || (word & IN_CELLS) !== 0 ? undefined : (word & ~FLAGS) >>> 0;
  }

  /** A page that has no steps of bytes gets so many at once. */
  addMany(page: number, granules: number): void {
    if (granules <= this.mostCells) return;
    this.pages.add(page);
    this.words[BYTE_PAGES / 4 + page] = this.newTable() | 0;
  }

  /** The page that has had steps of bytes for longest, of those for which that holds. */
  oldest(isOne: (page: number) => boolean): number | undefined {
    for (const page of this.pages) if (isOne(page)) return page;
    return undefined;
  }

  /** In bytes. */
  get tableSize(): number {
    return PAGE_SIZE << this.entry.bits;
  }

  private get chunkSize(): number {
    return (4 * CHUNK_CELLS) << this.entry.bits;
  }

  /** Whether another granule of the page can have steps of its bytes. */
  hasRoom(page: number): boolean {
    return this.words[BYTE_PAGES / 4 + page] !== 0;
  }

  /** Takes the place of the steps of the bytes of the address's granule, as generated code does (translate/support/byte-cells.ts). */
  take(address: number): number {
    const { words, entry } = this;
    const page = address >>> 12;
    const word = words[BYTE_PAGES / 4 + page];
    const splits = words[BYTE_SPLITS / 4 + page]++;
    if ((word & IN_CELLS) === 0) return ((word & ~FLAGS) >>> 0) + ((address & (PAGE_SIZE - 4)) << entry.bits);
    const cell = splits & (CHUNK_CELLS - 1);
    if (cell === CHUNK_CELLS - 1) words[BYTE_PAGES / 4 + page] = 0;
    return ((word - IN_CELLS) >>> 0) + (cell << (entry.bits + 2));
  }

  /**
   * Makes room for more granules of a page that has none, whose entries are given: the table where there are to be no more cells, or where those that
   * there are lie side by side, as when an array is filled. Throws Outgrown where there is none.
   */
  add(page: number, entries: Int32Array): void {
    this.pages.add(page);
    const chunks = this.chunks.get(page) ?? [];
    const isFull = CHUNK_CELLS * (chunks.length + 1) > this.mostCells;
    const mixed = isFull || chunks.length > 0 ? this.findMixed(entries) : NONE;
    if (isFull || this.isDense(mixed)) {
      const table = this.newTable();
      this.words[BYTE_PAGES / 4 + page] = table | 0;
      this.gather(entries, mixed, table);
      this.dropChunks(page);
      return;
    }
    const chunk = this.takeChunk();
    this.chunks.set(page, [...chunks, chunk]);
    this.words[BYTE_PAGES / 4 + page] = chunk | IN_CELLS;
  }

  private newTable(): number {
    const free = this.freeTables.pop();
    if (free === undefined) {
      if (this.lowest - this.tableSize < this.start) throw new Outgrown('bytes');
      this.lowest -= this.tableSize;
    }
    this.tables++;
    return free ?? this.lowest;
  }

  private takeChunk(): number {
    const { freeChunks, tableSize, chunkSize } = this;
    for (const [table, chunks] of freeChunks) {
      const chunk = chunks.pop()!;
      if (chunks.length === 0) freeChunks.delete(table);
      return chunk;
    }
    const table = this.newTable();
    const others: number[] = [];
    for (let at = table + tableSize - chunkSize; at > table; at -= chunkSize) others.push(at);
    freeChunks.set(table, others);
    return table;
  }

  /** A table that was cut into chunks is one again when the last of them is free. */
  private freeChunk(chunk: number): void {
    const { freeChunks, tableSize, chunkSize, pool } = this;
    const table = pool.end - Math.ceil((pool.end - chunk) / tableSize) * tableSize;
    const chunks = freeChunks.get(table) ?? [];
    chunks.push(chunk);
    if (chunks.length < tableSize / chunkSize) {
      freeChunks.set(table, chunks);
      return;
    }
    freeChunks.delete(table);
    this.freeTable(table);
  }

  private freeTable(table: number): void {
    this.freeTables.push(table);
    this.tables--;
  }

  private dropChunks(page: number): void {
    for (const chunk of this.chunks.get(page) ?? []) this.freeChunk(chunk);
    this.chunks.delete(page);
  }

  /** Of a page whose entries are given, where those begin whose granules' bytes have steps of their own. */
  private findMixed(entries: Int32Array): Int32Array {
    return this.mixed.subarray(0, this.entry.findMixed(entries, GRANULES, this.mixed));
  }

  /** Whether of the granules from the first to the last one with steps of their bytes at least half have some. */
  private isDense(mixed: Int32Array): boolean {
    return mixed.length > 0 && 2 * mixed.length * this.entryWords >= mixed[mixed.length - 1] - mixed[0];
  }

  /** What the cells of mixed entries hold has its place in the table from now on. */
  private gather(entries: Int32Array, mixed: Int32Array, table: number): void {
    const { words, entry, entryWords } = this;
    for (const at of mixed) {
      const from = entry.placeIn(entries, at) / 4;
      const place = table + 16 * at;
      words.copyWithin(place / 4, from, from + 4 * entryWords);
      entry.setMixed(entries, at, place);
    }
  }

  private get entryWords(): number {
    return 2 ** (this.entry.bits - 2);
  }

  /** Visits the first word and the end of a page's table, or of each of its chunks. */
  eachPart(page: number, visit: (first: number, end: number) => void): void {
    const { tableSize, chunkSize } = this;
    const chunks = this.chunks.get(page);
    if (chunks === undefined) {
      const table = this.tableOf(page);
      if (table !== undefined) visit(table / 4, (table + tableSize) / 4);
      return;
    }
    for (const chunk of chunks) visit(chunk / 4, (chunk + chunkSize) / 4);
  }

  /** All granules of a page with a table, whose entries are given, have steps of their bytes from now on. */
  setApart(page: number, entries: Int32Array): void {
    const { words, entry, entryWords } = this;
    const table = this.tableOf(page)!;
    for (let at = 0; at < entries.length; at += entryWords) {
      if (!entry.isSingle(entries, at)) continue;
      const place = table / 4 + 4 * at;
      for (let word = 0; word < 4 * entryWords; word++)
        words[place + word] = entries[at + (word % entryWords)];
      entry.setMixed(entries, at, 4 * place);
    }
  }

  /** Nothing is known of the page. */
  forget(page: number): void {
    const { words } = this;
    this.pages.delete(page);
    if (this.chunks.has(page)) this.dropChunks(page);
    const table = this.tableOf(page);
    if (table !== undefined) this.freeTable(table);
    words[BYTE_PAGES / 4 + page] = 0;
    words[BYTE_SPLITS / 4 + page] = 0;
  }

  /** The steps of a page's bytes are another's from now on, which has none. */
  move(from: number, to: number): void {
    const { words, chunks } = this;
    for (const table of [BYTE_PAGES, BYTE_SPLITS]) {
      words[table / 4 + to] = words[table / 4 + from];
      words[table / 4 + from] = 0;
    }
    if (this.pages.delete(from)) this.pages.add(to);
    const moved = chunks.get(from);
    chunks.delete(from);
    if (moved !== undefined) chunks.set(to, moved);
  }

  /** There are none: from now on there are those of some pages of another memory, at the same places. */
  copyFrom(other: ByteSteps, pages: Iterable<number>): void {
    const { words } = this;
    for (const page of pages) {
      for (const table of [BYTE_PAGES, BYTE_SPLITS]) words[table / 4 + page] = other.words[table / 4 + page];
      // Stores are noticed there.
      words[BYTE_PAGES / 4 + page] &= ~FLAGS;
      const chunks = other.chunks.get(page);
      if (chunks !== undefined) this.chunks.set(page, [...chunks]);
      other.eachPart(page, (first, end) => words.set(other.words.subarray(first, end), first));
    }
    for (const page of other.pages) this.pages.add(page);
    this.tables = other.tables;
    this.lowest = other.lowest;
    this.freeTables.splice(0, this.freeTables.length, ...other.freeTables);
    this.freeChunks.clear();
    for (const [table, chunks] of other.freeChunks) this.freeChunks.set(table, [...chunks]);
  }
}

/** Bytes from which tables may be taken. */
interface Pool {
  readonly start: number;
  readonly end: number;
}
