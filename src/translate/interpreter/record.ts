import type { Signature } from '../../wasm/function.ts';
import { REGION_TYPE } from '../region-interface.ts';

/**
 * Interpreted code is a sequence of records in memory: the table slot of a handler, then what the handler needs. Each
 * handler ends by calling the next record's in its own place, so that the guest's code runs without a loop of ours. All
 * state is in memory between records.
 */

/** Part of a record, 4 or 8 bytes. */
export type Field =
  /** 16 times the variable of a register operand: from it follow where its value and its step are. */
  | { readonly kind: 'register'; readonly operand: number }
  | { readonly kind: 'base' }
  | { readonly kind: 'index' }
  | { readonly kind: 'scale' }
  | { readonly kind: 'displacement' }
  | { readonly kind: 'absolute' }
  | { readonly kind: 'immediate32'; readonly operand: number }
  | { readonly kind: 'immediate64'; readonly operand: number }
  /** Address after the instruction, in 8 bytes: the guest may see it. */
  | { readonly kind: 'next' }
  /** Place of the instruction. */
  | { readonly kind: 'address' }
  /** Instructions of the block behind this one: they are off the fuel already. */
  | { readonly kind: 'following' }
  /** A link, see LINK_SIZE. */
  | { readonly kind: 'link'; readonly to: 'target' | 'taken' | 'next' }
  /** Of an indirect jump or call: its place, and the low half of where it went last. */
  | { readonly kind: 'jump' }
  /** How often the branch was taken, for a tally. */
  | { readonly kind: 'taken' };

/** A link: the record to go on with, 0 when it is not known yet; the place that it leads to; where it comes from. */
export const LINK = { place: 4, from: 8, size: 12 } as const;
/** In place of where links come from that are not jumps (those have the place of the jump). */
export const GOES_ON = 0;
export const CALLS = 1;

const WIDE_FIELDS: ReadonlySet<Field['kind']> = new Set(['jump', 'next', 'absolute', 'immediate64', 'taken']);

export const sizeOfField = ({ kind }: Field): number =>
  kind === 'link' ? LINK.size : WIDE_FIELDS.has(kind) ? 8 : 4;

/**
 * A block begins with two records. The first counts how often the block is entered by calls and backward jumps: handler,
 * count, place, number of the block, slot of its hot region. The second is where all others enter.
 */
export const HEAD = { count: 4, place: 8, block: 12, slot: 16, size: 20 } as const;
/** The second one, where nothing comes before it: the block's instructions, place, and entries, in 8 bytes where they are tallied. */
export const ENTRY = { instructions: 4, place: 8, entries: 12 } as const;
export const sizeOfEntry = (tallies: boolean): number => ENTRY.entries + (tallies ? 8 : 4);

/** A variable that no register has, and a location: 0, and never written. Stands for the base of addresses that have none. */
export const NO_VARIABLE = 200;

/** Of all handlers: the record; results as of a region. */
export const HANDLER_TYPE: Signature = { params: ['i32'], results: REGION_TYPE.results };
