import { measureWith } from '../../src/pipeline/measure.ts';
import type { Invocation, Result } from './invocation.ts';
import { testMeasuring } from './measuring.ts';

const measure = measureWith(testMeasuring());

/** Runs a program in the emulator and counts its instructions. Throws Failure. */
export async function emulate(invocation: Invocation): Promise<Result> {
  const { program, args, env, directory, stdin, fuel, isa = 'x86-64' } = invocation;
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const { exit, profile } = await measure(
    {
      program,
      args,
      env,
      workingDirectory: directory,
      stdin: stdin === undefined ? { kind: 'empty' } : { kind: 'file', path: stdin },
      isa,
      depth: 0,
      listsCalls: false,
      functions: [],
      chains: [],
      ...(fuel !== undefined && { fuel }),
      writes: 'discard',
      sourceRoot: directory,
    },
    { stdout: (bytes) => out.push(bytes.slice()), stderr: (bytes) => err.push(bytes.slice()) },
  );
  const text = (chunks: Uint8Array[]): string => Buffer.concat(chunks).toString('latin1');
  return {
    instructions: profile?.total.instructions ?? Number.NaN,
    exit: exit.kind === 'exit' ? `exit ${exit.status}` : `signal ${exit.signal}`,
    stdout: text(out),
    stderr: text(err),
  };
}
