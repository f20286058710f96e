import type { Access, Root } from './facts.ts';
import type { Place } from './graph.ts';
import type { Expression, Loop, Type } from './syntax.ts';

/** A variable: what its name means in a scope. */
export interface Binding {
  readonly id: number;
  readonly type: Type;
  /** The loop whose body declares it; 0 for none. */
  readonly loop: number;
  readonly value?: Expression;
  /** It is another name of this. */
  readonly alias?: Target;
}

/** What can be assigned to. */
export type Target =
  | { readonly kind: 'variable'; readonly binding: Binding; readonly name: string }
  | { readonly kind: 'place'; readonly place: Place; readonly address: readonly number[] };

/** What variables and places hold. */
export interface State {
  readonly variables: Map<number, number>;
  readonly memory: Map<string, number>;
}

/** The loop that is being looked at. */
export interface Frame {
  readonly id: number;
  readonly depth: number;
  readonly accesses: Access[];
  readonly roots: Root[];
  readonly reasons: Set<string>;
  readonly assumptions: Set<string>;
  readonly areas: number[];
  area: number;
  readonly continues: State[];
  /** Places that the pass before stored to; undefined in the first pass. */
  readonly stored: ReadonlySet<string> | undefined;
  innermost: boolean;
  readonly loop: Loop;
}

/** The function is larger than can be gone through. */
export class TooMuchWork extends Error {}
