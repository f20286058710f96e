import type { Image } from '../elf/image.ts';
import type { Executions, Observation } from '../observation/observation.ts';
import type { ThreadShares } from '../observation/shares.ts';
import type { LoopTrace, TraceRequest } from '../observation/trace.ts';
import type { Profile } from '../profile/profile.ts';
import type { MeasureRequest } from './request.ts';

/** A run whose executions were counted, and that can be sampled. */
export interface CountedRun {
  readonly observation: Observation & { readonly executions: Executions };
  /** Of the observation's modules, in their order. */
  readonly images: readonly Image[];
  readonly request: MeasureRequest;
  /** Runs the program once more, without its output, and records what loops access: in the order of the requests. */
  readonly trace: (requests: readonly TraceRequest[]) => readonly LoopTrace[];
  /** Runs the program again and counts for each thread; undefined where it has one thread only, or too many to tell apart. */
  readonly divide: (() => ThreadShares) | undefined;
  /** Tells the user something of the measurement, in one sentence. */
  readonly note: (text: string) => void;
}

/** What is made of the counts, as a part of the profile. Asked where a request says `bounds` and the program has not died by a signal. */
export type AnalyseLoops = (run: CountedRun) => Promise<Pick<Profile, 'loops' | 'bounds'>>;
