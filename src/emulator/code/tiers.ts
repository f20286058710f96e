import { CODE_CACHES } from '../../guest/layout.ts';
import type { CodeCache } from '../../translate/cache.ts';
import { NEVER_HOT } from '../../translate/hot-entries.ts';
import type { EngineLimits } from '../../translate/limits.ts';

/** What code is executed: as fast as can be, or with a log of what it does, or so that it can stop at any instruction. */
export type Tier = 'usual' | 'logging' | 'stepping';

interface TieredCode {
  readonly cache: CodeCache;
  /** Which of the CODE_CACHES it is. */
  readonly index: number;
}

const INTERPRETED_ONLY = { hotEntries: NEVER_HOT };
/** Code that is logged is interpreted, and looked at often. */
const LOGGING = INTERPRETED_ONLY;
/** A slice ends with the first block that it has no instructions left for. */
const STEPPING = { ...INTERPRETED_ONLY, blockInstructions: 1 };

export function limitsOf(tier: Tier, limits: EngineLimits): EngineLimits {
  switch (tier) {
    case 'usual':
      return limits;
    case 'logging':
      return { ...limits, ...LOGGING, without: [...limits.without, 'repeated strings'] };
    case 'stepping':
      return { ...limits, ...STEPPING };
  }
}

/** The code caches of a code space, by tier and by the control bits of MXCSR that their code is for. */
export class Tiers {
  private readonly tiers: Readonly<Record<Tier, Map<number, TieredCode>>> = {
    usual: new Map(),
    logging: new Map(),
    stepping: new Map(),
  };
  private readonly onDrop: (cache: CodeCache) => void;

  /** `onDrop` hears of a usual cache that made room for another one. */
  constructor(onDrop: (cache: CodeCache) => void) {
    this.onDrop = onDrop;
  }

  find(tier: Tier, mxcsr: number): CodeCache | undefined {
    return this.tiers[tier].get(mxcsr)?.cache;
  }

  /** `make` is told which of the CODE_CACHES it is to be. */
  get(tier: Tier, mxcsr: number, make: (index: number) => CodeCache): CodeCache {
    const known = this.find(tier, mxcsr);
    if (known !== undefined) return known;
    const index = this.freeIndex();
    const cache = make(index);
    this.tiers[tier].set(mxcsr, { cache, index });
    return cache;
  }

  /** A place for one more cache: the usual ones stay as long as the others make room. */
  private freeIndex(): number {
    const { usual, logging, stepping } = this.tiers;
    const indices = () => {
      const used = [usual, logging, stepping].flatMap((caches) => [...caches.values()]);
      return new Set(used.map(({ index }) => index));
    };
    if (indices().size === CODE_CACHES) {
      logging.clear();
      stepping.clear();
    }
    // Where each mode has a usual one, that which was made first is made anew later: tests of all modes go through them one after the other.
    if (indices().size === CODE_CACHES) {
      const [[mode, { cache }]] = usual;
      usual.delete(mode);
      this.onDrop(cache);
    }
    const used = indices();
    let index = 0;
    while (used.has(index)) index++;
    return index;
  }

  /** Whether something was made of code in [start, end). All are asked: each looks at memory again when it decodes. */
  holds(start: number, end: number): boolean {
    let holds = false;
    for (const caches of Object.values(this.tiers))
      for (const { cache } of caches.values()) if (cache.holds(start, end)) holds = true;
    return holds;
  }

  /** Memory in [start, end) may hold other code from now on. */
  forget(start: number, end: number): void {
    for (const caches of Object.values(this.tiers))
      for (const { cache } of caches.values()) cache.forget(start, end);
  }

  /** The instruction at an address is executed by itself from now on. */
  setApart(address: number): void {
    for (const caches of Object.values(this.tiers))
      for (const { cache } of caches.values()) cache.setApart(address);
  }

  /** Nothing runs for a while. */
  rest(): void {
    for (const caches of Object.values(this.tiers)) for (const { cache } of caches.values()) cache.rest();
  }

  clear(): void {
    this.rest();
    for (const caches of Object.values(this.tiers)) caches.clear();
  }

  get usual(): readonly CodeCache[] {
    return [...this.tiers.usual.values()].map(({ cache }) => cache);
  }
}
