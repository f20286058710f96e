import type { Producers } from './producers.ts';

/** Instructions' numbers plus `bias` are in `words` at `first`, `first` + `stride`, ... below `end`. */
export type LiveVisitor = (
  words: Uint32Array,
  first: number,
  end: number,
  stride: number,
  bias: number,
) => void;

/** A window, which tells what is live in it, and who produced what, as far as the log still holds it. */
export interface LiveValues {
  readonly producers: Pick<Producers, 'of' | 'leaveStretch'>;
  /** Visits the instructions whose values anything still holds; the same one often, and some that nothing holds. */
  eachLive(visit: LiveVisitor): void;
}
