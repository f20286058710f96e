import { type EssentialCounts, EVERY_TIME, essentialCounts } from '../analysis/macs/essential.ts';
import {
  type EssentialBounds,
  essentialBounds,
  ksrEssentialBounds,
} from '../analysis/macs/essential-bounds.ts';
import { type Latencies, longestRecurrence, type Recurrence } from '../analysis/macs/essential-recurrence.ts';
import { Failure } from '../base/failure.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { KSR1, ksr1 } from '../machines/catalog.ts';
import type { Machine } from '../machines/machine.ts';
import type { KsrMachine } from '../machines/schema.ts';
import { languageOf, sourceLoops } from '../source/analyse.ts';
import type { LoopDemand, WorkingSet } from '../source/demand.ts';
import type { ReadGrammar } from '../source/ports.ts';
import type { Language } from '../source/syntax.ts';
import { headersOf } from './headers.ts';
import { machineNamed } from './machine.ts';
import type { ReadSource, TextFiles } from './ports.ts';

export interface SourceBoundsRequest {
  readonly file: string;
  readonly machine: string;
  readonly isa: IsaLevel;
  /** Only loops of these; empty: of all. */
  readonly functions: readonly string[];
  /** Directories to look for headers in, before the usual ones. */
  readonly include: readonly string[];
  /** Macros, as NAME or NAME=VALUE. */
  readonly define: readonly string[];
  readonly workingDirectory: string;
}

export interface SourceBounds {
  readonly machine: string;
  readonly loops: readonly SourceLoopBounds[];
  /** What of the file was not understood outside of its loops. */
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

export interface SourceLoopBounds {
  readonly function: string;
  readonly line: number;
  readonly endLine: number;
  readonly depth: number;
  readonly innermost: boolean;
  readonly induction?: { readonly variable: string; readonly step?: number };
  readonly trips?: number;
  readonly essential: EssentialCounts & { readonly recurrence?: Recurrence };
  /** Cycles per iteration; M is absent without floating-point operations. */
  readonly bounds: Omit<EssentialBounds, 'limit' | 'perOperation'>;
  readonly limit: string;
  readonly perOperation?: EssentialBounds['perOperation'];
  readonly workingSet: WorkingSet;
  /** Areas that branches decide on, with their counts: the loop's own count each once. */
  readonly areas?: readonly {
    readonly line: number;
    readonly endLine: number;
    readonly essential: EssentialCounts;
  }[];
  readonly reasons?: readonly string[];
  readonly assumptions?: readonly string[];
}

/** Whether `bounds` takes the file for a source. */
export const isSource = (file: string): boolean => languageOf(file) !== undefined;

export interface SourceBoundsPorts {
  readonly files: TextFiles;
  readonly readGrammar: ReadGrammar;
  readonly readSource: ReadSource;
}

/** M and MA of every loop of a source file. */
export async function boundSource(
  request: SourceBoundsRequest,
  { files, readGrammar, readSource }: SourceBoundsPorts,
): Promise<SourceBounds> {
  const { file, isa, workingDirectory } = request;
  const language = languageOf(file);
  if (language === undefined)
    throw new Failure('usage', 'unknown-source', `${file} is not a file of C, C++ or Fortran by its name`, {
      file,
    });
  const functions = spelled(request.functions, language);
  const machine =
    request.machine === KSR1 ? undefined : await machineNamed(request.machine, workingDirectory, files);
  const paper = ksrLatencies(await ksr1());
  const path = files.resolve(workingDirectory, file);
  const text = await files.read(path);
  if (text === undefined)
    throw new Failure('environment', 'source-missing', `there is no file ${file}`, { file });
  const { loops, problems } = await sourceLoops(text, language, readGrammar, {
    readHeader: headersOf(
      path,
      path.startsWith(`${workingDirectory}/`) ? workingDirectory : files.resolve(path, '../..'),
      (header) => readSource('/', header),
      request.include.map((each) => files.resolve(workingDirectory, each)),
    ),
    defines: request.define.map((each) => each.replace(/^([^=]*)$/, '$1 1').replace('=', ' ')),
  });
  const names = new Set(loops.map((loop) => loop.function));
  for (const name of functions)
    if (![...names].some((each) => isNamed(each, name)))
      throw new Failure('usage', 'no-such-function', `${file} has no function ${name} with a loop`, {
        file,
        name,
      });
  const wanted = loops.filter(
    (loop) => functions.length === 0 || functions.some((name) => isNamed(loop.function, name)),
  );
  return {
    machine: machine?.name ?? KSR1,
    loops: wanted.map((loop) => boundLoop(loop, machine ?? paper, isa)),
    problems,
  };
}

/** By its whole name, or the last part of one in a namespace. */
const isNamed = (full: string, name: string): boolean => full === name || full.endsWith(`::${name}`);

/** Names of Fortran have no case. */
const spelled = (names: readonly string[], language: Language): readonly string[] =>
  language.startsWith('fortran') ? names.map((name) => name.toLowerCase()) : names;

/** A pair takes as long as one operation: multiply-adds are one instruction of the floating-point unit. */
function ksrLatencies({ latency }: KsrMachine): Latencies {
  return {
    of: ({ op, class: cls }) => {
      if (op === 'pass') return 0;
      if (op === 'load') return latency.load;
      return cls === 'float' ? latency.floatingPoint : latency.integer;
    },
    fused: () => latency.floatingPoint,
  };
}

function boundLoop(loop: LoopDemand, machine: Machine | Latencies, isa: IsaLevel): SourceLoopBounds {
  const { limit, perOperation, ...bounds } =
    'of' in machine ? ksrEssentialBounds(loop, EVERY_TIME, machine) : essentialBounds(loop, machine, { isa });
  const recurrence = longestRecurrence(loop);
  const { induction, trips, workingSet, reasons, assumptions } = loop;
  const areas = loop.areas.slice(1).map(({ line, endLine }, i) => ({
    line,
    endLine,
    essential: essentialCounts(loop, (area) => (area === i + 1 ? 1 : 0)),
  }));
  return {
    function: loop.function,
    line: loop.line,
    endLine: loop.endLine,
    depth: loop.depth,
    innermost: loop.innermost,
    ...(induction === undefined ? {} : { induction }),
    ...(trips === undefined ? {} : { trips }),
    essential: { ...essentialCounts(loop), ...(recurrence === undefined ? {} : { recurrence }) },
    bounds,
    limit,
    ...(perOperation === undefined ? {} : { perOperation }),
    workingSet,
    ...(areas.length === 0 ? {} : { areas }),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(assumptions.length === 0 ? {} : { assumptions }),
  };
}
