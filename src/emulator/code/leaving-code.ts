import type { CodeCache } from '../../translate/cache.ts';
import type { CodeKey, CodeStore, StoredCode } from '../ports.ts';

/** A store, and what program and command are called there. */
export interface ProgramStore extends CodeKey {
  readonly store: CodeStore;
}

/** Code that is left for later runs of the program, and what earlier ones have left. */
export class LeavingCode {
  /** None where nothing is to be left. */
  private store: ProgramStore | undefined;
  /** Caches whose code is to be kept, and under what name. */
  private leaving: { readonly key: CodeKey; readonly cache: CodeCache }[] = [];

  constructor(store: ProgramStore | undefined) {
    this.store = store;
  }

  /** What code of a kind is called that is to be left. */
  keyOf(kind: readonly unknown[]): CodeKey | undefined {
    const { store } = this;
    return (
      store && {
        command: JSON.stringify([store.command, ...kind]),
        program: JSON.stringify([store.program, ...kind]),
      }
    );
  }

  /** What was left before. */
  find(key: CodeKey): StoredCode | undefined {
    return this.store?.store.find(key);
  }

  /** The code of a cache is to be left. */
  add(key: CodeKey, cache: CodeCache): void {
    this.leaving.push({ key, cache });
  }

  /** The code of a cache is not to be left after all. */
  drop(cache: CodeCache): void {
    this.leaving = this.leaving.filter((each) => each.cache !== cache);
  }

  /** Leaves what was translated so far. */
  keep(): void {
    for (const { key, cache } of this.leaving) {
      const code = cache.toStore();
      if (code !== undefined) this.store?.store.keep(key, code);
    }
  }

  /** Other code takes the place of what there is. */
  clear(): void {
    this.leaving = [];
  }

  /** What is translated from now on is another program's: its name is not that under which the code is kept. */
  close(): void {
    this.keep();
    this.store = undefined;
  }
}
