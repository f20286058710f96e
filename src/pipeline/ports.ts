import type { SampledFile } from '../analysis/run/measured.ts';
import type { Failure } from '../base/failure.ts';
import type { ImageTools } from '../elf/ports.ts';
import type { EngineStatistics } from '../emulator/code/statistics.ts';
import type { HelpResult, HelpTask } from '../emulator/helpers.ts';
import type {
  CodeStore,
  CollectGarbage,
  HandlerLibrary,
  Hasher,
  HostPages,
  ReservedMemory,
} from '../emulator/ports.ts';
import type { Change, Disk, Input } from '../linux/ports.ts';
import type { ReadGrammar } from '../source/ports.ts';
import type { Measurement, MeasureProgress, MeasureRequest } from './request.ts';

export type { ReadGrammar };

/** What check, update and diff need of the outside. The host implements it; tests do it in memory. */
export interface GatePorts {
  readonly measureAll: MeasureAll;
  readonly files: TextFiles;
  /** Runs a shell command; throws Failure (`environment`, build-failed) unless it succeeds. */
  readonly build: (command: string, directory: string) => Promise<void>;
  /** Gives `work` a checkout of the merge base; throws Failure (`environment`) where there is none. */
  readonly atMergeBase: MergeBase;
  /** Hears how far the measurements are, as it happens: of several targets at a time, in any order. */
  readonly progress?: (state: TargetProgress) => void;
  /** A measurement of the target is over. */
  readonly finished?: (target: string) => void;
  /** Hears what was run, in the order of the configuration: each as soon as all before it are over. */
  readonly ran?: (target: string, what: RunKind) => void;
  /** Hears what the user should know of a target's measurement, one sentence each. */
  readonly note?: (target: string, text: string) => void;
}

/**
 * Measures programs, several at a time where the machine allows it. The results are in the order of the requests and the
 * same as if they had run one after another: one that fails has its Failure as its result and stops no other.
 */
export type MeasureAll = (
  requests: readonly MeasureRequest[],
  listener?: MeasureListener,
) => Promise<readonly (QuietMeasurement | Failure)[]>;

/** Measures one program, its output kept back. Throws Failure. */
export type MeasureQuietly = (
  request: MeasureRequest,
  progress?: (state: MeasureProgress) => void,
) => Promise<QuietMeasurement>;

export interface QuietMeasurement extends Measurement {
  /** The last lines of what the guest wrote, at most ten, to be shown when it fails. */
  readonly output: readonly string[];
}

/** `request` is a position in the list of requests. */
export interface MeasureListener {
  progress?(request: number, state: MeasureProgress): void;
  finished?(request: number): void;
}

/** The program at the base or at the head, or, in a further run, chains that the report needs. */
export type RunKind = 'base' | 'head' | 'chains';

/** Gives `work` the directory that corresponds to `directory` in a checkout of the merge base, removed afterwards. */
export type MergeBase = <T>(directory: string, work: (baseDirectory: string) => Promise<T>) => Promise<T>;

export interface TextFiles {
  /** Undefined when there is no such file; throws Failure (`environment`) when it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** All of the files or, as far as a file system allows, none: each is written beside its place and then renamed. */
  writeAll(files: readonly { readonly path: string; readonly text: string }[]): Promise<void>;
  /** Absolute path of `path` as seen from `directory`. */
  resolve(directory: string, path: string): string;
}

/** Text of a source file below a directory; undefined where there is none that can be read, or it lies elsewhere. */
export type ReadSource = (directory: string, file: string) => string | undefined;

/** What bounding the loops of a run needs of the host. */
export interface RunBoundsPorts {
  /** For a machine of the user's own. */
  readonly files: TextFiles;
  readonly readSource: ReadSource;
  readonly readGrammar: ReadGrammar;
  readonly imageTools: ImageTools;
  readonly sampleCycles: SampleCycles;
}

/**
 * Runs a program on the machine itself, several times, and samples where its cycles go. Throws Failure (`environment`):
 * no-hardware-counters, hardware-run-failed.
 */
export type SampleCycles = (program: HardwareProgram) => readonly HardwareRun[];

export interface HardwareProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: MeasureRequest['stdin'];
  readonly isa: MeasureRequest['isa'];
  /** Paths of the files whose code is asked for, the program first. */
  readonly modules: readonly string[];
  readonly runs: number;
}

export interface HardwareRun {
  /** Cycles of the program's process outside of the kernel. */
  readonly cycles: number;
  /** In the order of `modules`. */
  readonly modules: readonly FileSamples[];
}

/** Where in a file cycles were sampled. */
export type FileSamples = SampledFile;

/** Files of machine code. */
export interface CodeFiles {
  /** Undefined when there is no such file; throws Failure (`environment`) when it cannot be read. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  readonly imageTools: ImageTools;
}

export interface TargetProgress extends MeasureProgress {
  readonly target: string;
}

/** An input that keeps what was read of it. */
export interface KeptInput extends Input {
  kept(): Uint8Array;
  /** What there will be to read, where that is known before somebody reads it; else nothing. */
  ahead(): Uint8Array;
  /** Whether what was read may not be what it was then, since somebody wrote to a file. */
  hasChanged(): boolean;
}

/** What another process is asked: to run a request's program, with what was or will be read of its input, and to measure parts of the run. */
export interface HelpJob {
  readonly request: MeasureRequest;
  readonly input: Uint8Array;
  readonly task: HelpTask;
}

export interface HelpAnswer {
  readonly result: HelpResult;
  /** What was asked of the disk, and SHA-256 of each answer. */
  readonly disk: ReadonlyMap<string, string>;
}

/** Answers in this process. Calls `between` between slices. Throws Failure. */
export type Help = (job: HelpJob, between: () => void) => Promise<HelpAnswer>;

/** A process that was told what to measure. */
export interface HelperProcess {
  /** Undefined where it failed, for whatever reason. */
  readonly answer: Promise<HelpAnswer | undefined>;
  /** Ends it. */
  readonly end: () => void;
}

/** Processes that measure parts of a run. */
export interface HelperProcesses {
  /** How many at a time, if each process takes so many bytes or what processes usually do. */
  readonly most: (each?: number) => number;
  /** Bytes that this process has taken at most. */
  readonly taken: () => number;
  /** Instructions from which on they are worth asking, behind the first pass and ahead of it (emulator/helpers.ts). */
  readonly from: number;
  readonly fromAhead: number;
  /** Done when the other process has been told. */
  start(job: HelpJob): Promise<HelperProcess>;
  /** Ends all that were started. */
  close(): void;
}

/** What measuring needs of the host. */
export interface MeasurePorts {
  readonly disk: Disk;
  /** Opens what the request names as standard input; `close` when the measurement is over. */
  openInput(stdin: MeasureRequest['stdin']): { readonly input: KeptInput; close(): void };
  /** Carries out what the guest wrote below its working directory. */
  commit(changes: readonly Change[]): void;
  readonly imageTools: ImageTools;
  readonly hasher: Hasher;
  /** Code that was made when the tool was built. */
  readonly prepared?: HandlerLibrary;
  /** Memory for the first program that is measured. */
  readonly reserved?: ReservedMemory;
  readonly collectGarbage?: CollectGarbage;
  readonly hostPages?: HostPages;
  /** Where code of earlier measurements is found. */
  readonly codeStore?: CodeStore | undefined;
  /** Who can help with a long run. */
  readonly helpers?: (() => Promise<HelperProcesses>) | undefined;
  /** Version of this tool. */
  readonly version: string;
  /** Hears how the engine spent its effort, in words and as data. */
  readonly engineStats?: (report: string, statistics: EngineStatistics) => void;
  /** Milliseconds; for `engineStats`. */
  readonly clock: () => number;
  /** Called between slices, which have a few million instructions at most, for what the host has to look after. */
  readonly betweenSlices?: () => void;
}
