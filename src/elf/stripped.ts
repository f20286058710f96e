import { codeRanges } from './code-ranges.ts';
import { u64 } from './file.ts';
import { frameRanges } from './frames.ts';
import { goTable } from './go/table.ts';
import type { FunctionSymbol, Image } from './image.ts';
import { stubRanges } from './plt.ts';
import { offsetOfAddress, type ProgramHeader } from './program-headers.ts';
import { functionExtents } from './symbols.ts';

/**
 * The functions of a file whose symbol table was taken away: dynamic symbols (`image.functions`) as they are; Go's, whose
 * runtime needs a table of their names; and, without a name, what unwind information says is a function.
 */
export function strippedFunctions(
  image: Image,
  headers: readonly ProgramHeader[],
): readonly FunctionSymbol[] {
  const isCode = codeRanges(image);
  const frames = frameRanges(image, headers);
  const known = [...(goTable(image)?.functions() ?? [])];
  const main = startedMain(image);
  if (main !== undefined) {
    const frame = frames.find(({ start }) => start === main);
    known.push({
      name: 'main',
      address: main,
      size: frame === undefined ? 1 : frame.end - main,
      isIfunc: false,
    });
  }
  const named = merged(
    image.functions,
    known.filter(({ address }) => isCode(address) !== undefined),
  );
  const { starts, ends } = functionExtents({ ...image, functions: named });
  const isStub = stubRanges(image);
  const unwound: FunctionSymbol[] = [];
  let next = 0;
  let coveredUpTo = 0;
  for (const { start, end, isEntry } of frames) {
    for (; next < starts.length && starts[next] <= start; next++)
      coveredUpTo = Math.max(coveredUpTo, ends[next]);
    if (isEntry && start >= coveredUpTo && isCode(start) !== undefined && !isStub(start))
      unwound.push({ address: start, size: end - start, isIfunc: false });
  }
  return merged(named, unwound);
}

/** xor ebp, ebp; mov r9, rdx; pop rsi: how `_start` of glibc begins (sysdeps/x86_64/start.S), behind an endbr64 or not. */
const START = [0x31, 0xed, 0x49, 0x89, 0xd1, 0x5e];
const ENDBR64 = [0xf3, 0x0f, 0x1e, 0xfa];
/** Loads of rdi from an immediate, from rip and a distance, and from a slot there. */
const MOV_IMMEDIATE = [0x48, 0xc7, 0xc7];
const LEA = [0x48, 0x8d, 0x3d];
const MOV_SLOT = [0x48, 0x8b, 0x3d];
const START_SIZE = 48;

/** Where `main` is: glibc's start-up code passes its address in rdi. */
function startedMain(image: Image): number | undefined {
  const { bytes, segments, entry } = image;
  const from = offsetOfAddress(segments, entry, START_SIZE);
  if (from === undefined) return undefined;
  const is = (at: number, code: readonly number[]): boolean =>
    code.every((byte, i) => bytes[at + i] === byte);
  const begin = from + (is(from, ENDBR64) ? ENDBR64.length : 0);
  if (!is(begin, START)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = begin + START.length; at + 7 <= from + START_SIZE; at++) {
    const next = entry + at + 7 - from;
    const operand = view.getInt32(at + 3, true);
    if (is(at, MOV_IMMEDIATE)) return operand;
    if (is(at, LEA)) return next + operand;
    if (!is(at, MOV_SLOT)) continue;
    const slot = offsetOfAddress(segments, next + operand, 8);
    return slot && u64(view, slot);
  }
  return undefined;
}

/** Those of `others` that begin where no function of `known` does, among them in order of address. */
function merged(
  known: readonly FunctionSymbol[],
  others: readonly FunctionSymbol[],
): readonly FunctionSymbol[] {
  if (others.length === 0) return known;
  const starts = new Set(known.map(({ address }) => address));
  const added = others.filter(({ address }) => {
    const isNew = !starts.has(address);
    starts.add(address);
    return isNew;
  });
  // A stable sort: names of one address stay in order of preference.
  return [...known, ...added].sort((a, b) => a.address - b.address);
}
