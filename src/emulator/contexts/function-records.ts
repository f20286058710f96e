import { Failure } from '../../base/failure.ts';
import { CONTEXT_EDGES, CONTEXT_FUNCTIONS, CONTEXT_LOG } from '../../guest/layout.ts';
import type { CodePlaces } from '../../translate/code-places.ts';
import { EDGE, FUNCTION, UNLISTED_EDGE } from '../../translate/contexts/records.ts';

/** Sums over the outermost calls of a function that a pass measured. */
export interface FunctionSums {
  calls: number;
  instructions: number;
  cycles: number;
  longest: LongestCall;
  /** Instructions the run had executed when the first of them began. */
  first: number;
}

export interface LongestCall {
  readonly index: number;
  readonly instructions: number;
  readonly cycles: number;
  /** Instructions the run had executed when the call began, and when it ended. */
  readonly start: number;
  readonly end: number;
}

/** The records of functions that were contexts, and of sums over calls, which generated code counts in (translate/contexts/records.ts). */
export class FunctionRecords {
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly places: CodePlaces;
  private readonly records = new Map<number, number>();
  private nextRecord = CONTEXT_FUNCTIONS;
  private nextEdge = UNLISTED_EDGE + EDGE.size;
  private readonly free: number[] = [];

  constructor(buffer: ArrayBuffer, places: CodePlaces) {
    this.view = new DataView(buffer);
    this.bytes = new Uint8Array(buffer);
    this.places = places;
  }

  of(entry: number): number {
    let record = this.records.get(entry);
    if (record === undefined) {
      record = this.add(entry);
      this.records.set(entry, record);
    }
    return record;
  }

  /** One that is not found by its entry. */
  add(entry: number): number {
    const record = this.nextRecord;
    this.nextRecord += FUNCTION.size;
    if (this.nextRecord > CONTEXT_EDGES)
      throw new Failure('guest', 'too-many-functions', 'the program calls more than 260,000 functions');
    this.bytes.fill(0, record, this.nextRecord);
    this.setWord(record + FUNCTION.entry, this.places.of(entry));
    this.setNumber(record + FUNCTION.longestCycles, -1);
    this.setNumber(record + FUNCTION.first, Number.MAX_SAFE_INTEGER);
    return record;
  }

  addEdge(): number {
    const edge = this.free.pop() ?? this.nextEdge;
    if (edge === this.nextEdge) this.nextEdge += EDGE.size;
    if (this.nextEdge > CONTEXT_LOG)
      throw new Failure('guest', 'too-many-functions', 'one call calls more than 260,000 functions');
    this.bytes.fill(0, edge, edge + EDGE.size);
    return edge;
  }

  freeEdges(edges: Iterable<number>): void {
    this.free.push(...edges);
  }

  /** By entry: what the outermost calls took that were measured. */
  *sums(): Iterable<[entry: number, FunctionSums]> {
    for (const [entry, record] of this.records) {
      const calls = this.number(record + FUNCTION.calls);
      if (calls === 0) continue;
      yield [
        entry,
        {
          calls,
          instructions: this.number(record + FUNCTION.instructions),
          cycles: this.number(record + FUNCTION.cycles),
          longest: {
            index: this.number(record + FUNCTION.longestIndex),
            instructions: this.number(record + FUNCTION.longestInstructions),
            cycles: this.number(record + FUNCTION.longestCycles),
            start: this.number(record + FUNCTION.longestStart),
            end: this.number(record + FUNCTION.longestEnd),
          },
          first: this.number(record + FUNCTION.first),
        },
      ];
    }
  }

  private number(at: number): number {
    return this.view.getUint32(at, true) + 0x1_0000_0000 * this.view.getInt32(at + 4, true);
  }

  private setWord(at: number, value: number): void {
    this.view.setInt32(at, value, true);
  }

  private setNumber(at: number, value: number): void {
    this.view.setBigInt64(at, BigInt(value), true);
  }
}

/** The call with the larger C, the earlier one on a tie (rule 10). */
export function longer(a: LongestCall, b: LongestCall): LongestCall {
  if (a.cycles !== b.cycles) return a.cycles > b.cycles ? a : b;
  return a.start <= b.start ? a : b;
}
