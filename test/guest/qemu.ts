import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { USER_ID } from '../../src/linux/fs/initial.ts';
import { processorFacts } from '../../src/x86/features.ts';
import { oracleMissing } from './builds.ts';
import { environmentOf, type Invocation, type Result } from './invocation.ts';

/** What QEMU's Haswell can do beside what the baseline of x86-64 has, by the names of /proc/cpuinfo. */
const HASWELL = [
  ...['pni', 'pclmulqdq', 'ssse3', 'fma', 'cx16', 'pcid', 'sse4_1', 'sse4_2', 'x2apic', 'movbe', 'popcnt'],
  ...['tsc-deadline', 'aes', 'xsave', 'avx', 'f16c', 'rdrand', 'lahf_lm', 'abm', 'fsgsbase', 'bmi1', 'hle'],
  ...['avx2', 'smep', 'bmi2', 'erms', 'invpcid', 'rtm', 'xsaveopt'],
];

/** The emulator's processor as near as QEMU has it: what differs is the description of caches, and that it has no xsavec. */
function processorOf(isa: IsaLevel): string {
  const { family, model, stepping, flags } = processorFacts(isa);
  const has = new Set(flags.split(' '));
  const without = HASWELL.filter((feature) => !has.has(feature)).map((feature) => `-${feature}`);
  return ['Haswell', `family=${family}`, `model=${model}`, `stepping=${stepping}`, ...without].join(',');
}

function releaseOf(): number {
  const { stdout } = spawnSync('qemu-x86_64', ['--version'], { encoding: 'utf8' });
  return Number(/version (\d+\.\d+)/.exec(stdout)?.[1]);
}

/** Whether there is none that counts: before 7.2 it has no AVX2. */
export const isQemuMissing = (): boolean => oracleMissing('gcc', 'qemu-x86_64') || releaseOf() < 7.2;

/**
 * QEMU's user-mode emulator counts a program's instructions, its threads' included: on any machine, and some hundred times faster than
 * single steps.
 */
export class QemuCounter {
  private readonly directory: string;
  private runs = 0;

  /** Compiles qemu-count.c into the directory. */
  constructor(directory: string) {
    this.directory = directory;
    const source = fileURLToPath(new URL('./qemu-count.c', import.meta.url));
    const version = `-DVERSION=${releaseOf() < 9 ? 1 : 2}`;
    execFileSync('gcc', ['-O2', '-shared', '-fPIC', version, '-o', join(directory, 'count.so'), source]);
  }

  /**
   * The program runs as the guest's user where root runs it. The number of instructions is NaN where a signal ends it: also SIGILL
   * at an instruction that QEMU does not know.
   */
  run({ program, args, env, directory, stdin, isa = 'x86-64' }: Invocation): Result {
    chmodSync(this.directory, 0o777);
    const report = join(this.directory, `qemu-${this.runs++}`);
    const plugin = `${join(this.directory, 'count.so')},report=${report}`;
    const asRoot = process.getuid?.() === 0;
    const native = spawnSync('qemu-x86_64', ['-cpu', processorOf(isa), '-plugin', plugin, program, ...args], {
      cwd: directory,
      // QEMU turns the order round.
      env: Object.fromEntries(Object.entries(environmentOf(env)).reverse()),
      input: stdin === undefined ? '' : readFileSync(stdin),
      maxBuffer: 2 ** 28,
      timeout: 600_000,
      ...(asRoot && { uid: USER_ID, gid: USER_ID }),
    });
    // Not every program reads its input.
    const { error } = native;
    if (error !== undefined && !('code' in error && error.code === 'EPIPE')) throw error;
    return {
      instructions: native.signal === null ? Number(readFileSync(report, 'utf8')) : Number.NaN,
      exit: native.status === null ? `signal ${native.signal}` : `exit ${native.status}`,
      stdout: native.stdout.toString('latin1'),
      stderr: native.stderr.toString('latin1'),
    };
  }
}
