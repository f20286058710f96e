import * as fc from 'fast-check';
import type { LoopCause, LoopProfile, RunBounds } from '../../src/profile/loops.ts';
import type { Profile } from '../../src/profile/profile.ts';

/** A plain inner loop; its gaps follow from its bounds unless they are given. */
export function loop(about: Partial<LoopProfile> = {}): LoopProfile {
  const bounds = about.bounds ?? { M: 0.5, MA: 1, MAC: 2, MACS: 3 };
  const { M, MA, MAC, MACS, measured } = bounds;
  return {
    function: 'kernel',
    file: 'kernel.c',
    line: 10,
    endLine: 12,
    address: 'p+0x1000',
    depth: 1,
    innermost: true,
    entries: 1,
    iterations: 1000,
    unroll: 1,
    compiled: { instructions: 6, fa: 1, fm: 0, fma: 0, fmisc: 0, loads: 1, stores: 0, branches: 1 },
    limits: { MAC: 'port 5', MACS: 'schedule' },
    gaps: {
      ...(M === undefined || MA === undefined ? {} : { A: rounded(MA - M) }),
      ...(MA === undefined ? {} : { C: rounded(MAC - MA) }),
      S: rounded(MACS - MAC),
      ...(measured === undefined ? {} : { P: rounded(measured - MACS) }),
    },
    runTime: rounded(MACS * (about.iterations ?? 1000)),
    share: 1,
    causes: [],
    notes: [],
    ...about,
    bounds,
  };
}

export function cause(about: Partial<LoopCause> = {}): LoopCause {
  return { gap: 'S', kind: 'spill', text: 'A value goes to the stack and back.', ...about };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;

/** A profile that holds these loops and little else. Their shares are taken from their run-time bounds. */
export function profileWith(
  loops: readonly LoopProfile[] | undefined,
  about: Partial<Profile> & { readonly run?: Partial<RunBounds> } = {},
): Profile {
  const { run, ...rest } = about;
  const runTime = rounded((loops ?? []).reduce((sum, each) => sum + each.runTime, 0) + 100);
  return {
    format: 'ilp-gate/profile',
    version: 1,
    command: ['./p'],
    total: { instructions: 1000, cycles: 500, ilp: 2 },
    functions: [{ name: 'main', calls: 1, instructions: 900, cycles: 450, ilp: 2 }],
    calls: [],
    chains: [],
    ...(loops === undefined
      ? {}
      : {
          loops: loops
            .map((each) => ({ ...each, share: rounded(each.runTime / runTime) }))
            .sort((a, b) => b.runTime - a.runTime),
          bounds: { machine: 'skylake', runTime, covered: 0.9, ...run },
        }),
    environment: {
      tool: '1',
      rules: 1,
      isa: 'x86-64',
      program: { name: 'p', sha256: '', loaded: '' },
      libraries: [],
      compilers: [],
    },
    ...rest,
  };
}

const count = fc.nat({ max: 1_000_000_000 });
const cycles = fc.nat({ max: 10_000_000 }).map((units) => units / 10_000);
const signed = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((units) => units / 10_000);
const optional = { requiredKeys: [] };
const both = <A extends object, B extends object>(must: fc.Arbitrary<A>, may: fc.Arbitrary<B>) =>
  fc.tuple(must, may).map(([a, b]) => ({ ...a, ...b }));

/** Any loop that the format can hold, with any text for its names. */
export const anyLoop = (text: fc.Arbitrary<string>): fc.Arbitrary<LoopProfile> => {
  const operations = { fa: cycles, fm: cycles, fma: cycles, fmisc: cycles, loads: cycles, stores: cycles };
  const integer = fc.record({ integer: cycles }, optional);
  return both(
    fc.record({
      function: text,
      address: text,
      depth: fc.integer({ min: 1, max: 9 }),
      innermost: fc.boolean(),
      entries: count,
      iterations: count,
      unroll: fc.constantFrom(1, 1.5, 2, 4, 8),
      compiled: both(fc.record({ ...operations, instructions: cycles, branches: cycles }), integer),
      bounds: both(
        fc.record({ MAC: cycles, MACS: cycles }),
        fc.record({ M: cycles, MA: cycles, measured: cycles }, optional),
      ),
      limits: both(fc.record({ MAC: text, MACS: text }), fc.record({ MA: text }, optional)),
      gaps: both(fc.record({ S: signed }), fc.record({ A: signed, C: signed, P: signed }, optional)),
      runTime: cycles,
      share: fc.nat({ max: 10_000 }).map((units) => units / 10_000),
      causes: fc.array(
        both(
          fc.record({ gap: fc.constantFrom('A', 'C', 'S', 'P'), kind: text, text }),
          fc.record({ count: cycles, cycles: signed, file: text, line: count, advice: text }, optional),
        ),
        { maxLength: 3 },
      ),
      notes: fc.array(text, { maxLength: 3 }),
    }),
    fc.record(
      {
        file: text,
        line: count,
        endLine: count,
        unrollFrom: fc.constantFrom('operations', 'counts'),
        class: fc.constantFrom('high-ilp', 'compute-chain', 'load-chain'),
        essential: both(fc.record(operations), integer),
      },
      optional,
    ),
  ) as fc.Arbitrary<LoopProfile>;
};
