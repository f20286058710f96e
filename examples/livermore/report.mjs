// Writes the table of all bounds into README.md, between its markers.
//
//   make && node report.mjs [CLI]        CLI: the tool's bundled command, ../../dist/cli.cjs when absent
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const CLI = resolve(process.argv[2] ?? `${HERE}/../../dist/cli.cjs`);
const README = `${HERE}/README.md`;

const KERNELS = Array.from({ length: 12 }, (_, i) => `kernel${i + 1}`);
const MACHINES = ['zen5', 'skylake'];
const BUILDS = ['o2', 'o3'];

function loopsOf(machine, ...what) {
  const args = [CLI, 'bounds', '--machine', machine, '--isa', 'x86-64', '--json', '-', ...what];
  const options = { cwd: HERE, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
  return JSON.parse(execFileSync(process.execPath, args, options)).loops.filter(({ innermost }) => innermost);
}

/** Of the loops that were made of a kernel's innermost one, that which takes most of the run, in a source the one that does most. */
function mainLoop(loops, kernel) {
  const work = ({ runTime, essential }) =>
    runTime ?? ['fa', 'fm', 'fma', 'loads', 'stores'].reduce((sum, key) => sum + essential[key], 0);
  const [first] = loops.filter((loop) => loop.function === kernel).sort((a, b) => work(b) - work(a));
  if (first === undefined) throw new Error(`${kernel} has no innermost loop`);
  return first;
}

const number = (value) => (value === undefined ? '' : String(Math.round(value * 100) / 100));

function table(head, rows) {
  const align = head.map((_, i) => (/limit/.test(head[i]) ? '---' : '---:'));
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function machineTable(machine) {
  const source = loopsOf(machine, 'kernels.c');
  const ksr = loopsOf('ksr1', 'kernels.c');
  const head = [
    'kernel',
    'M ksr1',
    'MA ksr1',
    'M',
    'MA',
    ...BUILDS.flatMap((build) => [`MAC -${build.toUpperCase()}`, `MACS -${build.toUpperCase()}`, 'limit']),
  ];
  const rows = KERNELS.map((kernel, i) => {
    const { bounds } = mainLoop(source, kernel);
    const paper = mainLoop(ksr, kernel).bounds;
    const compiled = BUILDS.flatMap((build) => {
      const run = ['--', `build/${build}/livermore`, String(i + 1), '100'];
      const loop = mainLoop(loopsOf(machine, ...run), kernel);
      return [number(loop.bounds.MAC), number(loop.bounds.MACS), loop.limits.MACS];
    });
    return [i + 1, number(paper.M), number(paper.MA), number(bounds.M), number(bounds.MA), ...compiled];
  });
  return `### \`${machine}\`\n\n${table(head, rows)}`;
}

const MARKED = /(<!-- figures: bounds -->\n)[\s\S]*?(<!-- end -->)/;
const page = readFileSync(README, 'utf8');
const tables = MACHINES.map(machineTable).join('\n\n');
writeFileSync(
  README,
  page.replace(MARKED, (_, begin, end) => `${begin}\n${tables}\n\n${end}`),
);
