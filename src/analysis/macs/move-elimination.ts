import type { Machine } from '../../machines/machine.ts';
import type { BlockInstruction } from '../../x86/block.ts';
import { isGeneral, LOCATION_COUNT } from '../../x86/locations.ts';
import type { StateHash } from './state-hash.ts';

type File = 'general' | 'vector';

/**
 * How many copies of registers renaming can do away with. Registers that share a value are tracked in a few entries; a
 * general one is free again when all that shared it are overwritten, a vector one when all but one are; what happens in a
 * cycle counts two cycles later (uiCA, section 4.2).
 */
export class MoveElimination {
  private readonly limits: Readonly<Record<File, number | undefined>>;
  /** For each register the entry that it shares, 0 for none. */
  private readonly entry = new Int32Array(LOCATION_COUNT);
  private members = new Map<number, Set<number>>();
  private names = 1;
  private inUse: Record<File, [number, number, number]> = { general: [0, 0, 0], vector: [0, 0, 0] };
  private done: Record<File, [number, number]> = { general: [0, 0], vector: [0, 0] };
  private moved: BlockInstruction | undefined;

  constructor(machine: Machine) {
    const { general, vector } = machine.rename.moveElimination;
    this.limits = { general, vector };
  }

  nextCycle(): void {
    for (const file of ['general', 'vector'] as const) {
      this.done[file] = [0, this.done[file][0]];
      this.inUse[file] = [this.count(file), this.inUse[file][0], this.inUse[file][1]];
    }
  }

  /** Whether this copy is done by renaming. Asked once for each, before `write`. */
  eliminates(instruction: BlockInstruction): boolean {
    const file = instruction.move;
    if (file === undefined) return false;
    const limit = this.limits[file];
    if (limit === undefined) return false;
    const [now, before] = this.done[file];
    if (limit > 0 && limit - now - before - this.inUse[file][2] <= 0) return false;
    this.done[file][0]++;
    this.moved = instruction;
    return true;
  }

  write(instruction: BlockInstruction): void {
    const moved = this.moved === instruction;
    this.moved = undefined;
    const file = instruction.move;
    const to = file === undefined ? undefined : instruction.writes.find((each) => isRegisterOf(file, each));
    const from = file === undefined ? undefined : instruction.reads.find((each) => isRegisterOf(file, each));
    for (const location of instruction.writes) this.release(location);
    if (!moved || to === undefined || from === undefined) return;
    const shared = this.entry[from] || this.names++;
    const members = this.members.get(shared) ?? new Set([from]);
    members.add(to);
    this.members.set(shared, members);
    this.entry[from] = shared;
    this.entry[to] = shared;
  }

  /** Adds everything that the future depends on. */
  state(hash: StateHash): void {
    for (const file of ['general', 'vector'] as const) {
      for (const each of this.inUse[file]) hash.add(each);
      for (const each of this.done[file]) hash.add(each);
    }
    if (this.members.size === 0) return;
    const order = new Map<number, number>();
    for (const name of this.entry) {
      if (name !== 0 && !order.has(name)) order.set(name, order.size + 1);
      hash.add(name === 0 ? 0 : order.get(name)!);
    }
  }

  private release(location: number): void {
    const name = this.entry[location];
    if (name === 0) return;
    const members = this.members.get(name)!;
    members.delete(location);
    this.entry[location] = 0;
    const left = isGeneral(location) ? 0 : 1;
    if (members.size > left) return;
    for (const each of members) this.entry[each] = 0;
    this.members.delete(name);
  }

  private count(file: File): number {
    let count = 0;
    for (const members of this.members.values()) {
      const [first] = members;
      if (first !== undefined && isGeneral(first) === (file === 'general')) count++;
    }
    return count;
  }
}

const isRegisterOf = (file: File, location: number): boolean =>
  file === 'general' ? isGeneral(location) : location >= 16 && location < 48;
