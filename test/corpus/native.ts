import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Invocation, Result } from '../guest/invocation.ts';
import { environmentOf } from '../guest/stepper.ts';

/**
 * glibc's routines with FMA round differently from those without, so both sides must take the same. The rest of the list
 * is what instruction counts depend on.
 */
export const SAME_ROUTINES: Readonly<Record<string, string>> = {
  GLIBC_TUNABLES:
    'glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-ERMS,-FSRM,-AVX512F,-AVX512VL,-AVX_Fast_Unaligned_Load,-SSE4_2,-SSE4_1,-SSSE3',
};

/** Runs it on this processor. */
export function runNatively({
  program,
  args,
  env,
  directory,
}: Invocation): Promise<Omit<Result, 'instructions'>> {
  const child = spawn(program, [...args], {
    cwd: directory,
    env: Object.fromEntries(environmentOf(env).map((entry) => entry.split(/=(.*)/s) as [string, string])),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
