import type { IsaLevel } from '../base/isa-level.ts';
import type { GuestExit } from '../observation/observation.ts';
import type { Profile } from '../profile/profile.ts';

/** One program to run and measure: everything that may influence a number is in here. */
export interface MeasureRequest {
  /** As the user wrote it: argv[0]. Looked up on PATH when it has no slash. */
  readonly program: string;
  readonly args: readonly string[];
  /** Host directory the guest starts in. */
  readonly workingDirectory: string;
  /** What the configuration or --env names; PATH and LC_ALL=C are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Host path of a file for stdin, 'inherit' for our own stdin, 'empty' for none. */
  readonly stdin:
    | { readonly kind: 'inherit' }
    | { readonly kind: 'empty' }
    | { readonly kind: 'file'; readonly path: string };
  readonly isa: IsaLevel;
  /** Deepest calls that are contexts: the run is 0, main 1; -1 is unbounded. */
  readonly depth: number;
  /** Functions whose every outermost call is a context, wherever it happens. */
  readonly functions: readonly string[];
  /** Whether the profile lists calls one by one (`calls`), which may be a million; else it has the sums of functions alone. */
  readonly listsCalls: boolean;
  /** Whose longest chain to report: RUN_CHAIN or a function's name. */
  readonly chains: readonly string[];
  /** A chain that cannot be followed fails the measurement; else it is absent and a note says so. */
  readonly insistsOnChains?: boolean;
  /** Loops are bounded: executions are counted for it, and the program is run once more to see what they access. */
  readonly bounds?: BoundsRequest;
  /** Whether processes that the program starts count; else they run for what they do only. */
  readonly measuresChildren?: boolean;
  /** Most instructions the guest may execute. */
  readonly fuel?: number;
  /** Whether the guest's writes below the working directory reach the host's disk afterwards. */
  readonly writes: 'discard' | 'keep';
  /** Source paths in the profile are relative to this host directory. */
  readonly sourceRoot: string;
  /** Name of the target in the configuration, when there is one. */
  readonly target?: string;
}

export interface BoundsRequest {
  /** A machine by name, or a file of the user's own, relative to the working directory. */
  readonly machine: string;
  /** What M and MA may use, whatever the program is compiled for. */
  readonly isa: IsaLevel;
  /** Whose loops are bounded however little they do. */
  readonly functions: readonly string[];
  /** How often the program is run on the machine itself, to see what its loops take there; absent: not at all. */
  readonly hardwareRuns?: number;
}

export interface Measurement {
  readonly exit: GuestExit;
  /** Absent when the guest died by a signal: a failed run writes no profile. */
  readonly profile?: Profile;
  /** Of the functions that were asked for by name, those that were not called; with the profile. */
  readonly uncalled?: readonly string[];
  /** What the user should know of it: one sentence each. */
  readonly notes: readonly string[];
}

/** Where the guest's output goes, and who hears of progress. */
export interface MeasureSinks {
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  /** Called a few times a second at most by instruction count, never by clock. */
  progress?(state: MeasureProgress): void;
}

export interface MeasureProgress {
  readonly phase: 'counting' | 'functions' | 'chains' | 'loops' | 'threads';
  /** Of how many passes over the program this is which, from 1. */
  readonly pass: number;
  readonly passes: number;
  readonly instructions: number;
}

/** Runs the guest once or several times (the run is deterministic) and measures it. Throws Failure. */
export type Measure = (request: MeasureRequest, sinks: MeasureSinks) => Promise<Measurement>;
