import type { Node } from '../../ir/node.ts';
import { GPR } from '../../x86/state.ts';
import type { Region, RegionBlock } from '../regions/region.ts';
import { findChases } from './pointer-chases.ts';

type Loads = ReadonlyMap<RegionBlock, ReadonlySet<number>>;

/**
 * Loads that visit memory in no order, so that a look at the steps of what they load often misses the caches: chases (see pointer-chases.ts);
 * and those at places that a hash or a random number chooses, or that a chase has come to, or that such loads give. Random
 * lookups in a tree of 1 MB take 0.65 of the time when all that they load asks whether its page is quiet, of 16 MB 0.81. A region that
 * stores at such places has no quiet pages there, so that only its chases ask: hash tables took 1.12 to 1.17 of the time otherwise.
 * What a loop reads from a place that stays the same is near what it has read before: xz, which compares strings so, took 1.05 of the time. By block, the
 * numbers of such loads in the order of its instructions' loads.
 */
export function findScatteredLoads(region: Region): Loads {
  const { loads: chases, walkers, fixed } = findChases(region);
  const { blocks } = region;
  const places = blocks.map((block) => new Places(block));
  const entries = registersAtEntries(blocks, places, walkers);
  const found = new Map(chases);
  for (const block of blocks) {
    const { index } = block;
    const isScattered = places[index].withScattered(entries[index] & ~fixed[index]);
    const { instructions, statements } = block.lifted;
    if (statements.some((statement) => statement.kind === 'store' && isScattered(statement.address)))
      return chases;
    const loads = instructions.flatMap((instruction) => instruction.loads);
    const scattered = loads.flatMap(({ address }, number) => (isScattered(address) ? [number] : []));
    if (scattered.length > 0) found.set(block, new Set([...scattered, ...(chases.get(block) ?? [])]));
  }
  return found;
}

/** By block: the general registers that may hold a scattered place at its entry, or walk in it, a bit each. */
function registersAtEntries(
  blocks: readonly RegionBlock[],
  places: readonly Places[],
  walkers: Int32Array,
): Int32Array {
  const entries = walkers.slice();
  /** The entry that each block was last looked at with. */
  const seen = new Int32Array(blocks.length).fill(-1);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { index, successors } of blocks) {
      if (seen[index] === entries[index]) continue;
      seen[index] = entries[index];
      const after = places[index].after(entries[index]);
      for (const edge of successors) {
        if (edge.kind !== 'block' || (entries[edge.index] | after) === entries[edge.index]) continue;
        entries[edge.index] |= after;
        changed = true;
      }
    }
  }
  return entries;
}

/** Results that depend on all bits of what they are computed from. */
const MIXING: ReadonlySet<string> = new Set([
  'x86.mulhi_u',
  'x86.mulhi_s',
  'i32.rem_u',
  'i64.rem_u',
  'i32.rem_s',
  'i64.rem_s',
]);
const RIGHT: ReadonlySet<string> = new Set(['i32.shr_u', 'i64.shr_u']);
const SHIFTS: ReadonlySet<string> = new Set([...RIGHT, 'i32.shl', 'i64.shl']);
const MULTIPLICATIONS: ReadonlySet<string> = new Set(['i32.mul', 'i64.mul']);
const DIFFERENCES: ReadonlySet<string> = new Set(['i32.xor', 'i64.xor']);

/** The upper bits of a product, a remainder, or a number and itself shifted, as xorshift has it. */
function mixes({ op, args }: Node): boolean {
  if (RIGHT.has(op)) return holdsProduct(args[0], 4);
  if (DIFFERENCES.has(op))
    return args.some(({ op: other, args: [shifted] }, i) => SHIFTS.has(other) && shifted === args[1 - i]);
  return MIXING.has(op);
}

function holdsProduct({ op, args }: Node, depth: number): boolean {
  return MULTIPLICATIONS.has(op) || (depth > 0 && args.some((arg) => holdsProduct(arg, depth - 1)));
}

/** Which of a block's values are computed from scattered ones. */
class Places {
  private readonly block: RegionBlock;

  constructor(block: RegionBlock) {
    this.block = block;
  }

  /** Where these registers hold some at the block's entry. */
  withScattered(entry: number): (node: Node) => boolean {
    const { statements } = this.block.lifted;
    const known = new Map<Node, boolean>();
    const compute = (node: Node): boolean => {
      if (node.op === 'get') {
        const variable = node.imm as number;
        return variable < GPR.length && ((entry >> variable) & 1) === 1;
      }
      if (node.op === 'load') {
        const statement = statements[node.imm as number];
        return statement.kind === 'load' && isScattered(statement.address);
      }
      return mixes(node) || node.args.some(isScattered);
    };
    const isScattered = (node: Node): boolean => {
      let scattered = known.get(node);
      if (scattered === undefined) {
        scattered = compute(node);
        known.set(node, scattered);
      }
      return scattered;
    };
    return isScattered;
  }

  /** Registers that hold some at its end. */
  after(entry: number): number {
    const { assignments, terminator } = this.block.lifted;
    if (terminator.kind === 'service') return 0;
    const isScattered = this.withScattered(entry);
    let after = entry;
    for (const register of GPR) {
      const value = assignments.get(register);
      if (value === undefined) continue;
      after = isScattered(value) ? after | (1 << register) : after & ~(1 << register);
    }
    return after;
  }
}
