import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { environmentOf, type Invocation, type Result } from './invocation.ts';

/**
 * glibc's routines with FMA round differently from those without, so both sides must take the same: those of the level. The
 * rest is what instruction counts depend on.
 */
export function sameRoutines(isa: IsaLevel): Readonly<Record<string, string>> {
  const absent = ['ERMS', 'FSRM', 'AVX512F', 'AVX512VL', 'AVX_Fast_Unaligned_Load'];
  if (isa !== 'x86-64-v3') absent.push('AVX2', 'AVX', 'FMA', 'FMA4');
  if (isa === 'x86-64') absent.push('SSE4_2', 'SSE4_1', 'SSSE3');
  return {
    GLIBC_TUNABLES: `glibc.cpu.hwcaps=${absent.map((feature) => `-${feature}`).join(',')}`,
    // Resolving a function while the program runs saves all vector registers that this processor has, in a buffer for those of
    // the CPUID that the stepper shows.
    LD_BIND_NOW: '1',
  };
}

/** Runs it on this processor. */
export function runNatively({
  program,
  args,
  env,
  directory,
}: Invocation): Promise<Omit<Result, 'instructions'>> {
  const child = spawn(program, [...args], {
    cwd: directory,
    env: environmentOf(env),
    stdio: 'pipe',
  });
  // The guest's standard input is a pipe, too.
  child.stdin.end();
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      const exit = signal === null ? `exit ${status}` : `signal ${constants.signals[signal]}`;
      resolve({ exit, stdout: stdout(), stderr: stderr() });
    });
  });
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('latin1');
}
