import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineStatistics, PassStatistics } from '../src/emulator/code/statistics.ts';
import type { Phase } from '../src/translate/instruments.ts';
import type { Case } from './case.ts';
import type { Run } from './stopwatch.ts';
import { type Column, table } from './table.ts';
import { engineCommandOf } from './tools.ts';

/** What the engine says of itself in a run of its own: counting takes time. Nothing where that run failed. */
export function engineOf(
  item: Case,
  folder: string,
  run: (command: readonly string[]) => Run,
): EngineStatistics | undefined {
  const file = join(folder, 'engine.json');
  rmSync(file, { force: true });
  run(engineCommandOf(item, file));
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EngineStatistics;
  } catch {
    return undefined;
  }
}

/** A case with its first pass, which is the only one unless chains or more functions are asked for. */
interface Row {
  readonly name: string;
  readonly pass: PassStatistics;
}

function column(heading: string, cell: (pass: PassStatistics) => string): Column<Row> {
  return { heading, align: 'right', cell: ({ pass }) => cell(pass) };
}

function spent(heading: string, ...phases: readonly Phase[]): Column<Row> {
  return column(heading, (pass) =>
    (phases.reduce((sum, phase) => sum + (pass.phases[phase] ?? 0), 0) / 1000).toFixed(2),
  );
}

/** How often something of the group happened for a thousand instructions. */
function often(heading: string, ...groups: readonly string[]): Column<Row> {
  return column(heading, ({ counts, instructions }) => {
    const found = Object.entries(counts).filter(([name]) => groups.includes(name.split(': ')[0]));
    return ((1000 * found.reduce((sum, [, count]) => sum + count, 0)) / instructions).toFixed(2);
  });
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'case', align: 'left', cell: ({ name }) => name },
  column('interpreted, %', ({ interpreted, instructions }) =>
    ((100 * interpreted) / instructions).toFixed(2),
  ),
  column('decoded, 10^3 instr.', ({ code }) => (code.interpreted / 1000).toFixed(1)),
  column('translated, 10^3 instr.', ({ code }) => (code.regionInstructions / 1000).toFixed(1)),
  column('regions', ({ code }) => String(code.regions)),
  column('anew', ({ code }) => String(code.anew)),
  column('WebAssembly, MB', ({ code }) => ((code.regionBytes + code.handlerBytes) / 2 ** 20).toFixed(2)),
  spent('decode, s', 'decode', 'handlers'),
  spent('lift, s', 'lift'),
  spent('plan, s', 'plan'),
  spent('emit, s', 'emit'),
  spent('compile, s', 'compile'),
  spent('run, s', 'run'),
  spent('other, s', 'load', 'system', 'sweep'),
  often('exits / 1000', 'exits'),
  often('slow accesses / 1000', 'slow loads', 'slow stores'),
  often('helpers / 1000', 'helpers'),
];

export function engineTable(
  cases: readonly { readonly name: string; readonly engine?: EngineStatistics }[],
): string {
  const rows = cases.flatMap(({ name, engine }) => {
    const pass = engine?.passes[0];
    return pass === undefined ? [] : [{ name, pass }];
  });
  return table(COLUMNS, rows);
}
