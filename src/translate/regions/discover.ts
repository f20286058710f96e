import type { StackRise } from '../../ir/node.ts';
import type { CodeReader } from '../../x86/decode.ts';
import type { LiftedBlock } from '../../x86/lift/block.ts';
import { emptyBlock, withEntries } from './entries.ts';
import { type Lifting, liftedBlocksOf, type Mode } from './lifted-blocks.ts';
import { type Edge, JUMP_SPAN, type Region, type RegionBlock } from './region.ts';
import { findStackOffsets, isRise, stackOffset } from './stack-offsets.ts';

export interface RegionLimits {
  /** A jump into a linkage stub or to another function's entry (rule 9) leaves the region. */
  readonly entersFunction: (from: number, target: number) => boolean;
  /** Whoever arrives there must be seen: it begins a region of its own. */
  readonly isSeen: (address: number) => boolean;
  /** A block must begin there. */
  readonly isLeader: (address: number) => boolean;
  /** A block ends behind each instruction that may change the code behind it. */
  readonly endsBehindStores: boolean;
  /** Control came there often enough so far: other blocks are left out. */
  readonly isWarm: (address: number) => boolean;
  /** Where the indirect jump at an address went so far, without entering a function. */
  readonly jumpTargets: (from: number) => readonly number[];
  /** Regions stay below this many instructions; what is beyond becomes an exit. */
  readonly instructions: number;
  /** Most loops at which a region can be entered, besides its beginning, and whether it can be at targets of its jumps. */
  readonly entries: number;
  readonly entersTargets: boolean;
  readonly lifting: Lifting;
}

const BLOCK_LIMIT = 200;

export function discoverRegion(
  code: CodeReader,
  entry: number,
  { top, mxcsr }: Mode,
  limits: RegionLimits,
): Region {
  code.forget();
  const found = findLeaders(code, entry, limits);
  const { leaders } = found;
  for (;;) {
    const blocks = buildBlocks(code, entry, { top, mxcsr }, found, limits);
    if (splitAtRises(blocks, leaders)) continue;
    const region = { entry, top, mxcsr, usesFpu: found.usesFpu, blocks, entries: [] };
    return withEntries(region, limits.entries, limits.entersTargets);
  }
}

interface Target {
  readonly address: number;
  readonly enters: boolean;
  /** Of the block that it leads to, when that is in the region. */
  readonly key: number | undefined;
  readonly top: number;
}

/** A block on its way into the order. */
interface Visit {
  readonly block: LiftedBlock;
  readonly top: number;
  readonly targets: readonly Target[];
  /** The target to visit next. */
  next: number;
  index: number;
}

interface Leaders {
  readonly leaders: Set<number>;
  readonly usesFpu: boolean;
  /** Targets of the region's indirect jumps that are inside it. */
  readonly dispatched: readonly number[];
}

/** Key of the dispatching block: no address. */
const DISPATCH = -1;

function buildBlocks(
  code: CodeReader,
  entry: number,
  { top, mxcsr }: Mode,
  { leaders, usesFpu, dispatched }: Leaders,
  limits: RegionLimits,
): readonly RegionBlock[] {
  const kept = liftedBlocksOf(code, limits.lifting);
  const visited = new Map<number, Visit>();
  const keyOf = (address: number, at: number) => (usesFpu ? 8 * address + at : address);
  const order: Visit[] = [];
  const isEnd = (address: number) => leaders.has(address) || limits.isSeen(address);

  // Depth-first postorder with an explicit stack: functions may have many thousand blocks.
  const visit = (address: number, at: number): Visit | undefined => {
    const key = keyOf(address, at);
    if (visited.has(key)) return undefined;
    const mode = { top: usesFpu ? at : 0, mxcsr };
    let block = kept.lift(address, mode, isEnd, BLOCK_LIMIT);
    // A context may close after an instruction that sets rsp anew (rule 9): it ends its block, so that counts are exact there.
    const isSet = (rise: StackRise) => rise.before !== undefined || stackOffset(rise.value) === undefined;
    const jump = block.stackRises.find(isSet)?.instruction;
    if (jump !== undefined && jump + 1 < block.instructions.length) {
      block = kept.lift(address, mode, isEnd, jump + 1);
      leaders.add(block.end);
    }
    const inside = (target: number): Target => ({
      address: target,
      enters: false,
      key: leaders.has(target) ? keyOf(target, block.topAfter) : undefined,
      top: block.topAfter,
    });
    const targets = successorAddresses(block).map((target, i) => {
      const enters = limits.entersFunction(lastOf(block), target) && isJump(code, block, i);
      return enters ? { ...inside(target), enters, key: undefined } : inside(target);
    });
    if (block.terminator.kind === 'indirect-jump' && dispatched.length > 0)
      targets.push({ ...inside(entry), key: DISPATCH });
    const made: Visit = { block, top: at, targets, next: 0, index: -1 };
    visited.set(key, made);
    return made;
  };
  const visitDispatch = (): Visit | undefined => {
    if (visited.has(DISPATCH)) return undefined;
    const targets = dispatched.map(
      (address): Target => ({ address, enters: false, key: keyOf(address, top), top }),
    );
    const made: Visit = { block: emptyBlock(entry), top, targets, next: 0, index: -1 };
    visited.set(DISPATCH, made);
    return made;
  };
  const stack = [visit(entry, top)!];
  while (stack.length > 0) {
    const open = stack[stack.length - 1];
    if (open.next < open.targets.length) {
      const target = open.targets[open.next++];
      if (target.key === undefined) continue;
      const child = target.key === DISPATCH ? visitDispatch() : visit(target.address, target.top);
      if (child !== undefined) stack.push(child);
    } else {
      order.push(open);
      stack.pop();
    }
  }
  order.reverse();
  for (let i = 0; i < order.length; i++) order[i].index = i;

  const predecessors: number[][] = order.map(() => []);
  const edges = order.map(({ targets }, from) =>
    targets.map(({ address, enters, key }): Edge => {
      const to = key === undefined ? undefined : visited.get(key);
      if (to === undefined) return { kind: 'exit', address, enters };
      predecessors[to.index].push(from);
      return { kind: 'block', index: to.index };
    }),
  );
  const dispatch = visited.get(DISPATCH);
  return order.map(({ block, top: at }, index) => ({
    index,
    lifted: block,
    top: at,
    successors: edges[index],
    predecessors: predecessors[index],
    ...(order[index] === dispatch && { targets: dispatched }),
  }));
}

/** A context closes with the instruction that raises rsp: no other may follow it in its block. Tells whether blocks must be built anew. */
function splitAtRises(blocks: readonly RegionBlock[], leaders: Set<number>): boolean {
  const offsets = findStackOffsets(blocks);
  let found = false;
  for (const { index, lifted } of blocks)
    for (const { instruction, value } of lifted.stackRises) {
      if (instruction + 1 >= lifted.instructions.length || !isRise(value, offsets[index])) continue;
      leaders.add(lifted.instructions[instruction + 1].address);
      found = true;
    }
  return found;
}

const lastOf = (block: LiftedBlock): number => block.instructions.at(-1)?.address ?? block.address;

/** Whether a block's successor is reached by a jump, not by going on to the next instruction. */
function isJump(code: CodeReader, block: LiftedBlock, successor: number): boolean {
  const { kind } = block.terminator;
  if (kind === 'branch') return successor === 0;
  return kind === 'jump' && code.scan(lastOf(block)).flow === 'jump';
}

function successorAddresses(block: LiftedBlock): number[] {
  const end = block.terminator;
  switch (end.kind) {
    case 'jump':
      return [end.target];
    case 'branch':
      return [end.taken, end.next];
    case 'call':
    case 'service':
      return [end.next];
    case 'indirect-jump':
    case 'return':
    case 'fault':
    case 'unsupported':
      return [];
  }
}

/** Walks the code once without lifting: where blocks begin, and whether x87 state matters. */
function findLeaders(code: CodeReader, entry: number, limits: RegionLimits): Leaders {
  const leaders = new Set([entry]);
  const seen = new Set<number>();
  const pending = [entry];
  const jumps: number[] = [];
  let count = 0;
  let usesFpu = false;
  const lead = (address: number, from: number | undefined) => {
    if (from !== undefined && limits.entersFunction(from, address)) return;
    if (limits.isSeen(address)) return;
    if (leaders.has(address)) return;
    if (count >= limits.instructions) return;
    leaders.add(address);
    pending.push(address);
  };
  const leadIfWarm = (address: number, from: number | undefined) => {
    if (limits.isWarm(address)) lead(address, from);
  };
  while (pending.length > 0) {
    let address = pending.pop()!;
    let inBlock = 0;
    let endsHere = false;
    while (!seen.has(address)) {
      seen.add(address);
      count++;
      const scan = code.scan(address);
      usesFpu ||= scan.usesFpu;
      const next = address + scan.length;
      if (scan.flow === 'jump') leadIfWarm(scan.target!, address);
      else if (scan.flow === 'branch') {
        leadIfWarm(scan.target!, address);
        leadIfWarm(next, undefined);
      } else if (scan.flow === 'call' || scan.flow === 'indirect-call' || scan.flow === 'service')
        leadIfWarm(next, undefined);
      else if (scan.flow === 'indirect-jump')
        for (const target of limits.jumpTargets(address)) {
          jumps.push(target);
          leadIfWarm(target, undefined);
        }
      inBlock++;
      endsHere = scan.flow !== 'next' || inBlock >= BLOCK_LIMIT;
      if (scan.flow === 'next' && endsHere) lead(next, undefined);
      if (endsHere) break;
      if (limits.endsBehindStores && code.storesElsewhere(address)) leaders.add(next);
      address = next;
      endsHere = limits.isSeen(address);
      if (endsHere) break;
      if (limits.isLeader(address)) leaders.add(address);
    }
    // Running into code that was walked before: it must begin a block there.
    if (!endsHere) leaders.add(address);
  }
  // Blocks of code that uses x87 are valid for one top of stack, which a jump target alone does not tell.
  const dispatched = usesFpu ? [] : [...new Set(jumps)].filter((target) => leaders.has(target));
  dispatched.sort((a, b) => a - b);
  return { leaders, usesFpu, dispatched: mostInSpan(dispatched) };
}

/** Of ascending targets, those of the span that holds most: an interpreter's, not what a compiler at run time put elsewhere. */
function mostInSpan(targets: readonly number[]): readonly number[] {
  let most: readonly number[] = [];
  let first = 0;
  targets.forEach((target, i) => {
    while (target - targets[first] >= JUMP_SPAN) first++;
    if (i + 1 - first > most.length) most = targets.slice(first, i + 1);
  });
  return most;
}
