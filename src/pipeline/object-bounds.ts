import { boundsOfLoop } from '../analysis/loops/bounds.ts';
import type { MachineCounts } from '../analysis/loops/counts.ts';
import { describeLoops, unacceptableLoops } from '../analysis/loops/describe.ts';
import { findLoops, type LoopedFunction } from '../analysis/loops/find.ts';
import { type LoopLines, linesOfAll, type Position } from '../analysis/loops/lines.ts';
import type { MachineLoop } from '../analysis/loops/machine-loop.ts';
import { LONGEST_BOUNDED, type LoopCycles } from '../analysis/macs/loop.ts';
import { Places } from '../analysis/places.ts';
import { anchorOf } from '../analysis/run/source-match.ts';
import { Failure } from '../base/failure.ts';
import { archiveMembers, isArchive } from '../elf/archive.ts';
import { absolute, withDebugFiles } from '../elf/debug-file.ts';
import { isElf, isRelocatable } from '../elf/identify.ts';
import type { Image } from '../elf/image.ts';
import { FunctionNames } from '../elf/names.ts';
import { parseImage } from '../elf/parse.ts';
import type { ImageTools } from '../elf/ports.ts';
import { parseRelocatable } from '../elf/relocatable.ts';
import type { Machine } from '../machines/machine.ts';

export type { MachineCounts } from '../analysis/loops/counts.ts';

export interface ObjectRequest {
  /** As the user named it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Only these functions; empty: all. */
  readonly functions: readonly string[];
  readonly machine: Machine;
  /** Absolute: source files and `path` are relative to it. */
  readonly sourceRoot: string;
  readonly imageTools: ImageTools;
}

/** A loop with its bounds; without its instructions, of which a large program has millions. */
export interface BoundLoop {
  readonly loop: LoopFacts;
  /** `module+0xoffset`, or `object.o:section+0xoffset`. */
  readonly address: string;
  readonly lines: LoopLines | undefined;
  /** Where it is repeated. */
  readonly anchor: Position | undefined;
  /** Absent where the loop is too long, or one of too many. */
  readonly cycles: LoopCycles | undefined;
  /** Names an address of its image. */
  readonly name: (address: number) => string;
}

export type LoopFacts = Omit<MachineLoop, 'blocks' | 'before'>;

export interface BoundUnacceptable {
  readonly function: string;
  readonly address: string;
  readonly lines: { readonly file: string; readonly line: number; readonly endLine: number } | undefined;
}

export interface ObjectBounds {
  readonly loops: readonly BoundLoop[];
  readonly unacceptable: readonly BoundUnacceptable[];
  readonly functionCount: number;
  readonly instructionCount: number;
  /** What could not be read and why. */
  readonly notes: readonly string[];
}

/** Whether `bounds` takes a file as machine code: by what it holds, not by its name. */
export function isMachineCode(bytes: Uint8Array): boolean {
  return isElf(bytes) || isArchive(bytes);
}

/** The loops of an object file, a static library, a program or a shared library, in order of address, with MAC and MACS. */
export function boundObject(request: ObjectRequest): ObjectBounds {
  const parts = partsOf(request);
  const names = new FunctionNames(request.imageTools.demangle);
  const results = parts.map((part) => boundPart(part, request, names));
  const missing = request.functions.filter(
    (wanted) =>
      !parts.some(({ image }) => image.functions.some((each) => isCalled(wanted, each.name, names))),
  );
  if (missing.length > 0)
    throw new Failure(
      'usage',
      'unknown-function',
      `${request.path} has no function ${missing.map((name) => JSON.stringify(name)).join(', ')}`,
      { path: request.path, functions: missing },
    );
  return {
    loops: results.flatMap(({ loops }) => loops),
    unacceptable: results.flatMap(({ unacceptable }) => unacceptable),
    functionCount: results.reduce((sum, each) => sum + each.functionCount, 0),
    instructionCount: results.reduce((sum, each) => sum + each.instructionCount, 0),
    notes: results.flatMap(({ notes }) => notes),
  };
}

/** An image with how its addresses are named. */
interface Part {
  readonly image: Image;
  readonly externals: ReadonlyMap<number, string>;
  readonly name: (address: number) => string;
  readonly isLinked: boolean;
}

function partsOf({ path, bytes, sourceRoot, imageTools }: ObjectRequest): readonly Part[] {
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (isArchive(bytes))
    return archiveMembers(path, bytes).flatMap((member) =>
      isRelocatable(member.bytes)
        ? [relocatablePart(`${path}(${member.name})`, `${base}(${member.name})`, member.bytes)]
        : [],
    );
  if (isRelocatable(bytes)) return [relocatablePart(path, base, bytes)];
  const image = withDebugFiles(parseImage(path, bytes), absolute(sourceRoot, path), imageTools.readDebugFile);
  return [
    { image, externals: new Map(), name: (address) => `${base}+0x${address.toString(16)}`, isLinked: true },
  ];
}

function relocatablePart(path: string, base: string, bytes: Uint8Array): Part {
  const { image, externals } = parseRelocatable(path, bytes);
  const name = (address: number): string => {
    const section = image.sections.find(
      (each) => each.address > 0 && address >= each.address && address < each.address + each.size,
    );
    return section === undefined
      ? `${base}+0x${address.toString(16)}`
      : `${base}:${section.name}+0x${(address - section.address).toString(16)}`;
  };
  return { image, externals, name, isLinked: false };
}

function isCalled(wanted: string, symbol: string | undefined, names: FunctionNames): boolean {
  return symbol !== undefined && names.means(wanted, symbol);
}

function boundPart(
  { image, externals, name, isLinked }: Part,
  request: ObjectRequest,
  names: FunctionNames,
): ObjectBounds {
  const { functions, machine, sourceRoot, imageTools } = request;
  const module = { path: image.path, base: 0, start: 0, end: Number.MAX_SAFE_INTEGER };
  const places = new Places([module], [image], sourceRoot, imageTools);
  const found = findLoops(
    image,
    externals,
    names,
    (code) =>
      functions.length === 0 ||
      functions.some((wanted) => wanted === name(code.start) || isCalled(wanted, code.name, names)),
  );
  const isChosen = functions.length > 0 ? () => true : choiceAmong(found.functions);
  const loops = found.functions.flatMap((looped) => {
    const own = describeLoops(looped, found.bytes, found.callees, name);
    const lines = linesOfAll(own, places);
    return own.map((loop, i): BoundLoop => {
      const { blocks: _, before: __, ...facts } = loop;
      return {
        loop: facts,
        address: name(loop.address),
        lines: lines[i],
        anchor: anchorOf(loop, places),
        cycles: isChosen(loop) ? boundsOfLoop(loop, machine, { isPlaced: isLinked }) : undefined,
        name,
      };
    });
  });
  const unacceptable = found.functions.flatMap((looped) =>
    unacceptableLoops(looped, name).map((each): BoundUnacceptable => {
      const at = each.blocks.flatMap((block) => places.line(block) ?? []);
      const same = at.filter(({ file }) => file === at[0].file).map(({ line }) => line);
      return {
        function: each.function,
        address: name(each.address),
        lines:
          at.length === 0
            ? undefined
            : { file: at[0].file, line: Math.min(...same), endLine: Math.max(...same) },
      };
    }),
  );
  const { functionCount, instructionCount } = found;
  return { loops, unacceptable, functionCount, instructionCount, notes: places.problems() };
}

/** Loops of a file that are all bounded; a schedule takes some two thousandths of a second. */
const MOST_BOUNDED = 4000;

/**
 * Which loops of a file are bounded: all; of a file with very many the innermost ones without calls that are nested deepest,
 * as many as fit.
 */
function choiceAmong(functions: readonly LoopedFunction[]): (loop: MachineLoop) => boolean {
  const all = functions.flatMap(({ loops }) => loops.loops);
  if (all.length <= MOST_BOUNDED) return () => true;
  const depths = all.flatMap(({ innermost, depth }) => (innermost ? [depth] : [])).sort((a, b) => b - a);
  // The depth of the first that does not fit is the first that is too shallow.
  const tooShallow = depths[MOST_BOUNDED] ?? 0;
  return ({ innermost, depth, counts }) => innermost && counts.calls === 0 && depth > tooShallow;
}

/** The result as `bounds --json` writes it. Bounds are in cycles per iteration of the source. */
export function objectJson(machine: Machine, { loops, unacceptable, notes }: ObjectBounds): object {
  const unknown = [...new Set(loops.flatMap(({ cycles }) => cycles?.unknown ?? []))].sort();
  return {
    machine: machine.name,
    loops: loops.map(loopJson),
    ...(unacceptable.length === 0
      ? {}
      : {
          unacceptable: unacceptable.map(({ function: name, address, lines }) => ({
            function: name,
            ...lines,
            address,
            reason: 'it can be entered at several places',
          })),
        }),
    ...(unknown.length === 0 ? {} : { unknown }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function loopJson({ loop, address, lines, cycles, name }: BoundLoop): object {
  const { degree, from } = loop.unrolling;
  const per = (value: number): number => rounded(value / degree);
  return {
    function: loop.function,
    ...lines,
    address,
    depth: loop.depth,
    innermost: loop.innermost,
    ...(loop.innermost ? {} : { residue: true }),
    unroll: degree,
    ...(from === undefined ? {} : { unrollFrom: from }),
    ...(cycles === undefined ? {} : { class: cycles.class }),
    compiled: perIteration(loop.counts, degree),
    ...(cycles === undefined
      ? {}
      : {
          bounds: { MAC: per(cycles.MAC), MACS: per(cycles.MACS) },
          limits: cycles.limits,
          parts: Object.fromEntries(cycles.parts.map(({ part, cycles: value }) => [part, per(value)])),
        }),
    ...(loop.areas.length === 0
      ? {}
      : {
          areas: loop.areas.map(({ branch, target, counts, intersects }) => ({
            branch: name(branch),
            target: name(target),
            counts: perIteration(counts, 1),
            ...(intersects.length === 0 ? {} : { intersects }),
          })),
        }),
    notes: notesOf(loop, cycles),
  };
}

/** Of the paper's names first; what does not occur is left out, except for those. */
function perIteration(counts: MachineCounts, degree: number): object {
  const { fa, fm, fma, fmisc, loads, stores, integer, instructions, branches, ...rest } = counts;
  const first = { instructions, fa, fm, fma, fmisc, loads, stores, integer, branches };
  const others = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== 0));
  return Object.fromEntries(
    Object.entries({ ...first, ...others }).map(([key, value]) => [key, rounded(value / degree)]),
  );
}

export function notesOf(loop: LoopFacts, cycles: LoopCycles | undefined): readonly string[] {
  const { instructions } = loop.counts;
  return [
    ...loop.notes,
    ...(cycles !== undefined
      ? []
      : instructions > LONGEST_BOUNDED
        ? [`has ${instructions} instructions, too many for bounds`]
        : ['is not bounded, because the file has very many loops: --function chooses']),
    ...(loop.unrolling.isDoubtful && cycles !== undefined
      ? [
          'does several elements at a time, and how many iterations of the source that is, is not to be seen: its accesses are not the same ones at equal steps, and there is no source whose operations tell; the bounds are per iteration of the machine code',
        ]
      : []),
    ...(loop.areas.length > 0
      ? ['has forward branches; the bounds are those of all its blocks once an iteration']
      : []),
    ...(cycles === undefined || loop.innermost
      ? []
      : ['the bounds are those of its residue: what is in no loop inside it']),
  ];
}
