// Compares MACS with the processor at hand, on the Livermore kernels: node bench/livermore.ts [--machine NAME] [--build o2|o3]
//
// Cycles are perf's cycles:u for an iteration of the innermost source loop, from the difference between two counts of
// repetitions, so that what happens once does not count: of the least of several runs of each, on one processor. MACS is what
// `ilp-gate bounds` says of the linked program, for the innermost loop of the kernel's function that has the most
// instructions. Kernels 2, 4, 6 and 8 have an outer loop too, whose cycles are in those measured.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const NODE = join(ROOT, 'node_modules', '.bin', 'node');

/** Iterations of the innermost source loop in one repetition, from the loops' limits (examples/livermore/kernels.c). */
const ITERATIONS = [1001, 97, 1001, 600, 1000, 2016, 995, 198, 101, 101, 1000, 1000];
const ROUNDS = 15;
/** Iterations that the shorter of two runs makes. */
const ENOUGH = 10_000_000;

const { values } = parseArgs({
  options: {
    machine: { type: 'string' },
    build: { type: 'string', default: 'o2' },
    cli: { type: 'string', default: join(ROOT, 'src/cli/entry.ts') },
  },
});
const processor = processorName();
const machine = values.machine ?? machineOf();
if (machine === undefined) {
  console.error(`no machine model is known for ${processor}: give --machine NAME`);
  process.exit(2);
}
if (cyclesOf(['true']) === undefined) {
  console.log('skipped: perf has no cycle counter here (perf stat -e cycles:u true)');
  process.exit(0);
}

interface Loop {
  readonly function: string;
  readonly innermost: boolean;
  readonly compiled: { readonly instructions: number };
  readonly bounds: { readonly MACS: number };
  readonly limits: { readonly MACS: string };
}

const directory = mkdtempSync(join(tmpdir(), 'livermore-'));
try {
  const example = join(ROOT, 'examples/livermore');
  execFileSync('make', ['-s', '-C', example, `BUILD=${directory}`, `${directory}/${values.build}/livermore`]);
  const program = join(directory, values.build, 'livermore');
  const loops = boundsOf(program, example, machine);
  console.log(`${processor}, machine model ${machine}, ${compiler()}, -${values.build.toUpperCase()}\n`);
  console.log('| kernel | measured | MACS | error | limited by |\n|---:|---:|---:|---:|---|');
  const errors = ITERATIONS.map((iterations, i) => {
    const name = `kernel${i + 1}`;
    const loop = loops
      .filter((each) => each.function === name && each.innermost)
      .sort((a, b) => b.compiled.instructions - a.compiled.instructions)[0];
    if (loop === undefined) throw new Error(`${name} has no innermost loop`);
    const measured = cyclesPerIteration(program, i + 1, iterations);
    const error = loop.bounds.MACS / measured - 1;
    const percent = `${error < 0 ? '' : '+'}${(100 * error).toFixed(1)} %`;
    console.log(
      `| ${i + 1} | ${measured.toFixed(2)} | ${loop.bounds.MACS.toFixed(2)} | ${percent} | ${loop.limits.MACS} |`,
    );
    return Math.abs(error);
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  console.log(`\nmean absolute error ${(100 * mean).toFixed(1)} %`);
} finally {
  rmSync(directory, { recursive: true });
}

function boundsOf(object: string, sources: string, name: string): readonly Loop[] {
  const functions = ITERATIONS.flatMap((_, i) => ['--function', `kernel${i + 1}`]);
  const args = [values.cli, 'bounds', '--machine', name, ...functions, object, '--json', '-'];
  return JSON.parse(execFileSync(NODE, args, { cwd: sources, encoding: 'utf8', maxBuffer: 1 << 28 })).loops;
}

function cyclesPerIteration(program: string, kernel: number, iterations: number): number {
  const few = Math.ceil(ENOUGH / iterations / 4);
  const many = 3 * few;
  const cycles = (repetitions: number): number => cyclesOf([program, String(kernel), String(repetitions)])!;
  // What disturbs a run only adds to it.
  const least = (repetitions: number): number =>
    Math.min(...Array.from({ length: ROUNDS }, () => cycles(repetitions)));
  return (least(many) - least(few)) / ((many - few) * iterations);
}

/** In user mode; undefined where the machine does not count them. */
function cyclesOf(command: readonly string[]): number | undefined {
  const { stderr, status } = spawnSync(
    'taskset',
    ['-c', '0', 'perf', 'stat', '-x', ',', '-e', 'cycles:u', ...command],
    { encoding: 'utf8' },
  );
  const count = Number(/^(\d+),,cycles:u/m.exec(stderr ?? '')?.[1]);
  return status === 0 && count > 0 ? count : undefined;
}

function processorName(): string {
  return /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'an unknown processor';
}

/** By vendor, family and model, as the vendors' manuals number them. */
function machineOf(): string | undefined {
  const info = readFileSync('/proc/cpuinfo', 'utf8');
  const field = (name: string): string => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(info)?.[1] ?? '';
  const [family, model] = [Number(field('cpu family')), Number(field('model'))];
  if (field('vendor_id') === 'AuthenticAMD') {
    if (family === 26) return 'zen5';
    if (family === 25) return model < 16 || (model >= 32 && model < 96) ? 'zen3' : 'zen4';
    return family === 23 && model >= 48 ? 'zen2' : undefined;
  }
  if (field('vendor_id') !== 'GenuineIntel' || family !== 6) return undefined;
  const models: readonly (readonly [string, readonly number[]])[] = [
    ['ivybridge', [58, 62]],
    ['haswell', [60, 63, 69, 70]],
    ['broadwell', [61, 71, 79, 86]],
    ['skylake', [78, 94, 142, 158]],
    ['icelake-server', [106, 108]],
    ['sapphirerapids', [143, 207]],
  ];
  return models.find(([, numbers]) => numbers.includes(model))?.[0];
}

function compiler(): string {
  return execFileSync('gcc', ['--version'], { encoding: 'utf8' }).split('\n')[0];
}
