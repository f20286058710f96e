import { Failure } from '../base/failure.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { KSR1 } from '../machines/catalog.ts';
import { boundListing, type ListingBounds, type ListingLoop, readCounts } from '../pipeline/ksr.ts';
import { boundSource, type SourceLoopBounds } from '../pipeline/source-bounds.ts';
import type { BoundsFormat } from './choices.ts';
import type { CliPorts } from './ports.ts';

interface ListingCommand {
  readonly file: string;
  /** The listing. */
  readonly text: string;
  readonly format: BoundsFormat;
  /** A file, or `-` for stdout. */
  readonly json?: string;
  readonly counts?: string;
  /** The file that was compiled, with what its headers take. */
  readonly source?: string;
  readonly isa: IsaLevel;
  readonly include: readonly string[];
  readonly define: readonly string[];
  readonly unroll?: ReadonlyMap<string | undefined, number>;
}

/** MAC and MACS of the loops of a listing of KSR assembly code, and their RB where counts are given. */
export async function listingBoundsCommand(options: ListingCommand, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  const { file, text, unroll } = options;
  const counts =
    options.counts === undefined ? undefined : await countsOf(options.counts, files, workingDirectory);
  const { bounds, macstat } = await boundListing(text, file, {
    ...(counts === undefined ? {} : { counts }),
    ...(unroll === undefined ? {} : { unroll }),
    ...(options.source === undefined ? {} : { source: await sourceLoops(options, options.source, ports) }),
  });
  const json = `${JSON.stringify(bounds, undefined, 1)}\n`;
  if (options.json === '-') {
    terminal.stdout(json);
    return 0;
  }
  terminal.stdout(options.format === 'macstat' ? macstat : table(bounds));
  if (options.json !== undefined)
    await files.writeAll([{ path: files.resolve(workingDirectory, options.json), text: json }]);
  return 0;
}

async function sourceLoops(
  { isa, include, define }: ListingCommand,
  file: string,
  ports: CliPorts,
): Promise<readonly SourceLoopBounds[]> {
  const { workingDirectory } = ports;
  const request = { file, machine: KSR1, isa, functions: [], include, define, workingDirectory };
  return (await boundSource(request, ports)).loops;
}

async function countsOf(
  name: string,
  files: CliPorts['files'],
  directory: string,
): Promise<ReturnType<typeof readCounts>> {
  const text = await files.read(files.resolve(directory, name));
  if (text === undefined)
    throw new Failure('environment', 'counts-missing', `there is no file ${name}`, { file: name });
  return readCounts(text, name);
}

function table({ loops, unacceptable, unknown, runTime }: ListingBounds): string {
  const withRun = runTime !== undefined;
  const head = [
    ...['loop', 'lines', '', 'k', 't_f', 't_m', 't_i', 't_d', 'M', 'MA', 'MAC', 'MACS', 'CPF', 'limited by'],
  ];
  const rows = loops.map((loop) => [...row(loop), ...(withRun ? runCells(loop) : [])]);
  const lines = columns([withRun ? [...head, 'iterations', 'RB', 'share'] : head, ...rows]);
  if (loops.length === 0) lines.push('There is no loop.');
  else lines.unshift('Cycles per iteration of the source loop (k of them in one of the compiled loop)', '');
  for (const { label, areas, notes } of loops) {
    areas.forEach(({ target, line, statistics, crosses }, i) => {
      const across = crosses === undefined ? '' : `, across area ${crosses.join(', ')}`;
      lines.push(
        `${label}: area ${i + 1}, ${statistics.length} pairs, is skipped to ${target} from line ${line}${across}`,
      );
    });
    for (const note of notes) lines.push(`${label}: ${note}`);
  }
  for (const { label, line, endLine, reason } of unacceptable)
    lines.push(`${label}: the loop of lines ${line} to ${endLine} is not acceptable: ${reason}`);
  if (unknown !== undefined)
    lines.push(`Not known, one operation of their column each: ${unknown.join(', ')}`);
  if (withRun) lines.push(`RB, the run-time bound of the loops with a count: ${runTime} cycles`);
  return `${lines.join('\n')}\n`;
}

function row(loop: ListingLoop): readonly string[] {
  const { units, bounds, limits, perOperation } = loop;
  return [
    `${'  '.repeat(Math.min(loop.depth - 1, 20))}${loop.label}`,
    `${loop.line}-${loop.endLine}`,
    loop.innermost ? 'innermost' : 'residue',
    String(loop.unroll),
    ...[units.floatingPoint, units.memory, units.issue, units.dependence].map(number),
    ...[bounds.M, bounds.MA].map((each) => (each === undefined ? '' : number(each))),
    ...[bounds.MAC, bounds.MACS].map(number),
    perOperation === undefined ? '' : number(perOperation.MACS),
    limits.MACS === limits.MAC ? limits.MAC : `${limits.MACS} (MAC: ${limits.MAC})`,
  ];
}

function runCells({ iterations, runTime, share }: ListingLoop): readonly string[] {
  if (iterations === undefined || runTime === undefined || share === undefined) return ['', '', ''];
  return [String(iterations), String(runTime), `${(share * 100).toFixed(1)} %`];
}

const number = (value: number): string => value.toFixed(2);

/** Words to the left, numbers to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((cells) => (cells[i] ?? '').length)));
  const left = (i: number): boolean => i < 3 || i === 13;
  return rows.map((cells) =>
    widths
      .map((width, i) => (left(i) ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width)))
      .join('  ')
      .trimEnd(),
  );
}
