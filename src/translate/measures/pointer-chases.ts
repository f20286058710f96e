import type { Node } from '../../ir/node.ts';
import { GPR, RBP, RSP } from '../../x86/state.ts';
import type { Region, RegionBlock } from '../regions/region.ts';

export interface Chases {
  /** By block, the numbers of such loads in the order of its instructions' loads. */
  readonly loads: ReadonlyMap<RegionBlock, ReadonlySet<number>>;
  /** By block: the general registers that walk in it, a bit each. */
  readonly walkers: Int32Array;
  /** By block: those that the loop which was looked at leaves as they are; 0 where it is in none. */
  readonly fixed: Int32Array;
}

/**
 * Loads whose addresses come from memory, from the loads of the time round before: walks along lists, down trees, through hash chains.
 * They visit memory in no order, each waiting for the one before, so that a look at the steps of what they load often
 * misses the caches, and their chain is often later than what they read. That is where asking whether a page is quiet
 * pays (quiet-pages.ts): a list of 1 MB takes 1.5 times as long without. Elsewhere the question is mostly in vain: with all loads asking,
 * dot products took 18 % more time, a bytecode loop 8 %, xz, perl and python 3 to 12 % (medians of three).
 *
 * Only small innermost loops without calls are looked at; in others there is more to wait for.
 */
export function findChases(region: Region): Chases {
  const found = new Map<RegionBlock, ReadonlySet<number>>();
  const walkers = new Int32Array(region.blocks.length);
  const fixed = new Int32Array(region.blocks.length);
  for (const loop of innermostLoops(region)) {
    const flows = loop.map(flowOf);
    const chased = chasedRegisters(flows);
    const changed = flows
      .flatMap(({ changes }) => changes)
      .reduce((all, [register]) => all | (1 << register), 0);
    for (const { index } of loop) {
      walkers[index] |= chased;
      fixed[index] = ~changed;
    }
    if (chased === 0) continue;
    for (const [i, block] of loop.entries()) {
      const loads = block.lifted.instructions.flatMap((instruction) => instruction.loads);
      const chasing = loads.flatMap(({ address }, number) => {
        const { direct, loaded } = flows[i].sources(address);
        return ((direct | loaded) & chased) === 0 ? [] : [number];
      });
      if (chasing.length > 0) found.set(block, new Set(chasing));
    }
  }
  return { loads: found, walkers, fixed };
}

/** Instructions of a loop that is looked at. */
const LARGEST_LOOP = 100;

/** Blocks of each small loop that has no other in it, calls nothing and jumps through no table. */
function innermostLoops({ blocks }: Region): readonly (readonly RegionBlock[])[] {
  const loops: (readonly RegionBlock[])[] = [];
  for (const header of blocks) {
    const ends = header.predecessors.filter((end) => end >= header.index);
    if (ends.length === 0) continue;
    const loop = loopOf(blocks, header, ends);
    if (loop !== undefined) loops.push(loop);
  }
  return loops;
}

/** Blocks are in reverse postorder, so that what leads from a header back to it lies behind it. */
function loopOf(
  blocks: readonly RegionBlock[],
  header: RegionBlock,
  ends: readonly number[],
): readonly RegionBlock[] | undefined {
  const inside = new Set<number>();
  const work = [header.index, ...ends];
  let size = 0;
  while (work.length > 0) {
    const index = work.pop()!;
    if (inside.has(index) || index < header.index) continue;
    const block = blocks[index];
    const { kind } = block.lifted.terminator;
    const holdsAnother = block !== header && block.predecessors.some((end) => end >= index);
    size += block.lifted.instructions.length;
    if (holdsAnother || block.targets !== undefined || kind === 'call' || kind === 'service')
      return undefined;
    if (size > LARGEST_LOOP) return undefined;
    inside.add(index);
    if (block !== header) work.push(...block.predecessors);
  }
  return [...inside].map((index) => blocks[index]);
}

/** General registers as bits: those that a value is computed from, and those that addresses of loads are which it is computed from. */
interface Sources {
  readonly direct: number;
  readonly loaded: number;
}

const NONE: Sources = { direct: 0, loaded: 0 };

interface Flow {
  readonly sources: (node: Node) => Sources;
  /** By general register that the block changes. */
  readonly changes: readonly (readonly [register: number, Sources])[];
}

function flowOf({ lifted }: RegionBlock): Flow {
  const known = new Map<Node, Sources>();
  const sources = (node: Node): Sources => {
    let result = known.get(node);
    if (result === undefined) {
      result = compute(node);
      known.set(node, result);
    }
    return result;
  };
  const compute = (node: Node): Sources => {
    if (node.op === 'get') {
      const register = node.imm as number;
      return isWalker(register) ? { direct: 1 << register, loaded: 0 } : NONE;
    }
    if (node.op === 'load') {
      const statement = lifted.statements[node.imm as number];
      if (statement.kind !== 'load') return NONE;
      const { direct, loaded } = sources(statement.address);
      return { direct: 0, loaded: direct | loaded };
    }
    let [direct, loaded] = [0, 0];
    for (const arg of node.args) {
      const part = sources(arg);
      direct |= part.direct;
      loaded |= part.loaded;
    }
    return { direct, loaded };
  };
  const changes = GPR.filter(isWalker).flatMap((register) => {
    const value = lifted.assignments.get(register);
    return value === undefined ? [] : [[register, sources(value)] as const];
  });
  return { sources, changes };
}

const isWalker = (register: number): boolean => register < GPR.length && register !== RSP && register !== RBP;

/** Registers in a cycle of a loop's data flow that leads through the address of a load, whatever the order of its blocks. */
function chasedRegisters(flows: readonly Flow[]): number {
  const changes = flows.flatMap((flow) => flow.changes);
  /** By register: what it comes to be computed from. */
  const reached = new Array<number>(GPR.length).fill(0);
  for (const [register, { direct, loaded }] of changes) reached[register] |= direct | loaded;
  for (const via of GPR)
    for (const from of GPR) if ((reached[from] & (1 << via)) !== 0) reached[from] |= reached[via];
  let chased = 0;
  for (const [register, { loaded }] of changes)
    for (const base of GPR)
      if ((loaded & (1 << base)) !== 0 && (base === register || (reached[base] & (1 << register)) !== 0))
        chased |= (1 << base) | (1 << register);
  return chased;
}
