import type { Node } from '../ir/node.ts';
import type { CodeReader } from '../x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../x86/lift/block.ts';
import { RSP } from '../x86/state.ts';

/**
 * A region is what one WebAssembly function is made of: the blocks of a guest function that control can reach from
 * `entry` without an indirect jump and without leaving the function. Blocks are in reverse postorder; block 0 is the entry.
 */
export interface Region {
  readonly entry: number;
  /** x87 top of stack on entry; meaningful only when `usesFpu`. */
  readonly top: number;
  readonly usesFpu: boolean;
  readonly blocks: readonly RegionBlock[];
}

export interface RegionBlock {
  readonly index: number;
  readonly lifted: LiftedBlock;
  /** By terminator: jump [target], branch [taken, next], call and service [next]. */
  readonly successors: readonly Edge[];
  readonly predecessors: readonly number[];
}

export type Edge =
  | { readonly kind: 'block'; readonly index: number }
  | { readonly kind: 'exit'; readonly address: number };

export interface RegionLimits {
  /** A jump to another function's entry is a tail call (rule 9) and leaves the region. */
  readonly isFunctionEntry: (address: number) => boolean;
  /** Regions stay below this many instructions; what is beyond becomes an exit. */
  readonly instructions: number;
}

const BLOCK_LIMIT = 200;

export function discoverRegion(code: CodeReader, entry: number, top: number, limits: RegionLimits): Region {
  code.forget();
  const { leaders, usesFpu } = findLeaders(code, entry, limits);
  const lifted = new Map<string, { block: LiftedBlock; targets: { address: number; top: number }[] }>();
  const keyOf = (address: number, at: number) => `${address}/${usesFpu ? at : 0}`;
  const order: string[] = [];
  const open = new Set<string>();

  // Depth-first postorder with an explicit stack: functions may have many thousand blocks.
  const visit = (address: number, at: number) => {
    const key = keyOf(address, at);
    if (open.has(key)) return undefined;
    open.add(key);
    const lift = (limit: number) =>
      liftBlock(code, address, { top: usesFpu ? at : 0, end: (a) => leaders.has(a), limit });
    let block = lift(BLOCK_LIMIT);
    // A context may close after an instruction that sets rsp anew (rule 9): it ends its block, so that counts are exact there.
    const jump = block.stackRises.find((rise) => stackOffset(rise.value) === undefined)?.instruction;
    if (jump !== undefined && jump + 1 < block.instructions.length) {
      block = lift(jump + 1);
      leaders.add(block.end);
    }
    const targets = successorAddresses(block).map((target) => ({ address: target, top: block.topAfter }));
    lifted.set(key, { block, targets });
    return { key, targets: targets.filter((t) => leaders.has(t.address)), next: 0 };
  };
  const stack = [visit(entry, top)!];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.next < frame.targets.length) {
      const target = frame.targets[frame.next++];
      const child = visit(target.address, target.top);
      if (child !== undefined) stack.push(child);
    } else {
      order.push(frame.key);
      stack.pop();
    }
  }
  order.reverse();

  const indexOf = new Map(order.map((key, index) => [key, index]));
  const predecessors: number[][] = order.map(() => []);
  const edges = order.map((key, index) =>
    lifted.get(key)!.targets.map((target): Edge => {
      const to = leaders.has(target.address) ? indexOf.get(keyOf(target.address, target.top)) : undefined;
      if (to === undefined) return { kind: 'exit', address: target.address };
      predecessors[to].push(index);
      return { kind: 'block', index: to };
    }),
  );
  const blocks = order.map((key, index) => ({
    index,
    lifted: lifted.get(key)!.block,
    successors: edges[index],
    predecessors: predecessors[index],
  }));
  return { entry, top, usesFpu, blocks };
}

/** c when the node is rsp at the block's entry plus c. */
export function stackOffset(node: Node): number | undefined {
  if (node.op === 'get') return node.imm === RSP ? 0 : undefined;
  if (node.op !== 'i64.add' || node.args[1].op !== 'const') return undefined;
  const [base, offset] = node.args;
  return base.op === 'get' && base.imm === RSP ? Number(offset.imm) : undefined;
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
function findLeaders(
  code: CodeReader,
  entry: number,
  limits: RegionLimits,
): { leaders: Set<number>; usesFpu: boolean } {
  const leaders = new Set([entry]);
  const seen = new Set<number>();
  const pending = [entry];
  let count = 0;
  let usesFpu = false;
  const lead = (address: number, isJump: boolean) => {
    if (isJump && address !== entry && limits.isFunctionEntry(address)) return;
    if (leaders.has(address)) return;
    if (count >= limits.instructions) return;
    leaders.add(address);
    pending.push(address);
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
      if (scan.flow === 'jump') lead(scan.target!, true);
      else if (scan.flow === 'branch') {
        lead(scan.target!, true);
        lead(next, false);
      } else if (scan.flow === 'call' || scan.flow === 'indirect-call' || scan.flow === 'service')
        lead(next, false);
      inBlock++;
      endsHere = scan.flow !== 'next' || inBlock >= BLOCK_LIMIT;
      if (scan.flow === 'next' && endsHere) lead(next, false);
      if (endsHere) break;
      address = next;
    }
    // Running into code that was walked before: it must begin a block there.
    if (!endsHere) leaders.add(address);
  }
  return { leaders, usesFpu };
}
