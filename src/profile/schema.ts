import * as z from 'zod/mini';
import { PROFILE_FORMAT, PROFILE_VERSION } from './profile.ts';

/**
 * What a stored profile must be, key by key. zod's mini build: the whole one is forty times as large in a bundle.
 * The call tree is as deep as the guest's recursion, so it is checked node by node (see codec.ts), never by recursion.
 */
const count = z.int().check(z.gte(0));
const ratio = z.number().check(z.gte(0));

const totals = { instructions: count, cycles: count, ilp: ratio };

const moduleFingerprint = z.strictObject({
  name: z.string(),
  buildId: z.exactOptional(z.string()),
  sha256: z.string(),
  loaded: z.string(),
});

export const profileShape = z.strictObject({
  format: z.literal(PROFILE_FORMAT),
  version: z.literal(PROFILE_VERSION),
  target: z.exactOptional(z.string()),
  command: z.array(z.string()),
  total: z.strictObject(totals),
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
  environment: z.strictObject({
    tool: z.string(),
    rules: count,
    isa: z.string(),
    program: moduleFingerprint,
    libraries: z.array(moduleFingerprint),
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
