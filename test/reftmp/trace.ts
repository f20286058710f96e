/** How control left an executed instruction. */
export type Flow = 'next' | 'jump' | 'call' | 'return';

/** What one run did beside its data flow: by step, how control went on and where the stack pointer was then. */
export interface Trace {
  readonly flows: readonly Flow[];
  readonly stackPointers: readonly number[];
  /** Before the first instruction. */
  readonly initialStackPointer: number;
}
