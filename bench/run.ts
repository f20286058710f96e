/** Measures ilp-gate beside native runs, valgrind and qemu, and prints the tables that docs/benchmarks.md shows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Missing } from './case.ts';
import { engineOf } from './engine.ts';
import { kernels, vectors } from './kernels.ts';
import { languages } from './languages.ts';
import { machine } from './machine.ts';
import { type Options, parseOptions, USAGE } from './options.ts';
import { programs } from './programs.ts';
import { type Findings, report } from './report.ts';
import type { Result } from './result.ts';
import { measure } from './rounds.ts';
import { sharesOf } from './shares.ts';
import { startup } from './startup.ts';
import { stopwatch } from './stopwatch.ts';
import { buildUnmeasured, commandOf, installed } from './tools.ts';
import { verdicts } from './verdicts.ts';

const BUILDERS = { kernels, vectors, languages, programs, startup };

function bench(folder: string, options: Options): Findings {
  const found = machine();
  const tools = installed(options);
  const all: readonly (Case | Missing)[] = options.groups.flatMap((group) =>
    BUILDERS[group](folder, (name) => options.only.test(name), options.longer),
  );
  const cases = all.filter((item) => 'program' in item);
  if (options.unmeasured) buildUnmeasured(folder);
  const run = stopwatch(folder, options.limit);
  const results = cases.map((item, index): Result => {
    const result = measure(
      item,
      tools,
      options.runs,
      (tool) => run(commandOf(tool, item, folder)),
      (text) => process.stderr.write(`${index + 1} of ${cases.length}, ${item.name}, ${text}\n`),
    );
    const engine = options.engine ? engineOf(item, folder, run) : undefined;
    const shares = options.shares ? sharesOf(item, folder, run) : undefined;
    return { ...result, ...(engine !== undefined && { engine }), ...(shares !== undefined && { shares }) };
  });
  const missing = all.filter((item) => 'reason' in item);
  return { machine: found, tools, results, missing, verdicts: verdicts(results) };
}

function main(): number {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (problem) {
    process.stderr.write(`${(problem as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-bench-'));
  try {
    const findings = bench(folder, options);
    process.stdout.write(report(findings));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(findings, null, 1)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
}

process.exitCode = main();
