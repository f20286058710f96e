import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the processor time that each takes, in descending order. */
const LONG = [
  'real/programs.test.ts',
  'corpus/c.test.ts',
  'corpus/cpp.test.ts',
  'determinism/profiles.test.ts',
  'corpus/go.test.ts',
  'corpus/rust.test.ts',
  'measure/far.test.ts',
  'run-bounds/parallel.test.ts',
  'executions/traces.test.ts',
  'measure/compiled.test.ts',
  'acceptance/side-by-side.test.ts',
  'measure/control.test.ts',
  'lockstep/lockstep.test.ts',
  'threads/shares.test.ts',
].map((file) => `/test/${file}`);

/** Long files first: one that begins last leaves the other processor idle. A fresh clone knows no durations. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((file) => moduleId.endsWith(file));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Sources are compiled once for all files, not once for each.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    // Node itself loads the sources. Vite's way of loading makes a call of each mention of what is imported, which the
    // emulator feels: a fifth of its time.
    experimental: { viteModuleRunner: false },
    // Memories and modules come and go with every run. Each memory is 4 GiB to V8, which collected before each run, or marked beside it all the
    // time: half of the processor time of tests of many small programs (random-assembly: 34 s, now 18). Where what lies outside V8's heap counts
    // as part of it, it collects after about fourteen memories, and of what they touched no more stays than before (scale: 3.9 GB for both processes).
    execArgv: [
      '--min-semi-space-size=16',
      '--max-old-space-size=250000',
      '--external-memory-accounted-in-global-limit',
    ],
    setupFiles: ['test/usual-limits.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Whole programs: their memories come and go with the process of a file.
      { extends: true, test: { name: 'programs', include: ['test/**/*.test.ts'] } },
      // Many small files, which share what they import: a third of their processor time.
      {
        extends: true,
        test: { name: 'parts', include: ['src/**/*.test.ts', 'bench/**/*.test.ts'], isolate: false },
      },
    ],
  },
});
