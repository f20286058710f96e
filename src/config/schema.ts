import * as z from 'zod/mini';
import { ISA_LEVELS } from '../base/isa-level.ts';
import { CHILDREN_POLICIES } from './config.ts';

/** The structure of `ilp-gate.yml`. What a limit or a command says inside is read afterwards (read.ts). */
const limitValue = z.union([z.string(), z.number()]);
const metrics = {
  instructions: z.exactOptional(limitValue),
  cycles: z.exactOptional(limitValue),
  ilp: z.exactOptional(limitValue),
  mac: z.exactOptional(limitValue),
  macs: z.exactOptional(limitValue),
  'run-time-bound': z.exactOptional(limitValue),
};
/** Of a whole run only. */
const parallelMetrics = {
  'parallel-bound': z.exactOptional(limitValue),
  'load-imbalance': z.exactOptional(limitValue),
  utilisation: z.exactOptional(limitValue),
};
const functionLimits = z.union([z.strictObject(metrics), z.literal('none')]);
const limits = z.strictObject({
  ...metrics,
  ...parallelMetrics,
  functions: z.exactOptional(z.record(z.string(), functionLimits)),
});

const target = z.strictObject({
  name: z.string(),
  command: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]),
  functions: z.exactOptional(z.array(z.string())),
  env: z.exactOptional(z.record(z.string(), z.union([z.string(), z.number()]))),
  stdin: z.exactOptional(z.string()),
  children: z.exactOptional(z.enum(CHILDREN_POLICIES)),
  'expect-exit': z.exactOptional(z.int().check(z.gte(0), z.lte(255))),
  limits: z.exactOptional(limits),
});

export const configShape = z.strictObject({
  build: z.exactOptional(z.string()),
  targets: z.array(target),
  limits: z.exactOptional(limits),
  depth: z.exactOptional(z.int().check(z.gte(-1))),
  fuel: z.exactOptional(z.int().check(z.gte(1))),
  children: z.exactOptional(z.enum(CHILDREN_POLICIES)),
  isa: z.exactOptional(z.enum(ISA_LEVELS)),
  machine: z.exactOptional(z.string().check(z.minLength(1))),
  baseline: z.exactOptional(z.string()),
  base: z.exactOptional(z.enum(['baseline', 'merge-base'])),
});

const METRIC_KEYS = Object.keys(metrics);
const LIMIT_KEYS = [...METRIC_KEYS, ...Object.keys(parallelMetrics), 'functions'];

/** The keys that may stand at a path, and what that place is called: for the message about an unknown one. */
export function knownKeys(path: readonly (string | number)[]): {
  readonly place: string;
  readonly keys: readonly string[];
} {
  if (path.length === 0) return { place: 'the configuration', keys: Object.keys(configShape.shape) };
  const inTarget = path[0] === 'targets';
  const rest = inTarget ? path.slice(2) : path;
  if (rest[0] === 'limits') {
    return rest[1] === 'functions'
      ? { place: "a function's entry", keys: METRIC_KEYS }
      : { place: 'limits', keys: LIMIT_KEYS };
  }
  return { place: 'a target', keys: Object.keys(target.shape) };
}
