import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STATE_SIZE, State } from './state.ts';

export interface NativeCase {
  /** At most 28 bytes, placed at CODE_ADDRESS; falls through to the end or leaves by TAKEN_ADDRESS. */
  readonly code: Uint8Array;
  readonly before: State;
}

const MAX_CODE = 28;
const CASE_SIZE = 4 + MAX_CODE + STATE_SIZE;

let isOracle: boolean | undefined;

/** Whether this machine can be the oracle: an x86-64 Linux with a C compiler. `.ci/run` insists on it. */
export function hasNativeOracle(): boolean {
  // Asked for each form of instruction.
  isOracle ??=
    process.env.REQUIRE_ORACLES === '1' ||
    (process.platform === 'linux' && process.arch === 'x64' && spawnSync('gcc', ['--version']).status === 0);
  return isOracle;
}

let runner: string | undefined;

function compiledRunner(): string {
  if (runner !== undefined) return runner;
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-native-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const source = fileURLToPath(new URL('./runner.c', import.meta.url));
  const output = join(folder, 'runner');
  execFileSync('gcc', ['-O1', '-masm=intel', '-no-pie', '-fno-stack-protector', '-o', output, source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runner = output;
  return output;
}

/** Runs every case on the host processor and gives the states after. */
export function runNative(cases: readonly NativeCase[]): State[] {
  const input = new Uint8Array(cases.length * CASE_SIZE);
  cases.forEach(({ code, before }, i) => {
    if (code.length > MAX_CODE)
      throw new Error(`a case has ${code.length} bytes of code, at most ${MAX_CODE} fit`);
    const at = i * CASE_SIZE;
    input[at] = code.length;
    input.set(code, at + 4);
    input.set(before.bytes, at + 4 + MAX_CODE);
  });
  const run = spawnSync(compiledRunner(), { input, maxBuffer: cases.length * STATE_SIZE + 1024 });
  if (run.status !== 0 || run.stdout.length !== cases.length * STATE_SIZE)
    throw new Error(
      `native runner: status ${run.status}, signal ${run.signal}, ${run.stdout.length / STATE_SIZE} of ${cases.length} results; ${run.stderr}`,
    );
  return cases.map((_, i) => new State(run.stdout.subarray(i * STATE_SIZE, (i + 1) * STATE_SIZE)));
}
