import type { Address } from '../../base/brand.ts';
import { PAGE_SIZE } from '../../guest/layout.ts';
import type {
  ExecutedBranch,
  ExecutedJump,
  ExecutedRange,
  Executions,
} from '../../observation/observation.ts';
import type { TalliedCode, Tally } from '../../translate/counts/tally.ts';
import { pageOf } from '../../translate/pages.ts';

/** An instruction as it was at one time. */
interface Counted {
  /** Its bytes are some of these. */
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly length: number;
  executions: number;
  /** Of a conditional branch. */
  taken: number | undefined;
}

const UNKNOWN = -1;

/** Brings together what the copies of each instruction counted: interpreted, in regions, before and after code was renewed. */
export class ExecutionCounts {
  private readonly instructions = new Map<number, Counted>();
  private readonly jumps = new Map<number, Map<number, number>>();
  /** The bytes of all code that was executed, the last ones at each address, by page; UNKNOWN where there was none. */
  private readonly image = new Map<number, Int16Array>();
  /** Whether some code was written over. */
  private hasChanged = false;
  private replaced = 0;
  /** By address: how often less than was counted it retired. */
  private readonly unretired = new Map<number, number>();

  /** What was counted in a tally, all of it later than what is here. The tally may go after it, unless it is the last. */
  add(tally: Tally, isLast: boolean): void {
    for (const code of tally.code()) this.write(code);
    for (const code of tally.code()) this.addCode(code, isLast);
    for (const { from, target, executions } of tally.indirectJumps()) {
      const targets = this.jumps.get(from) ?? new Map<number, number>();
      this.jumps.set(from, targets);
      targets.set(target, (targets.get(target) ?? 0) + executions);
    }
  }

  /** An execution that was counted, or is about to be, has not retired: until what this gives is called. */
  postpone(address: number): () => void {
    const add = (executions: number) =>
      this.unretired.set(address, (this.unretired.get(address) ?? 0) + executions);
    add(1);
    return () => add(-1);
  }

  private addCode(code: TalliedCode, isLast: boolean): void {
    const { bytes, bytesAt, lengths, lengthsAt, instructions, executions } = code;
    let offset = bytesAt;
    for (let i = 0; i < instructions; i++) {
      const at = code.address + offset - bytesAt;
      const length = lengths[lengthsAt + i];
      const taken = i === instructions - 1 ? code.taken : undefined;
      const known = this.instructions.get(at);
      if (!this.isCurrent(at, bytes, offset, length)) this.replaced += executions;
      else if (known?.length === length && this.isCurrent(at, known.bytes, known.offset, length)) {
        known.executions += executions;
        if (taken !== undefined) known.taken = (known.taken ?? 0) + taken;
      } else {
        if (known !== undefined) this.replaced += known.executions;
        const counted = isLast
          ? { bytes, offset, length, executions, taken }
          : { bytes: bytes.slice(offset, offset + length), offset: 0, length, executions, taken };
        this.instructions.set(at, counted);
      }
      offset += length;
    }
  }

  private write({ address, bytes, bytesAt, lengths, lengthsAt, instructions }: TalliedCode): void {
    let size = 0;
    for (let i = 0; i < instructions; i++) size += lengths[lengthsAt + i];
    for (let i = 0; i < size; ) {
      const at = address + i;
      const number = pageOf(at);
      let page = this.image.get(number);
      if (page === undefined) {
        page = new Int16Array(PAGE_SIZE).fill(UNKNOWN);
        this.image.set(number, page);
      }
      const end = Math.min(size, i + PAGE_SIZE - (at % PAGE_SIZE));
      for (let to = at % PAGE_SIZE; i < end; i++, to++) {
        const byte = bytes[bytesAt + i];
        this.hasChanged ||= page[to] !== UNKNOWN && page[to] !== byte;
        page[to] = byte;
      }
    }
  }

  private isCurrent(address: number, bytes: Uint8Array, offset: number, length: number): boolean {
    if (!this.hasChanged) return true;
    for (let i = 0; i < length; i++) {
      const at = address + i;
      if (this.image.get(pageOf(at))?.[at % PAGE_SIZE] !== bytes[offset + i]) return false;
    }
    return true;
  }

  result(): Executions {
    let { replaced } = this;
    for (const [address, executions] of this.unretired) {
      const counted = this.instructions.get(address);
      if (counted === undefined) continue;
      counted.executions -= executions;
      // A thread that waits in a call for ever has not executed it.
      if (counted.executions === 0) this.instructions.delete(address);
    }
    this.unretired.clear();
    const current: [number, Counted][] = [];
    for (const [address, counted] of this.instructions) {
      const { bytes, offset, length, executions } = counted;
      if (this.isCurrent(address, bytes, offset, length)) current.push([address, counted]);
      else replaced += executions;
    }
    current.sort(([a], [b]) => a - b);
    const branches: ExecutedBranch[] = [];
    for (const [address, { executions, taken }] of current)
      if (taken !== undefined) branches.push({ address: address as Address, executions, taken });
    return { ranges: rangesOf(current), branches, jumps: this.jumpsOf(current), replaced };
  }

  private jumpsOf(current: readonly (readonly [number, Counted])[]): ExecutedJump[] {
    const jumps: ExecutedJump[] = [];
    for (const [address] of current) {
      const targets = this.jumps.get(address);
      if (targets === undefined) continue;
      const sorted = [...targets].sort(([a], [b]) => a - b);
      jumps.push({
        address: address as Address,
        targets: sorted.map(([target, executions]) => ({ address: target as Address, executions })),
      });
    }
    return jumps;
  }
}

function rangesOf(instructions: readonly (readonly [number, Counted])[]): ExecutedRange[] {
  const ranges: { start: Address; end: Address; instructions: number; executions: number }[] = [];
  /** By where they end: code in two alignments makes two at a time. */
  let open: (typeof ranges)[number] | undefined;
  for (const [address, { length, executions }] of instructions) {
    const end = (address + length) as Address;
    if (open !== undefined && open.end === address && open.executions === executions) {
      open.end = end;
      open.instructions++;
      continue;
    }
    open = { start: address as Address, end, instructions: 1, executions };
    ranges.push(open);
  }
  return ranges;
}
