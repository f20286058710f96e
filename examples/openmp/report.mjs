// Writes the tables of run-time bounds over thread counts into README.md, between its markers.
//
//   make && node report.mjs [CLI]        CLI: the tool's bundled command, ../../dist/cli.cjs when absent
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const CLI = resolve(process.argv[2] ?? `${HERE}/../../dist/cli.cjs`);
const README = `${HERE}/README.md`;
const MACHINE = 'zen5';
const THREADS = [1, 2, 3, 4, 6, 8];

function boundsWith(threads) {
  const env = ['--env', `OMP_NUM_THREADS=${threads}`, '--env', 'OMP_WAIT_POLICY=passive'];
  const args = [CLI, 'bounds', '--machine', MACHINE, ...env, '--json', '-', '--', 'build/openmp'];
  const options = { cwd: HERE, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
  return JSON.parse(execFileSync(process.execPath, args, options));
}

const rounded = (value) => String(Math.round(value));
const ratio = (value) => value.toFixed(2);

function table(head, rows) {
  return [head, head.map(() => '---:'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const runs = THREADS.map((threads) => ({ threads, ...boundsWith(threads) }));
const [{ bounds: onOne, loops: serial }] = runs;

/** The run: one thread's bound is that of all its code. */
const whole = table(
  ['threads', 'balanced', 'actual', 'load imbalance', 'utilisation', 'speed-up'],
  runs.map(({ threads, bounds: { runTime, parallel } }) => {
    if (parallel === undefined) return [threads, rounded(runTime), rounded(runTime), '1.00', '100 %', '1.00'];
    const { balanced, runTime: actual, imbalance, utilisation } = parallel;
    const share = `${Math.round(100 * utilisation)} %`;
    return [
      threads,
      rounded(balanced),
      rounded(actual),
      ratio(imbalance),
      share,
      ratio(onOne.runTime / actual),
    ];
  }),
);

/** The two regions: on one thread, the loops of the function. */
const KERNELS = ['smooth._omp_fn.0', 'triangle._omp_fn.0'];
const regions = table(
  ['threads', ...KERNELS.flatMap((name) => [name.split('.')[0], 'load imbalance', 'speed-up'])],
  runs.map(({ threads, bounds: { parallel } }) => [
    threads,
    ...KERNELS.flatMap((name) => {
      const alone = serial
        .filter((loop) => loop.function === name)
        .reduce((sum, { runTime }) => sum + runTime, 0);
      const region = parallel?.regions.find((each) => each.function === name);
      if (region === undefined) return [rounded(alone), '1.00', '1.00'];
      return [rounded(region.runTime), ratio(region.imbalance), ratio(alone / region.runTime)];
    }),
  ]),
);

const text = readFileSync(README, 'utf8');
const marked = /(<!-- figures: threads -->\n)[\s\S]*?(<!-- end of figures -->)/;
if (!marked.test(text)) throw new Error('README.md has no place for the figures');
writeFileSync(README, text.replace(marked, `$1\n${whole}\n\n${regions}\n\n$2`));
