import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ISA_LEVELS, type IsaLevel } from '../../src/base/isa-level.ts';
import { USER_ID } from '../../src/linux/fs/initial.ts';
import { cpuidLeaf } from '../../src/x86/cpuid.ts';
import { environmentOf, type Invocation, type Result } from './invocation.ts';

/** Runs programs on this processor under step.c and counts their instructions. */
export class Stepper {
  private readonly directory: string;
  private runs = 0;

  /** Compiles it into the directory. */
  constructor(directory: string) {
    this.directory = directory;
    const source = fileURLToPath(new URL('./step.c', import.meta.url));
    execFileSync('gcc', ['-std=gnu11', '-O2', '-o', join(directory, 'step'), source]);
    for (const isa of ISA_LEVELS) writeFileSync(join(directory, `cpuid-${isa}`), cpuidTable(isa));
  }

  run(invocation: Invocation): Promise<Result> {
    return this.start(invocation, []);
  }

  /** The program runs as the guest's user where root runs it: some do something else for root. */
  runAsGuest(invocation: Invocation): Promise<Result> {
    chmodSync(this.directory, 0o755);
    return this.start(invocation, ['-u', String(USER_ID)]);
  }

  /** Whether this processor has a counter of instructions that may be used. Most virtual machines have none. */
  canCount(): boolean {
    const report = join(this.directory, 'report');
    const { status } = spawnSync(join(this.directory, 'step'), ['-o', report, '-f', '0', '--', '/bin/true']);
    return status === 0 && Number(/\d+/.exec(readFileSync(report, 'utf8'))?.[0]) > 1000;
  }

  /**
   * Steps through the first instructions only, where C libraries ask for CPUID; the rest runs freely and the processor counts it.
   * It counts page faults, which are taken off, and interrupts besides. Needs `canCount`. The program runs as
   * the guest's user where root runs it.
   */
  runCounted(invocation: Invocation, stepped: number): Promise<Result> {
    chmodSync(this.directory, 0o755);
    return this.start(invocation, ['-f', String(stepped), '-u', String(USER_ID)]);
  }

  private start(
    { program, args, env, directory, stdin, isa = 'x86-64' }: Invocation,
    more: readonly string[],
  ): Promise<Result> {
    const report = join(this.directory, `report-${this.runs++}`);
    const options = ['-o', report, '-c', join(this.directory, `cpuid-${isa}`), ...more];
    const child = spawn(
      join(this.directory, 'step'),
      [...options, ...stringsOf(env), '--', program, ...args],
      { cwd: directory, stdio: 'pipe' },
    );
    // Who reads nothing leaves a broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin && readFileSync(stdin));
    const stdout = textOf(child.stdout);
    const stderr = textOf(child.stderr);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => {
        if (status !== 0) return reject(new Error(`step ended with ${status}: ${stderr()}`));
        const [, instructions, exit, faults = 0] =
          /^instructions (\d+)\n(.*)\n(?:faults (\d+)\n)?$/.exec(readFileSync(report, 'utf8')) ?? [];
        resolve({
          instructions: Number(instructions) - Number(faults),
          exit,
          stdout: stdout(),
          stderr: stderr(),
        });
      });
    });
  }
}

const stringsOf = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(environmentOf(env)).map(([name, value]) => `${name}=${value}`);

/** What the emulator's CPUID answers, in step.c's format. */
function cpuidTable(isa: IsaLevel): string {
  const rows: string[] = [];
  const add = (leaf: number, subleaf: number | undefined): void => {
    const registers = cpuidLeaf(isa, leaf, subleaf ?? 0).map((value) => (value >>> 0).toString(16));
    rows.push([leaf.toString(16), subleaf?.toString(16) ?? '*', ...registers].join(' '));
  };
  for (let leaf = 0; leaf < 0x20; leaf++) {
    // Caches and saved state.
    if (leaf === 4 || leaf === 13) for (let subleaf = 0; subleaf < 8; subleaf++) add(leaf, subleaf);
    else add(leaf, undefined);
    add(leaf + 0x8000_0000, undefined);
  }
  return `${rows.join('\n')}\n`;
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('latin1');
}
