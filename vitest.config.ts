import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the processor time that each takes, in descending order. */
const LONG = [
  'corpus/c.test.ts',
  'corpus/go.test.ts',
  'real/programs.test.ts',
  'corpus/cpp.test.ts',
  'determinism/profiles.test.ts',
  'corpus/rust.test.ts',
  'measure/control.test.ts',
  'lockstep/lockstep.test.ts',
  'guest/glibc.test.ts',
  'threads/shares.test.ts',
  'guest/musl.test.ts',
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

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
