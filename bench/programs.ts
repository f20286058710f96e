import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Missing } from './case.ts';
import { locate } from './compile.ts';
import { INPUTS } from './inputs.ts';

const JQ = `[.[] | select(.stock.left > 100)
  | {n: (.name | ascii_upcase), p: (.price * 1.19 | floor), t: (.tags | join("/"))}]
  | group_by(.t) | map({t: .[0].t, n: length, s: (map(.p) | add)})`;

const AWK = `{ for (i = 1; i < NF; i++) count[$i]++; sum += $NF; if (/mo(ra|si)+/) hits++ }
END {
  n = asorti(count, words)
  for (i = 1; i <= n; i += 97) print words[i], count[words[i]]
  printf "%d %d %d %.4f %d\\n", n, NR, sum, sum / NR, hits
}`;

/**
 * Distribution programs with their shared libraries, on generated inputs, 10^7 to 10^9 instructions each. An argument that
 * is the name of an input makes that input. gzip -n, because a time stamp in the output would differ by tool.
 */
const PROGRAMS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['gzip', 'gzip', '-nc', 'gzip.txt'],
  ['gzip, small', 'gzip', '-nc', 'small.txt'],
  ['bzip2', 'bzip2', '-c', 'bzip2.txt'],
  ['xz', 'xz', '-T1', '-c', 'xz.txt'],
  ['sha256sum', 'sha256sum', 'noise'],
  ['sort', 'sort', '--parallel=1', '-k3,3', '-k1,1r', 'sort.txt'],
  ['sort, small', 'sort', '--parallel=1', '-k3,3', '-k1,1r', 'small.txt'],
  ['sqlite3', 'sqlite3', '-batch', '-init', 'script.sql', ':memory:', '.quit'],
  ['sqlite3, small', 'sqlite3', '-batch', '-init', 'small.sql', ':memory:', '.quit'],
  ['lua5.4', 'lua5.4', 'script.lua'],
  ['perl', 'perl', 'script.pl', 'perl.txt'],
  // Not what version managers put before it on PATH: a shell script.
  ['python3', '/usr/bin/python3', 'script.py'],
  ['jq', 'jq', '-c', JQ, 'records.json'],
  ['cc1 -O2', 'cc1', '-quiet', '-O2', 'unit.i', '-o', '-'],
  ['gawk', 'gawk', AWK, 'gawk.txt'],
  ['bc', 'bc', '-lq', 'script.bc'],
];

function path(program: string): string | undefined {
  if (program !== 'cc1') return locate(program);
  const printed = spawnSync('gcc', [`-print-prog-name=${program}`], { encoding: 'utf8' }).stdout?.trim();
  return printed?.startsWith('/') ? printed : undefined;
}

/** Those of the programs that `wanted` names; their inputs are written into the folder, so many times as large. */
export function programs(
  folder: string,
  wanted: (name: string) => boolean,
  longer: number,
): (Case | Missing)[] {
  return PROGRAMS.filter(([name]) => wanted(name)).map(([name, command, ...args]) => {
    const program = path(command);
    if (program === undefined) return { group: 'programs', name, reason: `${command} is not installed` };
    for (const input of args.filter((arg) => arg in INPUTS))
      writeFileSync(join(folder, input), INPUTS[input](longer));
    return { group: 'programs', name, program, args };
  });
}
