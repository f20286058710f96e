import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext, runInThisContext } from 'node:vm';

const NODE = Number(process.versions.node.split('.')[0]);

/** The last Node of which it is known that its V8 has the flags below. */
const LAST_WITH_FLAGS = 24;

/** Lets V8 keep the code of functions that were not called for a while, 2 MB of all that a measurement calls. */
export function keepBytecode(): void {
  setFlagsFromString('--no-flush-bytecode');
}

const PLACE = Symbol.for("ilp-gate: V8's flags");
const global = globalThis as { [PLACE]?: Map<string, string> };

/** Flags that are not what they were when the process began: what they are, by what they were. Each part of the program has this file for itself (scripts/build.mjs), hence the process's. */
global[PLACE] ??= new Map();
const changed = global[PLACE];

/** `before`: what it is before anything is measured, where Node was not told another one. */
function change(before: string, flag: string): void {
  setFlagsFromString(flag);
  changed.set(before, flag);
}

/** V8's flags become what they were when the process began, for good: nothing is measured any more. */
export function takeFlagsBack(): void {
  for (const before of changed.keys()) setFlagsFromString(before);
}

/** Meanwhile V8's flags are what they were when the process began. */
export function withFirstFlags<T>(work: () => T): T {
  takeFlagsBack();
  try {
    return work();
  } finally {
    for (const flag of changed.values()) setFlagsFromString(flag);
  }
}

/**
 * Lets V8 follow the branch hints of generated code: slow paths then lie out of line, and only they spill registers
 * (measured in cycles: recursive fib -27 %, bubble sort -8 %; in time with Node 20: gzip -26 %, bc -13 %, perl -9 %, jq and lua the same). All V8s since
 * that of Node 20 have it behind a flag. Must run before the first region is compiled.
 */
export function followBranchHints(): void {
  change('--no-experimental-wasm-branch-hinting', '--experimental-wasm-branch-hinting');
}

/** When V8 optimises functions of JavaScript, as its flags say it. */
interface Optimising {
  /** Each flag as it usually is, and as it is in a process that is young. */
  readonly flags: readonly (readonly [usual: string, meanwhile: string])[];
  /** Milliseconds from the beginning of a process on in which it is young. */
  readonly young: number;
}

/**
 * By Node. The V8 of Node 20 counts executed bytecodes. With sixteen times as many for two seconds first runs of five programs (gzip, sqlite3, sha256sum, perl, jq; medians of 5, interleaved) take 0.90 of the
 * time there, and 0.78 of the processor's; those of six programs took 0.92 and 0.98 in two other series of three rounds. With four and eight times as many for a second it was 0.94 and 0.91. With Node 22 the
 * like took 1.10 of the time (eight times as many calls for a second: 1.04).
 */
const OPTIMISING: Readonly<Record<number, Optimising>> = {
  20: { flags: [['--interrupt-budget=67584', '--interrupt-budget=1081344']], young: 2000 },
  24: {
    flags: [
      ['--invocation-count-for-maglev=400', '--invocation-count-for-maglev=3200'],
      ['--invocation-count-for-maglev-osr=100', '--invocation-count-for-maglev-osr=800'],
      ['--invocation-count-for-turbofan=10000', '--invocation-count-for-turbofan=80000'],
      ['--invocation-count-for-osr=800', '--invocation-count-for-osr=6400'],
    ],
    young: 500,
  },
};

/** Whether V8 optimises functions of JavaScript late. */
let isLate = false;

function beLate(late: boolean): void {
  if (late === isLate) return;
  isLate = late;
  for (const [usual, meanwhile] of OPTIMISING[NODE].flags) {
    if (late) change(usual, meanwhile);
    else {
      setFlagsFromString(usual);
      changed.delete(usual);
    }
  }
}

/**
 * V8 optimises hardly any function of JavaScript while the process is young: most measurements that are so short have ended before that pays, and each function costs its
 * compilers some pages of fresh memory, in the first thread, too. Generated code is not meant. Gives a function to be called now and then.
 */
export function optimiseLate(): () => void {
  if (!(NODE in OPTIMISING)) return () => {};
  const { young } = OPTIMISING[NODE];
  beLate(true);
  return () => {
    if (isLate && performance.now() >= young) beLate(false);
  };
}

/** Whether V8's own functions are those that are known here: a wrong call of one would end the process. */
export const hasKnownNatives = NODE <= LAST_WITH_FLAGS;

/** What V8 was last told of how the young generation grows. */
let growth = 2;

function growBy(factor: number): void {
  change('--semi-space-growth-factor=2', `--semi-space-growth-factor=${factor}`);
  growth = factor;
}

/**
 * Meanwhile sources that are compiled may call V8's own functions by `%`. V8 takes compiled WebAssembly only from where its flags were the
 * same, so those that change while a program runs are what they were at its beginning.
 */
export function withNatives<T>(work: () => T): T {
  const [grows, wasLate] = [growth, isLate];
  setFlagsFromString('--allow-natives-syntax');
  growBy(2);
  beLate(false);
  try {
    return work();
  } finally {
    growBy(grows);
    beLate(wasLate);
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** Milliseconds between two questions, which take some microseconds: slices may be as short as that. */
const ASK_EVERY = 5;

/** Bytes that V8's two halves for young objects take together when they are large enough. */
const YOUNG_BYTES = 32 * 2 ** 20;

/**
 * Keeps V8's heap near to what it holds; without, its young objects come to fill 128 MB, and the others four times what a collection left
 * of them. Of cc1 with 1.7e9 instructions, a guest of 54 MB, the process took 1,149 MB at most, 1,003 with the bound on the old objects alone, 916
 * with both (medians of three runs on a busy machine; 1,067 and 860 MB on an idle one). Times differ by less than the noise.
 *
 * Gives a function to be called now and then: V8 can be kept from growing the young generation, but a running one not be told how far.
 */
export function keepHeapSmall(): () => void {
  if (NODE > LAST_WITH_FLAGS) return () => {};
  // A collection is due when so many percent have come to what the one before left.
  change('--heap-growing-percent=0', '--heap-growing-percent=50');
  let isGrown = false;
  let next = 0;
  return () => {
    if (isGrown || performance.now() < next) return;
    next = performance.now() + ASK_EVERY;
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    isGrown = young !== undefined && young.space_size >= YOUNG_BYTES;
    if (isGrown) growBy(1);
  };
}

/** Milliseconds from one try to the next, and after which there is none. */
const TRY_EVERY = 20;
const TRY_FOR = 4000;

/**
 * Gives a function that lets V8 collect all that nothing refers to, and that comes back when so many bytes outside V8's heap are given back. V8
 * would do so by itself when 4 GiB are reserved, but not where it is marking already. On a busy machine a guest of 100 MB whose chain was
 * followed took 1,067 MB in 7 of 48 runs without, since two memories were there, else 690.
 *
 * Functions that V8 optimises on another thread refer to what they were seen with until they are done, in 3 of 6 runs on another busy
 * machine longer than the collection, so that they are waited for. V8 tells how to wait for one of its two compilers only; with
 * `--concurrent-recompilation-delay=1000` the other held memory in 2 of 20 runs. Hence it is asked whether the memory is gone.
 */
export function garbageCollector(): (bytes: number) => void {
  let collect: Collect | undefined;
  return (bytes) => {
    collect ??= exposedCollector();
    const most = process.memoryUsage().external - bytes;
    for (const until = performance.now() + TRY_FOR; ; ) {
      if (hasKnownNatives) withNatives(() => runInThisContext('%FinalizeOptimization()'));
      // What had been marked before it was let go stays until the second time; and V8 gives memory back on another thread, for which
      // its next collection, of whatever kind, waits.
      collect();
      collect();
      collect({ type: 'minor' });
      if (process.memoryUsage().external <= most || performance.now() >= until) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_EVERY);
    }
  };
}

type Collect = (options?: { readonly type: 'minor' }) => void;

function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
