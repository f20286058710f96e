import type { Part } from './parts.ts';
import type { CodeStore } from './ports.ts';

/** What a run was measured in, beside its first pass. Plain data. */
export interface KnownRun {
  readonly parts: readonly Part[];
  /** Instructions of the run. */
  readonly executed: number;
  /** Bytes that the process took, which each helper takes as well. */
  readonly memory: number;
  /** Whether helpers that were asked ahead were of no use, as where they cannot know what will be read. */
  readonly wasInVain?: boolean;
}

/** A deep recursion has more parts than are worth a file. */
const MOST_PARTS = 1000;
/** What a process takes differs a little from run to run: noted in so many bytes, it is the same again. */
const MEMORY_UNIT = 2 ** 26;

/**
 * What the last run of a command was measured in, kept for later ones: helpers can then begin together with the first pass, instead of when
 * that has told what else there is. A run may well have other parts; numbers are the same either way.
 */
export class KnownRuns {
  readonly last: KnownRun | undefined;
  private readonly store: CodeStore;
  private readonly key: string;
  private readonly kept: string | undefined;

  /** `key`: the command, and what is measured of it. */
  constructor(store: CodeStore, key: string) {
    this.store = store;
    this.key = key;
    [this.kept] = store.findNotes(key);
    if (this.kept !== undefined) this.last = JSON.parse(this.kept) as KnownRun;
  }

  /** Whether there is something to note of a run with these parts. */
  isNews(parts: readonly Part[]): boolean {
    return (parts.length > 0 || this.last !== undefined) && parts.length <= MOST_PARTS;
  }

  /** What this run was measured in. */
  note(run: KnownRun): void {
    const memory = Math.ceil(run.memory / MEMORY_UNIT) * MEMORY_UNIT;
    const text = JSON.stringify({ ...run, memory });
    if (text !== this.kept) this.store.keepNotes(this.key, [text]);
  }
}
