import type { IsaLevel } from '../base/isa-level.ts';
import type { Limits } from '../gate/limits.ts';

/** `ilp-gate.yml`, checked and with its defaults filled in. Paths are as written: relative to the file's directory. */
export interface Config {
  /** A shell command that builds the targets; absent when there is nothing to build. */
  readonly build?: string;
  /** At least one; in the order of the file, which is the order in which they run. */
  readonly targets: readonly Target[];
  readonly limits: Limits;
  /** Deepest calls that are contexts: the run is 0, main 1; -1 is unbounded. */
  readonly depth: number;
  /** Whether processes that a target starts count, or run for what they do only. */
  readonly children: ChildrenPolicy;
  /** Most instructions that a target may execute. */
  readonly fuel?: number;
  readonly isa: IsaLevel;
  /** The machine that loops are bounded for, by name or as a file (it has a slash or ends in .json); absent: no bounds. */
  readonly machine?: string;
  /** The directory of the baselines, one `<target>.json` each. */
  readonly baseline: string;
  /** What a check compares with: the committed baseline, or the merge base built and measured in the same job. */
  readonly base: 'baseline' | 'merge-base';
}

/** What happens to processes that a program starts. */
export const CHILDREN_POLICIES = ['ignore', 'measure'] as const;
export type ChildrenPolicy = (typeof CHILDREN_POLICIES)[number];

export interface Target {
  /** Also the baseline's file name, so it is a safe one. */
  readonly name: string;
  /** The program and its arguments: argv as the guest sees it. */
  readonly command: readonly [string, ...string[]];
  /** Functions whose every outermost call is measured, wherever it happens. */
  readonly functions: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file; absent: the guest's stdin is empty. */
  readonly stdin?: string;
  /** Instead of the configuration's. */
  readonly children?: ChildrenPolicy;
  /** The exit status that counts as success. */
  readonly expectExit: number;
  readonly limits: Limits;
}

export const DEFAULT_CONFIG_FILE = 'ilp-gate.yml';
export const DEFAULT_BASELINE_DIRECTORY = '.ilp-gate';
export const DEFAULT_DEPTH = 3;
export const DEFAULT_CHILDREN: ChildrenPolicy = 'ignore';
export const DEFAULT_ISA: IsaLevel = 'x86-64-v3';
