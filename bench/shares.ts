import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './case.ts';
import type { Run } from './stopwatch.ts';
import { NODE, sampledCommandOf } from './tools.ts';

/** What the main thread of ilp-gate does. What V8's compiler does beside it, on another core, is not in here. */
export type Activity = 'optimised' | 'baseline' | 'interpreter' | 'support' | 'own' | 'v8';

/** Samples of each, a millisecond apart. */
export type Shares = Readonly<Record<Activity, number>>;

/** What `node --prof-process --preprocess` writes, as far as it is read here. */
export interface Samples {
  readonly code: readonly { readonly name: string; readonly type: string; readonly kind?: string }[];
  /** `s` begins with the index of the code that ran, below 0 where that is unknown; `vm` 1 is the garbage collector. */
  readonly ticks: readonly { readonly vm: number; readonly s: readonly number[] }[];
}

const WASM: readonly (readonly [name: RegExp, activity: Activity])[] = [
  [/^(handler|interpreter|way into the interpreter)$/, 'interpreter'],
  [/^(support|contexts|helper)$/, 'support'],
];

function activityOf({ code, ticks }: Samples, index: number): Activity {
  const { vm, s } = ticks[index];
  const ran = code[s[0]];
  if (vm === 1 || ran === undefined || ran.type === 'CPP' || ran.type === 'SHARED_LIB') return 'v8';
  if (ran.name.startsWith('region ')) return ran.kind === 'Opt' ? 'optimised' : 'baseline';
  return WASM.find(([name]) => name.test(ran.name))?.[1] ?? 'own';
}

/** By the names that the engine gives its WebAssembly functions, and the compiler that V8 used. */
export function sharesIn(samples: Samples): Shares {
  const shares = { optimised: 0, baseline: 0, interpreter: 0, support: 0, own: 0, v8: 0 };
  for (const index of samples.ticks.keys()) shares[activityOf(samples, index)]++;
  return shares;
}

/** What is kept for the next run is kept for V8's flags, of which the profiler is one: two runs leave what there is to keep. */
const RUNS = 3;

/** Samples a run of its own with V8's profiler. Nothing where that run failed. */
export function sharesOf(
  item: Case,
  folder: string,
  run: (command: readonly string[]) => Run,
): Shares | undefined {
  const log = join(folder, 'v8.log');
  for (let left = RUNS; left > 0; left--) {
    rmSync(log, { force: true });
    run(sampledCommandOf(item, log));
  }
  const { stdout } = spawnSync(NODE, ['--prof-process', '--preprocess', '-j', log], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  try {
    return sharesIn(JSON.parse(stdout) as Samples);
  } catch {
    return undefined;
  }
}
