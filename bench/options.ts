import { parseArgs } from 'node:util';
import { GROUPS, type Group } from './case.ts';

export const USAGE = `npm run bench -- [options]

  --kernels, --vectors, --languages, --programs, --startup
                                     only these groups (default: all)
  --only REGEX                       only cases whose names match
  --longer N                         so many times the work, in kernels and real programs: start-up counts for less
  --runs N                           rounds of every case (default: 5; 3 where a round takes 15 s, 1 from 2 minutes on)
  --limit SECONDS                    stop a run after this time and say so (default: 300)
  --first                            also run ilp-gate without what earlier runs have kept
  --contexts                         also run ilp-gate with one context, to compare with its four
  --chains                           also run ilp-gate with the longest chain of the run
  --unmeasured                       also run ilp-gate's engine without its measurement, to see what that costs
  --engine                           also tell how ilp-gate's engine spends its effort, from a run of its own
  --shares                           also tell what ilp-gate's main thread does, by V8's profiler, from a run of its own
  --json FILE                        write every sample there
`;

export interface Options {
  readonly groups: readonly Group[];
  readonly only: RegExp;
  readonly longer: number;
  readonly runs: number;
  readonly limit: number;
  readonly first: boolean;
  readonly contexts: boolean;
  readonly chains: boolean;
  readonly unmeasured: boolean;
  readonly engine: boolean;
  readonly shares: boolean;
  readonly json?: string;
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} must be a positive whole number, not ${text}`);
  return Number(text);
}

export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kernels: { type: 'boolean', default: false },
      vectors: { type: 'boolean', default: false },
      languages: { type: 'boolean', default: false },
      programs: { type: 'boolean', default: false },
      startup: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      longer: { type: 'string', default: '1' },
      runs: { type: 'string', default: '5' },
      limit: { type: 'string', default: '300' },
      first: { type: 'boolean', default: false },
      contexts: { type: 'boolean', default: false },
      chains: { type: 'boolean', default: false },
      unmeasured: { type: 'boolean', default: false },
      engine: { type: 'boolean', default: false },
      shares: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const chosen = GROUPS.filter((group) => values[group]);
  return {
    groups: chosen.length === 0 ? GROUPS : chosen,
    only: new RegExp(values.only),
    longer: positive('--longer', values.longer),
    runs: positive('--runs', values.runs),
    limit: positive('--limit', values.limit),
    first: values.first,
    contexts: values.contexts,
    chains: values.chains,
    unmeasured: values.unmeasured,
    engine: values.engine,
    shares: values.shares,
    ...(values.json !== undefined && { json: values.json }),
  };
}
