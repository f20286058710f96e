import type { CodeInstruction } from '../../x86/block.ts';
import type { Location } from '../../x86/locations.ts';

/** Who wrote what an instruction of a repeated path reads, and who reads what it writes. */
export class DefUse {
  private readonly instructions: readonly CodeInstruction[];
  /** Positions that write a location, ascending. */
  private readonly writers = new Map<Location, number[]>();
  private readonly users = new Map<Location, number[]>();

  constructor(instructions: readonly CodeInstruction[]) {
    this.instructions = instructions;
    instructions.forEach(({ writes, reads, addressReads }, i) => {
      for (const location of writes) add(this.writers, location, i);
      for (const location of new Set([...reads, ...addressReads])) add(this.users, location, i);
    });
  }

  /** The last to write it before `i`: of this iteration (distance 0) or the one before; undefined for nobody. */
  writer(i: number, location: Location): { readonly at: number; readonly distance: 0 | 1 } | undefined {
    const all = this.writers.get(location);
    if (all === undefined) return undefined;
    const here = all.findLast((at) => at < i);
    return here === undefined ? { at: all[all.length - 1], distance: 1 } : { at: here, distance: 0 };
  }

  isWritten(location: Location): boolean {
    return this.writers.has(location);
  }

  /** Positions that read what `i` leaves in a location, until it is written anew; those of the next iteration as well. */
  readers(i: number, location: Location): readonly number[] {
    const next = this.writers.get(location)!.find((at) => at > i);
    const users = this.users.get(location) ?? [];
    const behind = users.filter((at) => at > i && at <= (next ?? this.instructions.length));
    if (next !== undefined) return behind;
    const first = this.writers.get(location)![0];
    return [...behind, ...users.filter((at) => at <= first)];
  }
}

function add(map: Map<Location, number[]>, location: Location, i: number): void {
  const list = map.get(location);
  if (list === undefined) map.set(location, [i]);
  else list.push(i);
}
