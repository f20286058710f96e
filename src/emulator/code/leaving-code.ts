import type { CodeCache } from '../../translate/cache.ts';
import type { CodeKey, CodeStore, StoredCode } from '../ports.ts';

/** A store, and what program and command are called there. */
export interface ProgramStore extends CodeKey {
  readonly store: CodeStore;
}

/** What code is called in memories of the processes that a program starts: those come in the same order in each run. */
export const ofProcess = ({ store, command, program }: ProgramStore, nth: number): ProgramStore => ({
  store,
  command: JSON.stringify([command, 'process', nth]),
  program: JSON.stringify([program, 'process', nth]),
});

/** Code that is left for later runs of the program, and what earlier ones have left. */
export class LeavingCode {
  /** None where nothing is to be left. */
  private readonly store: ProgramStore | undefined;
  /** How many programs the guest has become. */
  private programs = 0;
  /** What is added to the names of the one that it is. */
  private suffix: readonly unknown[] = [];
  /** Caches whose code is to be kept, and under what name. */
  private leaving: { readonly key: CodeKey; readonly cache: CodeCache }[] = [];

  constructor(store: ProgramStore | undefined) {
    this.store = store;
  }

  /** What code of a kind is called that is to be left. */
  keyOf(kind: readonly unknown[]): CodeKey | undefined {
    const { store, suffix } = this;
    return (
      store && {
        command: JSON.stringify([store.command, ...suffix, ...kind]),
        program: JSON.stringify([store.program, ...suffix, ...kind]),
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

  /** The guest begins anew, in the code that there is. */
  restart(): void {
    this.programs = 0;
  }

  /** The guest begins anew, and all code is to be made. */
  begin(): void {
    this.restart();
    this.suffix = [];
  }

  /** The guest has become the program at a path: what is translated from now on has another name. */
  become(path: string): void {
    this.keep();
    this.programs++;
    this.suffix = [path, this.programs];
  }
}
