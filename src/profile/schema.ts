import * as z from 'zod/mini';
import { PROFILE_FORMAT, PROFILE_VERSION } from './profile.ts';

/**
 * What a stored profile must be, key by key. zod's mini build: the whole one is forty times as large in a bundle.
 * The call tree is as deep as the guest's recursion, so it is checked node by node (see codec.ts), never by recursion.
 */
const count = z.int().check(z.gte(0));
const ratio = z.number().check(z.gte(0));

const totals = { instructions: count, cycles: count, ilp: ratio };

/** Below what is exact in integers, so that limits can be computed exactly, too. */
const amount = z.number().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
const gap = z.number().check(z.gte(-Number.MAX_SAFE_INTEGER), z.lte(Number.MAX_SAFE_INTEGER));
const operations = {
  fa: amount,
  fm: amount,
  fma: amount,
  fmisc: amount,
  loads: amount,
  stores: amount,
  integer: z.exactOptional(amount),
};

const loop = z.strictObject({
  function: z.string(),
  file: z.exactOptional(z.string()),
  line: z.exactOptional(count),
  endLine: z.exactOptional(count),
  address: z.string(),
  depth: count,
  innermost: z.boolean(),
  entries: count,
  iterations: count,
  unroll: amount,
  unrollFrom: z.exactOptional(z.enum(['operations', 'counts', 'code'])),
  class: z.exactOptional(z.enum(['high-ilp', 'compute-chain', 'load-chain'])),
  essential: z.exactOptional(z.strictObject(operations)),
  compiled: z.strictObject({ ...operations, instructions: amount, branches: amount }),
  bounds: z.strictObject({
    M: z.exactOptional(amount),
    MA: z.exactOptional(amount),
    MAC: amount,
    MACS: amount,
    measured: z.exactOptional(amount),
  }),
  limits: z.strictObject({ MA: z.exactOptional(z.string()), MAC: z.string(), MACS: z.string() }),
  gaps: z.strictObject({
    A: z.exactOptional(gap),
    C: z.exactOptional(gap),
    S: gap,
    P: z.exactOptional(gap),
  }),
  runTime: amount,
  share: amount,
  causes: z.array(
    z.strictObject({
      gap: z.enum(['A', 'C', 'S', 'P']),
      kind: z.string(),
      count: z.exactOptional(amount),
      cycles: z.exactOptional(gap),
      file: z.exactOptional(z.string()),
      line: z.exactOptional(count),
      text: z.string(),
      advice: z.exactOptional(z.string()),
    }),
  ),
  notes: z.array(z.string()),
});

const moduleFingerprint = z.strictObject({
  name: z.string(),
  buildId: z.exactOptional(z.string()),
  sha256: z.string(),
  loaded: z.string(),
});

const parallel = z.strictObject({
  threads: count,
  sequential: amount,
  balanced: amount,
  runTime: amount,
  imbalance: amount,
  utilisation: amount,
  speedUp: amount,
  waiting: amount,
  regions: z.array(
    z.strictObject({
      function: z.exactOptional(z.string()),
      forker: count,
      within: z.exactOptional(count),
      part: z.exactOptional(count),
      times: count,
      balanced: amount,
      runTime: amount,
      imbalance: amount,
      threads: z.array(z.strictObject({ index: count, runTime: amount })),
    }),
  ),
  loops: z.array(
    z.strictObject({
      address: z.string(),
      threads: count,
      balanced: amount,
      runTime: amount,
      imbalance: amount,
    }),
  ),
});

export const profileShape = z.strictObject({
  format: z.literal(PROFILE_FORMAT),
  version: z.literal(PROFILE_VERSION),
  target: z.exactOptional(z.string()),
  command: z.array(z.string()),
  total: z.strictObject(totals),
  processes: z.exactOptional(
    z.array(
      z.strictObject({
        program: z.string(),
        process: count,
        parent: count,
        instructions: count,
        cycles: count,
      }),
    ),
  ),
  threads: z.exactOptional(
    z.array(
      z.strictObject({
        index: count,
        function: z.exactOptional(z.string()),
        instructions: count,
        cycles: z.exactOptional(count),
        ilp: z.exactOptional(totals.ilp),
      }),
    ),
  ),
  functions: z.array(
    z.strictObject({
      name: z.string(),
      file: z.exactOptional(z.string()),
      line: z.exactOptional(count),
      calls: count,
      ...totals,
    }),
  ),
  calls: z.array(z.unknown()),
  chains: z.array(
    z.strictObject({
      function: z.exactOptional(z.string()),
      call: z.exactOptional(count),
      length: count,
      links: z.array(
        z.strictObject({
          address: z.string(),
          instruction: z.string(),
          function: z.exactOptional(z.string()),
          file: z.exactOptional(z.string()),
          line: z.exactOptional(count),
          inlined: z.exactOptional(
            z.array(
              z.strictObject({
                function: z.exactOptional(z.string()),
                file: z.exactOptional(z.string()),
                line: z.exactOptional(count),
              }),
            ),
          ),
          count,
          share: ratio,
        }),
      ),
      rest: z.exactOptional(
        z.array(
          z.strictObject({
            module: z.string(),
            function: z.exactOptional(z.string()),
            links: count,
            count,
          }),
        ),
      ),
    }),
  ),
  loops: z.exactOptional(z.array(loop)),
  bounds: z.exactOptional(
    z.strictObject({
      machine: z.string(),
      runTime: amount,
      covered: amount,
      measured: z.exactOptional(amount),
      parallel: z.exactOptional(parallel),
      rest: z.exactOptional(z.strictObject({ loops: count, runTime: amount })),
    }),
  ),
  environment: z.strictObject({
    tool: z.string(),
    rules: count,
    isa: z.string(),
    program: moduleFingerprint,
    libraries: z.array(moduleFingerprint),
    children: z.exactOptional(z.literal('measure')),
    others: z.exactOptional(z.array(moduleFingerprint)),
    compilers: z.array(z.string()),
  }),
});

/** One node of the call tree; its `calls` are checked as nodes of their own. */
export const callShape = z.strictObject({
  function: z.string(),
  depth: count,
  index: count,
  ...totals,
  aggregated: z.exactOptional(count),
  calls: z.array(z.unknown()),
});
