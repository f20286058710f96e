import type { Address } from '../../base/brand.ts';
import { CONTEXT_LOG, CONTEXT_LOG_END } from '../../guest/layout.ts';
import type { CallRecord } from '../../observation/observation.ts';
import type { CodePlaces } from '../../translate/code-places.ts';
import { NOTE } from '../../translate/contexts/records.ts';

/** Sums over the calls of one function by one call, beyond those that are listed. */
export interface RestSums {
  readonly entry: number;
  readonly calls: number;
  readonly instructions: number;
  /** One less for each call that no lane of the pass measured. */
  cycles: number;
}

/**
 * The run and its listed calls, in columns: there may be millions. A call comes after the calls in it, so depths alone
 * tell whose they are.
 */
export interface CallTree {
  readonly entries: Float64Array;
  readonly depths: Int32Array;
  readonly instructions: Float64Array;
  /** -1 where no lane of the pass measured the call. */
  readonly cycles: Float64Array;
  /** Which of `sums` are the call's, 0 for none. */
  readonly keys: Int32Array;
  readonly sums: ReadonlyMap<number, readonly RestSums[]>;
  /** Each before the call with its index. */
  readonly moves: readonly (readonly [call: number, StackMove])[];
}

/**
 * A stack with open calls was left, or entered again: they are in one at a depth, with the calls that have ended in them. These are dropped where
 * that one is not listed.
 */
export interface StackMove {
  readonly kind: 'left' | 'entered' | 'dropped';
  readonly id: number;
  readonly depth: number;
}

/** The log of closed calls, which generated code fills (translate/contexts/functions.ts). */
export class CallLog {
  readonly sums = new Map<number, readonly RestSums[]>();
  private readonly words: Int32Array;
  private readonly places: CodePlaces;
  private readonly taken: Int32Array[] = [];
  private readonly moves: (readonly [number, StackMove])[] = [];
  private noted = 0;

  constructor(buffer: ArrayBuffer, places: CodePlaces) {
    this.places = places;
    this.words = new Int32Array(buffer);
  }

  /** Takes over what has been noted: there is place for more. */
  take(): void {
    if (this.words[CONTEXT_LOG_END / 4] === CONTEXT_LOG) return;
    const words = this.words.slice(CONTEXT_LOG / 4, this.words[CONTEXT_LOG_END / 4] / 4);
    this.taken.push(words);
    this.noted += words.length / (NOTE.size / 4);
    this.words[CONTEXT_LOG_END / 4] = CONTEXT_LOG;
  }

  /** A stack that is entered where it was left, when nothing has been noted since, needs not be told of: there may be millions. */
  noteMove(move: StackMove): void {
    if (this.words[CONTEXT_LOG_END / 4] !== CONTEXT_LOG) this.take();
    const [at, last] = this.moves.at(-1) ?? [];
    const isBack = move.kind === 'entered' && at === this.noted && last?.kind === 'left';
    if (isBack && last.id === move.id && last.depth === move.depth) this.moves.pop();
    else this.moves.push([this.noted, move]);
  }

  /** All that was taken over. */
  tree(): CallTree {
    const calls = this.noted;
    const tree = {
      entries: new Float64Array(calls),
      depths: new Int32Array(calls),
      instructions: new Float64Array(calls),
      cycles: new Float64Array(calls),
      keys: new Int32Array(calls),
      sums: this.sums,
      moves: this.moves,
    };
    let call = 0;
    for (const words of this.taken)
      for (let at = 0; at < words.length; at += NOTE.size / 4) {
        tree.entries[call] = this.places.addressOf(words[at + NOTE.entry / 4]);
        tree.depths[call] = words[at + NOTE.depth / 4];
        tree.instructions[call] = longAt(words, at + NOTE.instructions / 4);
        tree.cycles[call] = longAt(words, at + NOTE.cycles / 4);
        tree.keys[call] = words[at + NOTE.key / 4];
        call++;
      }
    return tree;
  }
}

const longAt = (words: Int32Array, at: number): number => (words[at] >>> 0) + 0x1_0000_0000 * words[at + 1];

/** Passes build the same tree; each knows the cycles of its own depths. */
export function mergeCycles(into: CallTree, from: CallTree): void {
  from.cycles.forEach((cycles, call) => {
    if (into.cycles[call] < 0) into.cycles[call] = cycles;
  });
  for (const [key, sums] of into.sums)
    sums.forEach((rest, i) => {
      rest.cycles += from.sums.get(key)![i].cycles + rest.calls;
    });
}

/** Most calls call nothing. */
const NO_CALLS: readonly CallRecord[] = [];
const NO_REST: CallRecord['rest'] = [];

/** The tree as the observation holds it. Iterative: it is as deep as the guest's recursion. */
export function callRecord(tree: CallTree): CallRecord {
  const { entries, depths, instructions, cycles, keys, sums, moves } = tree;
  /** By depth: the calls that have ended while the call that made them has not. */
  const ended: (CallRecord[] | undefined)[] = [];
  /** Of stacks that were left. */
  const left = new Map<number, (CallRecord[] | undefined)[]>();
  let move = 0;
  entries.forEach((entry, i) => {
    for (; move < moves.length && moves[move][0] <= i; move++) {
      const [, { kind, id, depth }] = moves[move];
      if (kind === 'left') left.set(id, ended.splice(depth + 2));
      else if (kind === 'entered') {
        ended.length = depth + 2;
        ended.push(...left.get(id)!);
      }
    }
    const depth = depths[i];
    const calls = ended[depth + 1] ?? NO_CALLS;
    ended[depth + 1] = undefined;
    const rest = sums.get(keys[i]);
    ended[depth] ??= [];
    ended[depth].push({
      entry: entry as Address,
      depth,
      instructions: instructions[i],
      cycles: Math.max(0, cycles[i]),
      calls,
      rest: rest === undefined ? NO_REST : rest.map((each) => ({ ...each, entry: each.entry as Address })),
    });
  });
  const [run] = ended[0]!;
  if (moves.length > 0) renumber(run);
  return run;
}

/** Calls on stacks that were entered at several depths are as deep as those are which they ended in. */
function renumber(run: CallRecord): void {
  const pending: CallRecord[] = [run];
  for (let around = pending.pop(); around !== undefined; around = pending.pop())
    for (const call of around.calls) {
      Object.assign(call, { depth: around.depth + 1 });
      pending.push(call);
    }
}
