import type { Block, Node } from '../../ir/node.ts';
import { RSP } from '../../x86/state.ts';
import type { RegionBlock } from './region.ts';

/** c when the node is rsp at the block's entry plus c. */
export function stackOffset(node: Node): number | undefined {
  if (node.op === 'get') return node.imm === RSP ? 0 : undefined;
  if (node.op !== 'i64.add' || node.args[1].op !== 'const') return undefined;
  const [base, offset] = node.args;
  return base.op === 'get' && base.imm === RSP ? Number(offset.imm) : undefined;
}

/** rsp relative to the region's entry, on one stack; a call gives it back unchanged, or the region is left. */
export function findStackOffsets(blocks: readonly RegionBlock[]): (number | undefined)[] {
  const moves = blocks.map(stackMove);
  const offsets: (number | undefined | null)[] = blocks.map(() => null);
  offsets[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = 0; b < blocks.length; b++) {
      const at = offsets[b];
      if (at === null) continue;
      const moved = moves[b];
      const out = at === undefined || moved === undefined ? undefined : at + moved;
      const { successors, gate } = blocks[b];
      // What is relative to the region's entry does not depend on where the region was entered.
      const ways = gate === undefined ? successors.length : 1;
      for (let i = 0; i < ways; i++) {
        const edge = successors[i];
        if (edge.kind === 'exit') continue;
        const known = offsets[edge.index];
        const joined = known === null || known === out ? out : undefined;
        if (joined !== known) {
          offsets[edge.index] = joined;
          changed = true;
        }
      }
    }
  }
  return offsets.map((offset) => offset ?? undefined);
}

/** What a block with all that it calls adds to rsp, when that is known: where it may change stacks, nobody is above or below where he was. */
function stackMove({ calls, lifted }: RegionBlock): number | undefined {
  if (stackSetIn(lifted) !== undefined) return undefined;
  const { assignments, terminator } = lifted;
  const node = assignments.get(RSP);
  const moved = node === undefined ? 0 : stackOffset(node);
  return moved !== undefined && terminator.kind === 'call' && calls === undefined ? moved + 8 : moved;
}

/** Whether rsp may now lie above where it was on entry, so that a context may have closed (rule 9). */
export function isRise(value: Node, offsetOfBlock: number | undefined): boolean {
  const moved = stackOffset(value);
  return moved === undefined || offsetOfBlock === undefined || offsetOfBlock + moved > 0;
}

/**
 * How far rsp is from where it was at the block's entry when its last instruction sets it to what may be on another stack. Such an
 * instruction ends its block; it may set rsp twice (`xchg rsp, rsp`).
 */
export function stackSetIn({ stackRises }: Pick<Block, 'stackRises'>): number | undefined {
  const before = stackRises.find((rise) => rise.before !== undefined)?.before;
  return before && stackOffset(before);
}
