import type { Place } from './graph.ts';

/** What one loop was found to do, before it is counted. */
export interface LoopFacts {
  readonly id: number;
  readonly function: string;
  readonly line: number;
  readonly endLine: number;
  readonly depth: number;
  readonly innermost: boolean;
  /** Its iterations may be done in any order, as the source says: none takes what another stored. */
  readonly independent: boolean;
  readonly induction: Induction | undefined;
  readonly trips: number | undefined;
  /** Its own area first. */
  readonly areas: readonly number[];
  readonly accesses: readonly Access[];
  /** Values that leave an iteration: conditions, arguments, what variables hold after it. */
  readonly roots: readonly Root[];
  readonly carried: readonly Carried[];
  readonly reasons: readonly string[];
  readonly assumptions: readonly string[];
}

export interface Induction {
  readonly variable: string;
  /** Undefined where it is the same in every iteration but not a number of the text. */
  readonly step: number | undefined;
}

export interface Access {
  readonly kind: 'load' | 'store';
  readonly place: Place;
  /** The loaded or stored value. */
  readonly node: number;
  readonly area: number;
  /** Nodes that its address is made of. */
  readonly address: readonly number[];
}

export interface Root {
  readonly node: number;
  /** Whether it decides on the next iteration, with what the loop itself counts. */
  readonly control: boolean;
}

/** A variable that an iteration takes over from the one before. */
export interface Carried {
  readonly variable: string;
  /** At the start of an iteration, and at its end. */
  readonly start: number;
  readonly end: number;
  /** Declared outside of the loop, so that its last value may be asked for. */
  readonly outlives: boolean;
}
