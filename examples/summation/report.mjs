// Measures the example's programs and writes the tables of README.md between its markers.
//
//   make && node report.mjs [CLI]        CLI: the tool's bundled command, ../../dist/cli.cjs when absent
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const CLI = resolve(process.argv[2] ?? `${HERE}/../../dist/cli.cjs`);
const README = `${HERE}/README.md`;

const BUILDS = [
  { name: 'paper', title: '2013 flags' },
  { name: 'o2', title: '-O2' },
];
const N = 10_000;
const DEGREE = 1_000;

/** The papers' figures, as printed. */
const PARA_2010_FIGURE_2 = [
  { algorithm: 'Sum', label: 'Sum', paper: [511, 105, 4.86] },
  { algorithm: 'Sum2', label: 'Sum2', paper: [1617, 214, 7.55] },
  { algorithm: 'DDSum', label: 'DDSum (SumXBLAS)', paper: [2097, 898, 2.33] },
];
const COMPAS_2013_FIGURE_1 = [
  { algorithm: 'Sum', name: 'Sum', label: 'Sum', paper: [13781, 10000, 1.3781] },
  { algorithm: 'iFastSum', name: 'iFastSumIn', label: 'iFastSumIn', paper: [696076, 18043, 38.5787] },
  {
    algorithm: 'OnlineExactSum',
    name: 'OnlineExactSum',
    label: 'OnlineExactSum',
    paper: [301467, 10607, 28.4215],
  },
  { algorithm: 'OnlineExactSum', name: 'iFastSumIn', label: 'its iFastSumIn', paper: [29704, 611, 48.6154] },
];
const COMPAS_2013_FIGURE_5 = [
  { algorithm: 'HybridSum', name: 'HybridSum', label: 'HybridSum', paper: [267980, 20020, 13.3856] },
  { algorithm: 'HybridSum', name: 'iFastSumIn', label: 'its iFastSumIn', paper: [62719, 2580, 24.3097] },
  {
    algorithm: 'OnlineExactSum',
    name: 'OnlineExactSum',
    label: 'OnlineExactSum',
    paper: [229263, 30026, 7.63548],
  },
  { algorithm: 'OnlineExactSum', name: 'iFastSumIn', label: 'its iFastSumIn', paper: [334, 32, 10.4375] },
];
const SUMS = ['Sum', 'Sum2', 'DDSum', 'iFastSum', 'AccSum', 'FastAccSum', 'HybridSum', 'OnlineExactSum'];
const POLYNOMIALS = ['Horner', 'CompHorner', 'DDHorner', 'Dot'];

const profiles = new Map();

/** The profile of one run; the same run is measured once. */
function profileOf(build, algorithm, n, distribution, delta) {
  const command = [`build/${build}/summation`, algorithm, String(n), distribution, String(delta)];
  const key = command.join(' ');
  if (!profiles.has(key)) {
    const names = [...new Set([algorithm, 'iFastSumIn'])].flatMap((name) => ['--function', name]);
    const args = [CLI, 'measure', '--json', '-', ...names, '--', ...command];
    const options = { cwd: HERE, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
    profiles.set(key, JSON.parse(execFileSync(process.execPath, args, options)));
  }
  return profiles.get(key);
}

function functionOf(build, algorithm, name, n, distribution, delta) {
  const found = profileOf(build, algorithm, n, distribution, delta).functions.find(
    (entry) => entry.name === name,
  );
  if (found === undefined)
    throw new Error(`${algorithm} ${n} ${distribution} in ${build}: no function ${name}`);
  return found;
}

const whole = (value) => value.toLocaleString('en-US');
const fixed = (value, digits = 2) => value.toFixed(digits);

function table(header, rows) {
  const align = header.map((_, i) => (i === 0 ? '---' : '---:'));
  return [header, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** I, C and ILP of each build. */
function ours(algorithm, name, n, distribution, delta) {
  return BUILDS.flatMap(({ name: build }) => {
    const { instructions, cycles } = functionOf(build, algorithm, name, n, distribution, delta);
    return [whole(instructions), whole(cycles), fixed(instructions / cycles)];
  });
}

const OUR_COLUMNS = BUILDS.flatMap(({ title }) => ['I', 'C', 'ILP'].map((column) => `${column} ${title}`));

function besidePaper(rows, n, distribution, delta) {
  return table(
    ['', 'I paper', 'C paper', 'ILP paper', ...OUR_COLUMNS],
    rows.map(({ algorithm, name = algorithm, label, paper: [instructions, cycles, ilp] }) => [
      label,
      whole(instructions),
      whole(cycles),
      fixed(ilp),
      ...ours(algorithm, name, n, distribution, delta),
    ]),
  );
}

function perElement() {
  const rows = ['HybridSum', 'OnlineExactSum'].flatMap((algorithm) =>
    BUILDS.map(({ name: build, title }) => {
      const cycles = (distribution) =>
        functionOf(build, algorithm, algorithm, N, distribution, 500).cycles / N;
      return [
        `${algorithm}, ${title}`,
        fixed(cycles('dU')),
        fixed(cycles('dD')),
        fixed(cycles('dD') / cycles('dU'), 1),
      ];
    }),
  );
  const paper = [
    ['HybridSum, paper', '0.5', '2.0', '4'],
    ['OnlineExactSum, paper', '0.5', '3.0', '6'],
  ];
  return table(
    ['cycles per element', 'd_U', 'd_D', 'ratio'],
    [paper[0], ...rows.slice(0, 2), paper[1], ...rows.slice(2)],
  );
}

function everySum(distribution) {
  const cyclesOfSum = BUILDS.map(({ name }) => functionOf(name, 'Sum', 'Sum', N, distribution, 500).cycles);
  return table(
    ['', ...OUR_COLUMNS, ...BUILDS.map(({ title }) => `C / C(Sum) ${title}`)],
    SUMS.map((algorithm) => [
      algorithm,
      ...ours(algorithm, algorithm, N, distribution, 500),
      ...BUILDS.map(({ name }, i) =>
        fixed(functionOf(name, algorithm, algorithm, N, distribution, 500).cycles / cyclesOfSum[i]),
      ),
    ]),
  );
}

function polynomials() {
  return table(
    ['', ...OUR_COLUMNS],
    POLYNOMIALS.map((algorithm) => [algorithm, ...ours(algorithm, algorithm, DEGREE, 'dU', 100)]),
  );
}

/** The links that make up most of the longest chain of each algorithm's own call. */
function chains() {
  const rows = [];
  for (const [algorithm, n, distribution, delta] of [
    ...SUMS.map((name) => [name, N, 'dU', 500]),
    ...['HybridSum', 'OnlineExactSum'].map((name) => [name, N, 'dD', 500]),
    ...POLYNOMIALS.map((name) => [name, DEGREE, 'dU', 100]),
  ]) {
    for (const { name: build, title } of BUILDS) {
      const chain = profileOf(build, algorithm, n, distribution, delta).chains.find(
        (entry) => entry.function === algorithm,
      );
      if (chain === undefined) throw new Error(`${algorithm} in ${build}: no chain`);
      const lines = new Map();
      for (const { file, line, instruction, count } of chain.links) {
        const place = file === undefined ? '?' : `${file.split('/').pop()}:${line ?? '?'}`;
        const entry = lines.get(place) ?? { count: 0, mnemonics: new Map() };
        const mnemonic = instruction.split(' ')[0];
        entry.count += count;
        entry.mnemonics.set(mnemonic, (entry.mnemonics.get(mnemonic) ?? 0) + count);
        lines.set(place, entry);
      }
      const largest = [...lines]
        .sort(([, a], [, b]) => b.count - a.count)
        .filter(([, { count }]) => count * 20 >= chain.length)
        .map(([place, { count, mnemonics }]) => {
          const instructions = [...mnemonics]
            .filter(([, times]) => times * 20 >= count)
            .map(([mnemonic]) => mnemonic);
          return `${fixed((100 * count) / chain.length, 0)} % ${place} (${instructions.join(', ')})`;
        });
      rows.push([`${algorithm} ${distribution}, ${title}`, whole(chain.length), largest.join('; ')]);
    }
  }
  return table(['', 'length', 'source lines with 5 % and more, and their instructions'], rows);
}

const SECTIONS = {
  'para-2010-figure-2': () => besidePaper(PARA_2010_FIGURE_2, 100, 'dU', 500),
  'compas-2013-figure-1': () => besidePaper(COMPAS_2013_FIGURE_1, N, 'dC', 500),
  'compas-2013-figure-5': () => besidePaper(COMPAS_2013_FIGURE_5, N, 'dD', 500),
  'cycles-per-element': perElement,
  'sums-uniform': () => everySum('dU'),
  'sums-cancelling': () => everySum('dC'),
  polynomials,
  chains,
};

let text = readFileSync(README, 'utf8');
for (const [name, section] of Object.entries(SECTIONS)) {
  const begin = `<!-- figures: ${name} -->\n`;
  const end = '<!-- end -->';
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`README.md has no place for ${name}`);
  text = `${text.slice(0, from + begin.length)}\n${section()}\n\n${text.slice(to)}`;
}
writeFileSync(README, text);
