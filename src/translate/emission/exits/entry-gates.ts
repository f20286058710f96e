import { ENTRY } from '../../../guest/layout.ts';
import type { Gate, RegionBlock } from '../../regions/region.ts';
import type { Emission, TakeEdge } from './emission.ts';
import type { IndirectJumps } from './indirect-jumps.ts';

/** The ways in that lead to a region's loops and to targets of its jumps (see entries.ts), through gates before them. */
export class EntryGates {
  private readonly emission: Emission;
  private readonly jumps: IndirectJumps;
  /** A local with the number of the entry that is being gone to; 0 for none. */
  private readonly entry: number | undefined;

  constructor(emission: Emission, jumps: IndirectJumps, entry: number | undefined) {
    this.emission = emission;
    this.jumps = jumps;
    this.entry = entry;
  }

  /** At the region's start: where it is to be entered. */
  takeEntry(): void {
    const { entry } = this;
    const { f } = this.emission;
    if (entry === undefined) return;
    f.i32(0);
    f.memory('i32.load', ENTRY);
    f.tee(entry);
    f.if(undefined, 'unlikely');
    f.i32(0);
    f.i32(0);
    f.memory('i32.store', ENTRY);
    f.end();
  }

  /** In the prologue, so before `takeEntry`. */
  unlessAtEntry(emit: () => void): void {
    const { f } = this.emission;
    if (this.entry === undefined) return emit();
    f.i32(0);
    f.memory('i32.load', ENTRY);
    f.op('i32.eqz');
    f.if();
    emit();
    f.end();
  }

  /** On to the entry, if it is being gone to. */
  pass(block: RegionBlock, { arms }: Gate, follow: TakeEdge): void {
    const { f, region } = this.emission;
    const { entries } = region;
    const entry = this.entry!;
    f.get(entry);
    f.if(undefined, 'unlikely');
    const table: number[] = new Array(entries[entries.length - 1].number + 1);
    const nowhere = f.block();
    const labels = arms.map(() => f.block()).reverse();
    arms.forEach(({ number }, i) => {
      table[number] = labels[i];
    });
    f.get(entry);
    f.brTable(
      Array.from(table, (label) => label ?? nowhere),
      nowhere,
    );
    arms.forEach(({ isThere }, i) => {
      f.end();
      const edge = block.successors[i + 1];
      if (isThere) {
        f.i32(0);
        f.set(entry);
        if (edge.kind === 'block' && region.blocks[edge.index].targets !== undefined) this.jumps.takeTarget();
      }
      if (follow(edge) !== undefined) throw new Error('an entry needs a label');
    });
    f.end();
    f.unreachable();
    f.end();
  }
}
