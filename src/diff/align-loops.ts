import type { LoopProfile, OperationCounts } from '../profile/loops.ts';
import { undecorated } from './renames.ts';

/**
 * Which loop of the base is which of the head. Lines shift with every edit and addresses with every build; what stays is
 * the function, the order of its loops, how deep they nest, what their source asks for and how often they run. So within
 * a function this is the heaviest alignment of both sequences in source order, scored by what two loops have in common.
 * What that leaves over is paired across functions where file and line say the same and name one loop on each side: a
 * loop that was inlined elsewhere. Returns the base's loop for each of the head's.
 */
export function alignLoops(
  base: readonly LoopProfile[],
  head: readonly LoopProfile[],
  /** From the base's names of functions to the head's. */
  renamed: ReadonlyMap<string, string>,
): Map<LoopProfile, LoopProfile> {
  const pairs = new Map<LoopProfile, LoopProfile>();
  const taken = new Set<LoopProfile>();
  const pairBy = (
    keyOfBase: (loop: LoopProfile) => string | undefined,
    keyOfHead: (loop: LoopProfile) => string | undefined,
    pair: (base: readonly LoopProfile[], head: readonly LoopProfile[]) => [LoopProfile, LoopProfile][],
  ): void => {
    const before = grouped(
      base.filter((each) => !taken.has(each)),
      keyOfBase,
    );
    const after = grouped(
      head.filter((each) => !pairs.has(each)),
      keyOfHead,
    );
    for (const [key, members] of after) {
      for (const [old, now] of pair(before.get(key) ?? [], members)) {
        pairs.set(now, old);
        taken.add(old);
      }
    }
  };
  const nameInHead = (loop: LoopProfile): string => renamed.get(loop.function) ?? loop.function;
  const withFile = (name: string, file: string | undefined): string => JSON.stringify([name, file]);
  pairBy(
    (loop) => withFile(nameInHead(loop), loop.file),
    (loop) => withFile(loop.function, loop.file),
    alignSequences,
  );
  pairBy(nameInHead, (loop) => loop.function, alignSequences);
  pairBy(
    (loop) => undecorated(nameInHead(loop)),
    (loop) => undecorated(loop.function),
    alignSequences,
  );
  pairBy(place, place, (before, after) =>
    before.length === 1 && after.length === 1 ? [[before[0]!, after[0]!]] : [],
  );
  return pairs;
}

function place({ file, line, innermost }: LoopProfile): string | undefined {
  return file === undefined || line === undefined ? undefined : JSON.stringify([file, line, innermost]);
}

function grouped(
  loops: readonly LoopProfile[],
  keyOf: (loop: LoopProfile) => string | undefined,
): Map<string, LoopProfile[]> {
  const groups = new Map<string, LoopProfile[]>();
  for (const loop of loops) {
    const key = keyOf(loop);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [loop]);
    else group.push(loop);
  }
  return groups;
}

function alignSequences(
  base: readonly LoopProfile[],
  head: readonly LoopProfile[],
): [LoopProfile, LoopProfile][] {
  const before = [...base].sort(inSourceOrder);
  const after = [...head].sort(inSourceOrder);
  if (before.length * after.length > LARGEST_TABLE) return alignInOrder(before, after);
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      const likeness = likenessOf(before[i]!, after[j]!);
      best[i * width + j] =
        likeness === 0 ? skipped : Math.max(skipped, best[(i + 1) * width + j + 1]! + likeness);
    }
  }
  const pairs: [LoopProfile, LoopProfile][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    const here = best[i * width + j]!;
    const likeness = likenessOf(before[i]!, after[j]!);
    if (likeness > 0 && here === best[(i + 1) * width + j + 1]! + likeness) {
      pairs.push([before[i]!, after[j]!]);
      i += 1;
      j += 1;
    } else if (here === best[(i + 1) * width + j]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** 4 million cells are 32 MB and less than a second. */
const LARGEST_TABLE = 4_000_000;

/** For functions with thousands of loops, which programs write: the n-th loop of a nature is the n-th of that nature. */
function alignInOrder(
  base: readonly LoopProfile[],
  head: readonly LoopProfile[],
): [LoopProfile, LoopProfile][] {
  const before = grouped(base, nature);
  const after = grouped(head, nature);
  return [...after].flatMap(([key, loops]) => {
    const olds = before.get(key) ?? [];
    return loops.slice(0, olds.length).map((loop, at): [LoopProfile, LoopProfile] => [olds[at]!, loop]);
  });
}

function nature({ depth, innermost, entries, iterations, essential }: LoopProfile): string {
  const operations = OPERATIONS.map((name) => essential?.[name]);
  return JSON.stringify([depth, innermost, entries, iterations, operations]);
}

/** By line, the outer loop first; two loops of one line (a vectorised one and its remainder) by address. */
function inSourceOrder(a: LoopProfile, b: LoopProfile): number {
  const lines = (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
  if (lines !== 0) return lines;
  return a.depth - b.depth || offsetOf(a) - offsetOf(b);
}

/** Addresses are `module+0xoffset`. */
function offsetOf({ address }: LoopProfile): number {
  const offset = Number.parseInt(address.slice(address.lastIndexOf('+') + 1), 16);
  return Number.isNaN(offset) ? 0 : offset;
}

/**
 * What the source asks for and how often the loop ran are its nature, and no number of accidental likenesses outweighs
 * them; its line and its bounds are what edits and compilers change. Loops that share neither nesting nor line are
 * strangers. In whole numbers, so that sums compare exactly.
 */
function likenessOf(base: LoopProfile, head: LoopProfile): number {
  const sameNesting = base.depth === head.depth && base.innermost === head.innermost;
  const sameLine = base.line !== undefined && base.line === head.line;
  if (!sameNesting && !sameLine) return 0;
  const sameRuns = base.iterations === head.iterations && base.entries === head.entries;
  const sameBounds = base.bounds.MAC === head.bounds.MAC && base.bounds.MACS === head.bounds.MACS;
  return (
    (sameOperations(base.essential, head.essential) ? NATURE : 0) +
    (sameRuns ? NATURE : isNear(base.iterations, head.iterations) ? 1 : 0) +
    (sameNesting ? 4 : 0) +
    (sameLine ? 2 : 0) +
    (sameBounds ? 1 : 0)
  );
}

const NATURE = 1_000_000;

function isNear(base: number, head: number): boolean {
  return Math.abs(head - base) * 5 <= Math.max(base, head);
}

function sameOperations(base: OperationCounts | undefined, head: OperationCounts | undefined): boolean {
  if (base === undefined || head === undefined) return false;
  return OPERATIONS.every((name) => base[name] === head[name]);
}

const OPERATIONS = ['fa', 'fm', 'fma', 'fmisc', 'loads', 'stores', 'integer'] as const;
