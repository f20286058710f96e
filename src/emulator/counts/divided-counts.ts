import type { RegionRecord, ThreadShare, ThreadShares } from '../../observation/shares.ts';
import type { Tally, TallyState } from '../../translate/counts/tally.ts';
import { ExecutionCounts } from './executions.ts';
import type { Forks } from './forks.ts';

interface Share {
  readonly region: number;
  readonly thread: number;
  readonly processor: number;
  counted: ExecutionCounts;
  /** What the tally's counters were when others took them over. */
  state: TallyState | undefined;
}

/**
 * One tally, whose counters change hands between the threads and their regions as registers do. Nothing changes hands but
 * between slices, when no region is being executed: its counters tell nothing in the middle of it.
 */
export class DividedCounts {
  private readonly forks: Forks;
  private readonly shares = new Map<string, Share>();
  private current: Share;

  constructor(forks: Forks) {
    this.forks = forks;
    this.current = this.shareOf();
  }

  private shareOf(): Share {
    const { region, thread, processor } = this.forks.current;
    const key = `${region} ${thread}`;
    let share = this.shares.get(key);
    if (share === undefined) {
      share = { region, thread, processor, counted: new ExecutionCounts(), state: undefined };
      this.shares.set(key, share);
    }
    return share;
  }

  /** Who runs, or in which region, may have changed. */
  follow(tally: Tally): void {
    const next = this.shareOf();
    if (next === this.current) return;
    this.current.state = tally.park();
    tally.resume(next.state);
    next.state = undefined;
    this.current = next;
  }

  /** Of what is counted now: see ExecutionCounts. */
  postpone(address: number): () => void {
    return this.current.counted.postpone(address);
  }

  /** The tally is about to go. */
  take(tally: Tally): void {
    const { current } = this;
    current.state = tally.park();
    for (const share of this.shares.values()) {
      if (share.state === undefined) continue;
      tally.resume(share.state);
      share.counted.add(tally, false);
      share.state = undefined;
    }
    tally.resume(undefined);
  }

  result(): ThreadShares {
    const shares = [...this.shares.values()]
      .map(
        ({ region, thread, processor, counted }): ThreadShare => ({
          region,
          thread,
          processor,
          executions: counted.result(),
        }),
      )
      .filter(({ executions: { ranges, replaced } }) => ranges.length > 0 || replaced > 0)
      .sort((a, b) => a.region - b.region || a.thread - b.thread);
    const regions: readonly RegionRecord[] = this.forks.records((region) =>
      shares.filter((each) => each.region === region).map(({ processor }) => processor),
    );
    return { regions, shares };
  }
}
