import { codeRanges } from '../../elf/code-ranges.ts';
import { frameRanges } from '../../elf/frames.ts';
import type { Image } from '../../elf/image.ts';
import { stubRanges } from '../../elf/plt.ts';
import { functionExtents } from '../../elf/symbols.ts';
import { sweep } from '../../x86/sweep.ts';

/** A stretch of code that is looked at as one function. */
export interface FunctionCode {
  /** Absent where there is no symbol. */
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Reads an image by its own addresses. */
export interface ImageBytes {
  /** At most `size` bytes from an address on; fewer where its section or segment ends, none where there are none. */
  at(address: number, size: number): Uint8Array;
}

export function imageBytes(image: Image): ImageBytes {
  const ranges = contentRanges(image);
  let last = ranges[0];
  return {
    at(address, size) {
      if (last === undefined || address < last.address || address >= last.address + last.size) {
        const found = ranges.find((each) => address >= each.address && address < each.address + each.size);
        if (found === undefined) return NOTHING;
        last = found;
      }
      const from = last.offset + address - last.address;
      return image.bytes.subarray(from, Math.min(from + size, last.offset + last.size));
    },
  };
}

const NOTHING = new Uint8Array(0);

interface ContentRange {
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

function contentRanges(image: Image): readonly ContentRange[] {
  const { bytes, segments, sections } = image;
  // Segments are what is loaded; an object file has sections only.
  const ranges =
    segments.length > 0
      ? segments.map(({ address, offset, fileSize }) => ({ address, offset, size: fileSize }))
      : sections.filter(({ address, type }) => address > 0 && type !== SHT_NOBITS);
  return ranges.flatMap(({ address, offset, size }) => {
    const inside = Math.min(size, bytes.length - offset);
    return inside > 0 ? [{ address, offset, size: inside }] : [];
  });
}

const SHT_NOBITS = 8;

/**
 * The functions of an image in ascending order, none over another: by symbols; by unwind information where there is no
 * symbol; and where there is neither, by what is called. Linkage stubs are none.
 */
export function functionsOf(image: Image): readonly FunctionCode[] {
  const codeEnd = codeRanges(image);
  const { symbols, starts, ends } = functionExtents(image);
  const named = symbols.flatMap(({ name }, i) => limited(name, starts[i], ends[i], codeEnd));
  const unwound = frameRanges(image).flatMap(({ start, end }) => limited(undefined, start, end, codeEnd));
  const known = disjoint([...named, ...unwound]);
  const functions = known.length > 0 ? known : calledFunctions(image, codeEnd);
  const isStub = stubRanges(image);
  return functions.filter(({ start }) => !isStub(start));
}

function limited(
  name: string | undefined,
  start: number,
  end: number,
  codeEnd: (address: number) => number | undefined,
): FunctionCode[] {
  const last = codeEnd(start);
  if (last === undefined || end <= start) return [];
  return [{ name, start, end: Math.min(end, last) }];
}

/**
 * Named ones hold what they cover; one that begins within another cuts it short only where it has a name, as an entry in
 * hand-written assembly does.
 */
function disjoint(functions: readonly FunctionCode[]): readonly FunctionCode[] {
  const sorted = [...functions].sort(
    (a, b) =>
      a.start - b.start || Number(b.name !== undefined) - Number(a.name !== undefined) || b.end - a.end,
  );
  const result: { name: string | undefined; start: number; end: number }[] = [];
  for (const each of sorted) {
    const before = result.at(-1);
    if (before !== undefined && each.start < before.end) {
      if (each.name === undefined || each.start === before.start) {
        // Unwind information may know more of it than a symbol without a size.
        continue;
      }
      if (before.name !== undefined && each.end <= before.end) continue;
      before.end = each.start;
    }
    result.push({ ...each });
  }
  return result;
}

/** Without symbols and unwind information: what is called begins a function, which goes on to the next. */
function calledFunctions(
  image: Image,
  codeEnd: (address: number) => number | undefined,
): readonly FunctionCode[] {
  const starts = new Set<number>();
  const bytes = imageBytes(image);
  for (const [start, end] of codeSections(image)) {
    starts.add(start);
    for (const { flow, target } of sweep(bytes.at(start, end - start), start).events)
      if (flow === 'call' && target !== undefined && codeEnd(target) !== undefined) starts.add(target);
  }
  if (codeEnd(image.entry) !== undefined) starts.add(image.entry);
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((start, i) => ({
    name: undefined,
    start,
    end: Math.min(sorted[i + 1] ?? Infinity, codeEnd(start)!),
  }));
}

function codeSections(image: Image): readonly (readonly [start: number, end: number])[] {
  const sections = image.sections.filter(({ flags, address }) => (flags & 4) !== 0 && address > 0);
  return sections.length > 0
    ? sections.map(({ address, size }) => [address, address + size])
    : image.segments
        .filter(({ executable }) => executable)
        .map(({ address, fileSize }) => [address, address + fileSize]);
}
