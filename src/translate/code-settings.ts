import type { CodeReader } from '../x86/decode.ts';
import type { LevelWatch } from '../x86/required-level.ts';
import type { CodeEvents } from './code-events.ts';
import type { CodePlaces } from './code-places.ts';
import type { Probes } from './counts/probes.ts';
import type { Tally } from './counts/tally.ts';
import type { TraceLog } from './counts/trace-log.ts';
import type { Instruments } from './instruments.ts';
import type { EngineLimits } from './limits.ts';
import type { Measure } from './steps/measure.ts';

/** What the code of both tiers is made for. */
export interface CodeSettings {
  readonly code: CodeReader;
  readonly places: CodePlaces;
  readonly measure: Measure;
  readonly events: CodeEvents;
  /** A jump into a linkage stub or to another function's entry (rule 9). */
  readonly entersFunction: (from: number, target: number) => boolean;
  /** Entering there opens a context wherever it happens. */
  readonly isHooked: (address: number) => boolean;
  /** A page holds translated code from now on. */
  readonly onCode: (page: number) => void;
  /** Top of the x87 stack in the state. */
  readonly fpuTop: () => number;
  readonly limits: EngineLimits;
  /** Control bits of MXCSR that the code is valid for, and which of the CODE_CACHES this is. */
  readonly mxcsr: number;
  readonly index: number;
  /** Whether stores of the guest can change the code in an address's page, as it is mapped now. */
  readonly isVolatile: (address: number) => boolean;
  /** Whether the instruction at an address is executed by itself, with all state in memory: it may fault. */
  readonly isPrecise: (address: number) => boolean;
  readonly instruments: Instruments;
  /** Counts executions, when somebody asks. */
  readonly tally?: Tally;
  /** Where control is to stop. */
  readonly probes?: Probes;
  /** Whoever logs what is executed wants it interpreted (see EngineLimits.hotEntries). */
  readonly log?: TraceLog;
  /** Hears of the instructions' levels. */
  readonly levels?: LevelWatch;
}
