import type {
  CodeFiles,
  GatePorts,
  MeasureAll,
  MeasurePorts,
  ReadGrammar,
  ReadSource,
} from '../pipeline/ports.ts';
import type { Measure } from '../pipeline/request.ts';
import type { Paint } from '../report/ports.ts';

/** Everything outside that the command line touches. */
export interface CliPorts extends Omit<GatePorts, 'measureAll' | 'progress' | 'finished' | 'ran' | 'note'> {
  readonly measure: (options: MeasureOptions) => Measure;
  /** At most `jobs` programs at a time; absent: as many as the machine has cores and memory for. */
  readonly measureAll: (jobs: number | undefined) => MeasureAll;
  readonly readGrammar: ReadGrammar;
  readonly readSource: ReadSource;
  readonly code: CodeFiles;
  readonly terminal: Terminal;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Of this tool, as `--version` prints it. */
  readonly version: string;
}

export interface MeasureOptions {
  /** Hears how the engine spent its time, for people who work on it; absent: nothing is collected. */
  readonly engineStats?: NonNullable<MeasurePorts['engineStats']>;
}

export interface Terminal {
  /** A reader that went away is not an error: what is written then is lost, and the exit status stays what it is. */
  stdout(data: string | Uint8Array): void;
  stderr(data: string | Uint8Array): void;
  readonly stdoutPaint: Paint;
  readonly stderrPaint: Paint;
  /** Whether somebody watches stderr, and how wide it is. */
  readonly watched: boolean;
  readonly width: number;
}
