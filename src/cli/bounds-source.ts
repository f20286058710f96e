import type { IsaLevel } from '../base/isa-level.ts';
import { boundSource, type SourceBounds, type SourceLoopBounds } from '../pipeline/source-bounds.ts';
import { plain } from '../report/escape.ts';
import type { CliPorts } from './ports.ts';

export interface BoundsSource {
  readonly file: string;
  readonly machine: string;
  readonly isa: IsaLevel;
  readonly functions: readonly string[];
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

/** What the loops of a source file ask for, and what a machine takes for it at least. */
export async function boundsOfSource({ json, ...request }: BoundsSource, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  const result = await boundSource({ ...request, workingDirectory }, ports);
  const { machine, loops, problems } = result;
  const text = `${JSON.stringify({ machine, loops, ...(problems.length === 0 ? {} : { problems }) })}\n`;
  if (json === undefined) terminal.stdout(table(result, request.file));
  else if (json === '-') terminal.stdout(text);
  else await files.writeAll([{ path: files.resolve(workingDirectory, json), text }]);
  return 0;
}

const HEAD = [
  ...['line', 'loop', 'fa', 'fm', 'fma', 'misc', 'int', 'load', 'store', 'M', 'MA', 'CPF', 'limited by'],
] as const;

function table({ machine, loops, problems }: SourceBounds, file: string): string {
  const rows = loops.map(cells);
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) =>
        i === 1 || i === HEAD.length - 1 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
      )
      .join('  ')
      .trimEnd();
  const notes = loops.flatMap((loop) => [
    ...recurrenceNote(loop),
    ...[...(loop.reasons ?? []), ...(loop.assumptions ?? [])].map(
      (why) => `  line ${loop.line}: ${plain(why)}`,
    ),
  ]);
  const others = problems.map(({ line: at, why }) => `  line ${at}: ${plain(why)}`);
  const title = `${plain(file)} on ${machine}: cycles per iteration (M, MA) and per floating-point operation (CPF) at least`;
  return `${[title, line(HEAD), ...rows.map(line), ...[...new Set([...notes, ...others])]].join('\n')}\n`;
}

function cells(loop: SourceLoopBounds): readonly string[] {
  const { essential, bounds, limit, perOperation } = loop;
  const { fa, fm, fma, fmisc, integer, loads, stores } = essential;
  const name = `${'  '.repeat(loop.depth - 1)}${plain(loop.function)}${loop.innermost ? '' : ' (without its inner loops)'}`;
  const count = (value: number | undefined): string => (value === undefined ? '' : String(value));
  const cycles = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));
  return [
    String(loop.line),
    name,
    ...[fa, fm, fma, fmisc, integer, loads, stores].map(count),
    cycles(bounds.M),
    cycles(bounds.MA),
    cycles(perOperation?.MA),
    limit,
  ];
}

function recurrenceNote({ line, essential: { recurrence } }: SourceLoopBounds): readonly string[] {
  if (recurrence === undefined) return [];
  const { operations, distance, reassociable } = recurrence;
  const far = distance === 1 ? 'the iteration before' : `${distance} iterations before`;
  const sum = reassociable ? '; a sum that -ffast-math may reorder' : '';
  return [`  line ${line}: ${operations.join(', ')} wait for ${far}${sum}`];
}
