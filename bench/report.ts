import { GROUPS, type Group, type Missing } from './case.ts';
import { engineTable } from './engine.ts';
import type { Machine } from './machine.ts';
import { type Result, range, ratio } from './result.ts';
import { sharesTable } from './shares-table.ts';
import { geometricMean } from './statistics.ts';
import { type Column, table } from './table.ts';
import type { Tool } from './tools.ts';
import type { Verdict } from './verdicts.ts';

const TITLES: Readonly<Record<Group, string>> = {
  kernels: 'Kernels (gcc -O2 -static)',
  languages: 'Small programs in C, C++, Fortran and Rust (-O2, dynamically linked)',
  vectors: 'Kernels for x86-64-v3 (gcc -O3 -march=x86-64-v3 -static)',
  programs: 'Real programs',
  startup: 'Start-up alone',
};

const HEADINGS: Readonly<Record<Tool, string>> = {
  native: 'native',
  none: 'valgrind none',
  callgrind: 'callgrind',
  qemu: 'qemu',
  gate: 'ilp-gate',
  'gate, first run': 'first run',
  'gate, one context': 'one context',
  'gate, chain of the run': 'chain of the run',
  'gate, unmeasured': 'no measurement',
};

/** Three digits that count, so that 0.012 s and 12 s can stand in one column. */
function digits(value: number): string {
  return value.toFixed([100, 10, 1, 0.1].filter((bound) => value < bound).length);
}

function seconds(result: Result, tool: Tool): string {
  const times = range(result, tool, 'wall');
  if (times === undefined) return 'failed';
  const spread = times.count === 1 ? '' : ` (${digits(times.least)} to ${digits(times.most)})`;
  return `${digits(times.median)}${spread}`;
}

const optional = (value: number | undefined): string => (value === undefined ? '' : digits(value));

function right<Row>(heading: string, cell: (row: Row) => string): Column<Row> {
  return { heading, align: 'right', cell };
}

const NAME: Column<Result> = { heading: 'case', align: 'left', cell: ({ name }) => name };

function times(tools: readonly Tool[], results: readonly Result[]): string {
  const has = (tool: Tool): boolean => tools.includes(tool);
  return table(
    [
      NAME,
      right<Result>('10^6 instr.', ({ instructions }) => optional(instructions && instructions / 1e6)),
      ...tools.map((tool) => right<Result>(`${HEADINGS[tool]}, s`, (result) => seconds(result, tool))),
      right<Result>('ilp-gate / native', (result) => optional(ratio(result, 'gate', 'native'))),
      ...(has('callgrind')
        ? [right<Result>('ilp-gate / callgrind', (result) => optional(ratio(result, 'gate', 'callgrind')))]
        : []),
      ...(has('gate, unmeasured')
        ? [
            right<Result>('ilp-gate / no measurement', (result) =>
              optional(ratio(result, 'gate', 'gate, unmeasured')),
            ),
          ]
        : []),
    ],
    results,
  );
}

function resources(tools: readonly Tool[], results: readonly Result[]): string {
  const columns = (what: 'cpu' | 'memory', unit: string, scale: number): Column<Result>[] =>
    tools.map((tool) =>
      right(`${HEADINGS[tool]}, ${unit}`, (result) => {
        const median = range(result, tool, what)?.median;
        return optional(median === undefined ? undefined : median / scale);
      }),
    );
  return table([NAME, ...columns('cpu', 'CPU s', 1), ...columns('memory', 'MB', 2 ** 20)], results);
}

/** Each tool's geometric mean over native and over callgrind, of the cases that the tool and the other both ran. */
function means(tools: readonly Tool[], results: readonly Result[]): string {
  const over = (tool: Tool, other: Tool): string => {
    const ratios = results.flatMap((result) => ratio(result, tool, other) ?? []);
    return ratios.length === 0 ? '' : `${digits(geometricMean(ratios)!)} (${ratios.length})`;
  };
  return table(
    [
      { heading: 'geometric mean', align: 'left', cell: (tool: Tool) => HEADINGS[tool] },
      right<Tool>('over native', (tool) => over(tool, 'native')),
      right<Tool>('over callgrind', (tool) => over(tool, 'callgrind')),
    ],
    tools.filter((tool) => tool !== 'native'),
  );
}

function failures(results: readonly Result[], missing: readonly Missing[]): string[] {
  const failed = results.flatMap(({ name, outcomes }) =>
    Object.entries(outcomes).flatMap(([tool, outcome]) =>
      outcome.kind === 'failed' ? [`- ${name}, ${HEADINGS[tool as Tool]}: ${outcome.reason}`] : [],
    ),
  );
  return [...failed, ...missing.map(({ name, reason }) => `- ${name}: ${reason}`)];
}

export interface Findings {
  readonly machine: Machine;
  readonly tools: readonly Tool[];
  readonly results: readonly Result[];
  readonly missing: readonly Missing[];
  readonly verdicts: readonly Verdict[];
}

/** The findings as Markdown. */
export function report({ machine, tools, results, missing, verdicts }: Findings): string {
  const part = (title: string, ...blocks: string[]): string => `## ${title}\n\n${blocks.join('\n')}`;
  const groups = GROUPS.flatMap((group) => {
    const own = results.filter((result) => result.group === group);
    if (own.length === 0) return [];
    const engine = own.some((result) => result.engine !== undefined) ? [engineTable(own)] : [];
    const shares = own.some((result) => result.shares !== undefined) ? [sharesTable(own)] : [];
    return [
      part(TITLES[group], times(tools, own), means(tools, own), resources(tools, own), ...engine, ...shares),
    ];
  });
  const unmeasured = failures(results, missing);
  return [
    part(
      'Machine',
      table(
        [
          { heading: 'what', align: 'left', cell: ([what]) => what },
          { heading: 'value', align: 'left', cell: ([, value]) => value },
        ],
        machine,
      ),
    ),
    'Wall time of the whole process, start-up included: median (least to most). Instructions as callgrind counts them.\n',
    ...groups,
    ...(unmeasured.length === 0 ? [] : [part('Not measured', `${unmeasured.join('\n')}\n`)]),
    part(
      'Targets',
      table(
        [
          { heading: 'target', align: 'left', cell: ({ target }: Verdict) => target },
          { heading: 'measured', align: 'left', cell: ({ measured }) => measured },
          {
            heading: 'verdict',
            align: 'left',
            cell: ({ passed }) => (passed === undefined ? '' : passed ? 'met' : 'missed'),
          },
        ],
        verdicts,
      ),
    ),
  ].join('\n');
}
