import { CODE_CACHES, JUMP_TABLES, JUMP_TABLES_END } from '../../guest/layout.ts';
import type { JumpTable } from '../region-interface.ts';
import { JUMP_SPAN } from '../regions/region.ts';

/** Targets of one jump: WebAssembly nests a block for each. */
const MOST_TARGETS = 1000;

interface Jump {
  readonly targets: Set<number>;
  /** It went to another function's entry: a tail call or a linkage stub, whose targets are no part of a region. */
  enters: boolean;
}

/**
 * Where indirect jumps went: switch tables and computed gotos. The interpreter tells whenever one goes elsewhere than the
 * time before, a region only where it knows no better, so that a hot region can hold the cases of its switches (measured on an interpreter loop: 15.6 ns an
 * instruction when each case was a region of its own).
 */
export class IndirectJumps {
  private readonly jumps = new Map<number, Jump>();
  private readonly memory: Uint16Array;
  private nextTable: number;
  private readonly last: number;

  /** `index` is the code cache's: each has its part of the memory for tables. */
  constructor(memory: ArrayBuffer, index: number) {
    this.memory = new Uint16Array(memory);
    const size = (JUMP_TABLES_END - JUMP_TABLES) / CODE_CACHES;
    this.nextTable = JUMP_TABLES + size * index;
    this.last = this.nextTable + size;
  }

  /** Tells whether that was news. */
  note(from: number, target: number, enters: boolean): boolean {
    const jump = this.jumps.get(from) ?? { targets: new Set(), enters: false };
    this.jumps.set(from, jump);
    if (enters) {
      const isNew = !jump.enters;
      jump.enters = true;
      return isNew;
    }
    if (jump.targets.has(target) || jump.targets.size === MOST_TARGETS) return false;
    jump.targets.add(target);
    return true;
  }

  /** Whether the jump is known to go there: of those with too many targets not all are. */
  goesTo(from: number, target: number): boolean {
    return this.jumps.get(from)?.targets.has(target) === true;
  }

  enters(from: number): boolean {
    return this.jumps.get(from)?.enters === true;
  }

  /** None once the memory for tables is used up. */
  targets(from: number): readonly number[] {
    if (this.nextTable + 2 * JUMP_SPAN > this.last) return [];
    return [...(this.jumps.get(from)?.targets ?? [])];
  }

  /** `targets` ascend, at most JUMP_SPAN apart. */
  table(targets: readonly number[]): JumpTable {
    const start = targets[0];
    const length = targets[targets.length - 1] - start + 1;
    const at = this.nextTable;
    this.nextTable += 2 * length;
    if (this.nextTable > this.last) throw new Error('no memory is left for tables of jump targets');
    this.fill(at, targets);
    return { at, start, length };
  }

  /** Tables end there. */
  get end(): number {
    return this.nextTable;
  }

  /** The memory before is in use. */
  reserve(end: number): void {
    this.nextTable = Math.max(this.nextTable, end);
  }

  /** Makes the table of the targets at a place. */
  fill(at: number, targets: readonly number[]): void {
    const start = targets[0];
    this.memory.fill(0, at / 2, at / 2 + targets[targets.length - 1] - start + 1);
    targets.forEach((target, i) => {
      this.memory[at / 2 + target - start] = i + 1;
    });
  }
}
