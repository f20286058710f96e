import type { CodeReader } from '../../x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../x86/lift/block.ts';

/** How blocks are lifted, by each reader in one way. */
export interface Lifting {
  /** Whether blocks are kept. */
  readonly keeps: boolean;
  readonly sharesNodes: boolean;
}

/** What code means depends on these parts of the state. */
export interface Mode {
  /** Top of the x87 stack. */
  readonly top: number;
  /** Control bits of MXCSR. */
  readonly mxcsr: number;
}

interface Kept {
  readonly block: LiftedBlock;
  readonly mode: Mode;
  readonly bytes: Uint8Array;
}

/**
 * Instructions in a generation. More are found in larger ones, up to three fifths where all are kept, but what lives
 * longer costs the garbage collector more than lifting it again (measured on sqlite3: 5.3 us an instruction translated
 * with 500, 6.0 with none and with 2000).
 */
const GENERATION = 500;

/**
 * Lifts blocks, and keeps the last ones: a region's blocks are asked for again when some of them must be split, a hot
 * region consists of what was lifted for cold ones, and cold ones overlap (on sqlite3 and perl a third of all blocks is
 * found here). What is kept counts only while its bytes are the same.
 */
class LiftedBlocks {
  private readonly code: CodeReader;
  private readonly lifting: Lifting;
  /** By address. What is found in the old generation moves to the young one; when that is full, the old one goes. */
  private young = new Map<number, Kept[]>();
  private old = new Map<number, Kept[]>();
  private count = 0;

  constructor(code: CodeReader, lifting: Lifting) {
    this.lifting = lifting;
    this.code = code;
  }

  /** The block that `liftBlock` would give. */
  lift(address: number, mode: Mode, end: (address: number) => boolean, limit: number): LiftedBlock {
    const found = this.find(this.young.get(address), mode, end, limit);
    if (found !== undefined) return found.block;
    const aged = this.find(this.old.get(address), mode, end, limit);
    if (aged !== undefined) {
      this.keep(aged);
      return aged.block;
    }
    const block = liftBlock(this.code, address, {
      ...mode,
      end,
      limit,
      sharesNodes: this.lifting.sharesNodes,
    });
    const { kind } = block.terminator;
    // Why an instruction cannot be executed may lie in bytes behind it.
    if (kind !== 'fault' && kind !== 'unsupported')
      this.keep({ block, mode, bytes: this.code.bytes(address, block.end - address) });
    return block;
  }

  private find(
    known: readonly Kept[] | undefined,
    mode: Mode,
    end: (address: number) => boolean,
    limit: number,
  ): Kept | undefined {
    if (known === undefined) return undefined;
    for (const kept of known)
      if (
        kept.mode.top === mode.top &&
        kept.mode.mxcsr === mode.mxcsr &&
        endsThere(kept.block, end, limit) &&
        this.code.has(kept.block.address, kept.bytes)
      )
        return kept;
    return undefined;
  }

  private keep(kept: Kept): void {
    if (!this.lifting.keeps) return;
    const { address, instructions } = kept.block;
    if (this.count > GENERATION) {
      this.old = this.young;
      this.young = new Map();
      this.count = 0;
    }
    const known = this.young.get(address);
    if (known === undefined) this.young.set(address, [kept]);
    else known.push(kept);
    this.count += instructions.length;
  }
}

const ofReader = new WeakMap<CodeReader, LiftedBlocks>();

export function liftedBlocksOf(code: CodeReader, lifting: Lifting): LiftedBlocks {
  let blocks = ofReader.get(code);
  if (blocks === undefined) {
    blocks = new LiftedBlocks(code, lifting);
    ofReader.set(code, blocks);
  }
  return blocks;
}

/** Whether lifting would end the block where it ends. */
function endsThere(
  { instructions, end: last, terminator }: LiftedBlock,
  end: (address: number) => boolean,
  limit: number,
): boolean {
  const count = instructions.length;
  if (count > limit) return false;
  // Between two instructions of the block; the last of all may be a service, which is not among them.
  for (let i = 0; i < count; i++) {
    const { address, length } = instructions[i];
    const next = address + length;
    if (next === last) break;
    if (i + 1 === limit || end(next)) return false;
  }
  // A block that was cut ends as one that jumps to the next instruction.
  return terminator.kind !== 'jump' || terminator.target !== last || count === limit || end(last);
}
