import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Failure } from '../../src/base/failure.ts';
import { emulate } from '../guest/emulate.ts';

/** What this process holds on to, in bytes and numbers. */
export interface Holdings {
  readonly heap: number;
  /** Of array buffers and WebAssembly memories. */
  readonly external: number;
  readonly resident: number;
  readonly descriptors: number;
  readonly children: number;
}

/** After everything that nobody needs is gone. */
export async function holdings(): Promise<Holdings> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    collect();
    // Finalisers run between turns.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    external,
    resident: rss,
    descriptors: readdirSync('/proc/self/fd').length,
    children: readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
      .length,
  };
}

export interface Program {
  readonly path: string;
  readonly fuel?: number;
}

/** Runs the programs in turn, so many runs in all; gives how each of the last round ended. */
export async function runAll(
  programs: readonly Program[],
  runs: number,
  directory: string,
): Promise<string[]> {
  const ends: string[] = [];
  for (let run = 0; run < runs; run++) {
    const { path, fuel } = programs[run % programs.length];
    const invocation = { program: path, args: [], env: {}, directory, ...(fuel !== undefined && { fuel }) };
    const end = await emulate(invocation).then(
      ({ exit, stdout }) => `${exit} ${stdout.length}`,
      (problem) => {
        if (!(problem instanceof Failure)) throw problem;
        return problem.code;
      },
    );
    ends[run % programs.length] = end;
  }
  return ends;
}
