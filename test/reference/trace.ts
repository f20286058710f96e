import type { OwnedStack } from '../../src/emulator/contexts/stacks.ts';

/** How control left an executed instruction. */
export type Flow = 'next' | 'jump' | 'call' | 'return';

/** What one thread did beside its data flow: by its own steps, from 0, how control went on and where the stack pointer was then. */
export interface Trace {
  /** Which instructions of the run they are. */
  readonly steps: readonly number[];
  readonly flows: readonly Flow[];
  readonly stackPointers: readonly number[];
  /** By step that set rsp, perhaps to another stack: where it was before. */
  readonly stackSets: ReadonlyMap<number, number>;
  /** By step that set rsp: whose stack it is on, where the guest's runtime tells. */
  readonly stackOwners: ReadonlyMap<number, OwnedStack>;
  /** By step: a signal's handler was entered or left behind it. */
  readonly moves: ReadonlyMap<number, Move>;
  /** Before the first instruction. */
  readonly initialStackPointer: number;
  /** Where its stack lies, if the one that started it said so. */
  readonly stack: Range | undefined;
}

/** What a signal did between two instructions. */
export interface Move {
  /** Where control would have gone. */
  readonly interrupted: number;
  /** rsp when the next instruction begins. */
  readonly stackPointer: number;
  /** rsp where the innermost handler was entered that has not returned; 0 for none. */
  readonly handlerSlot: number;
  /** The alternate stack, where a handler has been entered that runs there. */
  readonly alternate: Range | undefined;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}
