import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXAMPLE } from '../summation/program.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The product as it is shipped, made from the sources of this moment. */
export class Product {
  readonly directory = mkdtempSync(join(tmpdir(), 'ilp-gate-product-'));
  readonly action = join(this.directory, 'action.cjs');
  private readonly cli = join(this.directory, 'cli.cjs');

  constructor() {
    execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), this.directory]);
  }

  /** One command line in a directory, with pipes for its three streams. */
  run(cwd: string, ...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.cli, ...args], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return { status, stdout, stderr };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}

/** Two quick targets of the example, at -O2: there Sum2's loop has no register copies between its operations. */
const CONFIG = `build: make -s build/o2/summation
targets:
  - name: Sum
    command: build/o2/summation Sum 1000 dU
    functions: [Sum]
  - name: Sum2
    command: build/o2/summation Sum2 1000 dU
    functions: [Sum2]
`;

/** The example's sources and makefile by name, with that configuration. */
export function exampleFiles(): Record<string, string> {
  const names = readdirSync(EXAMPLE).filter((name) => /\.[ch]$|^Makefile$/.test(name));
  return {
    ...Object.fromEntries(names.map((name) => [name, readFileSync(join(EXAMPLE, name), 'utf8')])),
    'ilp-gate.yml': CONFIG,
  };
}

/** A working copy of the example under git, without a baseline. */
export class WorkingCopy {
  readonly directory = mkdtempSync(join(tmpdir(), 'ilp-gate-example-'));

  constructor() {
    for (const [name, text] of Object.entries(exampleFiles())) this.write(name, text);
    cpSync(join(EXAMPLE, '.gitignore'), join(this.directory, '.gitignore'));
    this.git('init', '-q');
    this.commit('The example');
  }

  read(name: string): string {
    return readFileSync(join(this.directory, name), 'utf8');
  }

  write(name: string, text: string): void {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', message);
  }

  /** Files that git sees as new or changed. */
  changes(): string {
    return this.git('status', '--porcelain', '--untracked-files=all');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }

  private git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.directory, encoding: 'utf8' });
  }
}

const TWO_SUM = `    double error;
    sum = TwoSum(sum, x[i], &error);
    errors += error;
`;
const SERIAL = `    double next = sum + x[i];
    double part = next - sum;
    errors = (errors + (sum - (next - part))) + (x[i] - part);
    sum = next;
`;

/**
 * Sum2 with the same seven operations in another order: the two halves of each rounding error are added to the
 * running sum one after the other, so that two additions an element wait for each other where one did.
 */
export function serialised(sum2: string): { readonly text: string; readonly line: number } {
  const text = sum2.replace(TWO_SUM, SERIAL);
  if (text === sum2) throw new Error('sum2.c no longer has the lines that this change replaces');
  const line = text.split('\n').findIndex((each) => each.includes('errors = (errors')) + 1;
  return { text, line };
}
