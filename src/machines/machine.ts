import type { WholeMachine } from './schema.ts';

/** A processor as the bounds see it: numbers and what its instructions need. */
export interface Machine extends Omit<WholeMachine, 'table' | 'overlay' | 'llvm' | 'rename' | 'bypasses'> {
  readonly rename: Omit<WholeMachine['rename'], 'zeroIdioms' | 'onesIdioms'> & {
    readonly zeroIdioms: ReadonlySet<string>;
    readonly onesIdioms: ReadonlySet<string>;
  };
  /** What the form of this name needs; undefined where the model does not know it. */
  needsOf(form: string): Needs | undefined;
  /** Cycles that the result of an instruction of one form is there sooner for one of another. */
  soonerFor(from: string, to: string): number;
  /** Forms in the table. */
  readonly formCount: number;
  /** Rows that correct the table: which forms, and where the numbers are from. */
  readonly byHand: readonly { readonly match: string; readonly source: string }[];
  /** Where the table comes from, with its licence. */
  readonly tableNote: string;
}

/** What an instruction of a form needs of the machine, besides its memory accesses where these follow from operands. */
export interface Needs {
  /** Micro-operations that compute, each with the ports that can do it. */
  readonly compute: readonly string[];
  /** Memory micro-operations, where the model says how many; undefined where they follow from the operands. */
  readonly loads: number | undefined;
  readonly stores: number | undefined;
  /** Cycles from the last source register to the result, without a load. */
  readonly latency: number;
  /** Cycles that the divider cannot take another. */
  readonly divider: number;
  /** Slots at issue, where they do not follow from the micro-operations. */
  readonly slots: number | undefined;
}
