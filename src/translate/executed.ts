import { EXECUTED_BLOCK_COUNT, EXECUTED_BLOCKS } from '../guest/layout.ts';

/**
 * Which blocks cold code has executed. A hot region holds those alone: translating and compiling what a run never reaches
 * was most of the cost of short runs (measured: half of the instructions of hot regions).
 */
export class ExecutedBlocks {
  private readonly flags: Uint8Array;
  private readonly start: number;
  private readonly numbers = new Map<number, number>();

  /** `index` is the code cache's: each has its part of the memory for flags. */
  constructor(memory: ArrayBuffer, index: number) {
    this.start = EXECUTED_BLOCKS + EXECUTED_BLOCK_COUNT * index;
    this.flags = new Uint8Array(memory, this.start, EXECUTED_BLOCK_COUNT);
  }

  /** Where the block at an address is to store a 1; undefined when no more can be watched. */
  flagOf(address: number): number | undefined {
    let number = this.numbers.get(address);
    if (number === undefined) {
      if (this.numbers.size === EXECUTED_BLOCK_COUNT) return undefined;
      number = this.numbers.size;
      // Code for other lanes may have used the memory before.
      this.flags[number] = 0;
      this.numbers.set(address, number);
    }
    return this.start + number;
  }

  /** Whether a block that begins there was executed, as far as is known: true when none can be watched any more. */
  has(address: number): boolean {
    const number = this.numbers.get(address);
    if (number === undefined) return this.numbers.size === EXECUTED_BLOCK_COUNT;
    return this.flags[number] !== 0;
  }
}
