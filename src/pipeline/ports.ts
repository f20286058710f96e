import type { Inflate } from '../elf/ports.ts';
import type { Hasher } from '../emulator/ports.ts';
import type { Change, Disk, Input } from '../linux/ports.ts';
import type { Measure, MeasureProgress, MeasureRequest } from './request.ts';

/** What check, update and diff need of the outside. The host implements it; tests do it in memory. */
export interface GatePorts {
  readonly measure: Measure;
  readonly files: TextFiles;
  /** Runs a shell command; throws Failure (`environment`, build-failed) unless it succeeds. */
  readonly build: (command: string, directory: string) => Promise<void>;
  /** Gives `work` a checkout of the merge base; throws Failure (`environment`) where there is none. */
  readonly atMergeBase: MergeBase;
  /** Hears which target is being measured and how far it is. */
  readonly progress?: (state: TargetProgress) => void;
  /** Hears what the user should know of a target's measurement, one sentence each. */
  readonly note?: (target: string, text: string) => void;
}

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

export interface TargetProgress extends MeasureProgress {
  readonly target: string;
}

/** What measuring needs of the host. */
export interface MeasurePorts {
  readonly disk: Disk;
  /** Opens what the request names as standard input; `close` when the measurement is over. */
  openInput(stdin: MeasureRequest['stdin']): { readonly input: Input; close(): void };
  /** Carries out what the guest wrote below its working directory. */
  commit(changes: readonly Change[]): void;
  readonly inflate: Inflate;
  readonly hasher: Hasher;
  /** Version of this tool. */
  readonly version: string;
  /** Hears how the engine spent its effort. */
  readonly engineStats?: (report: string) => void;
}
