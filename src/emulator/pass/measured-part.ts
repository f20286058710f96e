import type { ModuleMap } from '../contexts/modules.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import type { TagsLedger, Window } from '../memory/tags-ledger.ts';
import type { Halt } from '../slices/halt.ts';

/** Which calls of a run a pass measures, in which threads. */
export interface MeasuredPart {
  /** The functions measured by name, by lane. */
  readonly named: readonly string[];
  /** Instead: functions by where they begin, by lane. */
  readonly entries?: readonly number[];
  /** Deepest context, and the depth that lane 0 measures; lane k measures k more. */
  readonly depth: number;
  readonly firstDepth: number | undefined;
  /** Of calls on several stacks: the layer that is measured (default: the first). */
  readonly layer?: number;
  /** Whether calls are listed one by one (default: yes). */
  readonly listsCalls?: boolean;
  /**
   * Indices of the threads whose contexts are measured, of which none begins before the one before it has ended. Depth 0 is then the
   * whole thread; without it the lanes measure the first thread, and depth 0 is the run.
   */
  readonly threads?: readonly number[];
  /** Indices of threads, one a lane: each is measured as a whole, and no call is. */
  readonly wholes?: readonly number[];
  /** Tags only: the calls that are followed, one after the other. `closed` hears of each, and may throw PassOver. */
  readonly windows?: { readonly calls: readonly Window[]; closed(tags: TagsLedger, call: number): void };
  readonly halt?: Halt;
}

/** The threads that are measured where none are named. */
export const FIRST: readonly number[] = [0];

/** Whether a thread's instructions count in what a lane measures (rule 9). */
export function countsInLane(
  { threads, firstDepth, wholes }: MeasuredPart,
  index: number,
  lane: number,
): boolean {
  if (wholes !== undefined) return index === wholes[lane];
  // Depth 0 of no thread is the run.
  return threads === undefined ? index === 0 || (firstDepth ?? 1) + lane === 0 : threads.includes(index);
}

/** The depth of a thread's contexts that lane 0 measures, as ContextPlan has it. */
export function firstDepthOf(
  { threads = FIRST, firstDepth, wholes }: MeasuredPart,
  index: number,
): number | undefined {
  if (wholes === undefined) return threads.includes(index) ? firstDepth : undefined;
  // Its depth 0 has the lane of its place.
  return wholes.includes(index) ? -wholes.indexOf(index) : undefined;
}

/** The lane of a function that is measured wherever it is entered, as ContextPlan has it. */
export function laneOfFunction(
  { named, entries, threads = FIRST, windows }: MeasuredPart,
  modules: ModuleMap,
  entry: number,
  index: number,
): number | undefined {
  const lane = entries?.indexOf(entry) ?? named.findIndex((name) => modules.isNamed(entry, name));
  if (lane < 0) return undefined;
  // Whose call a window is for is known by when it begins; tags have one lane.
  if (windows !== undefined) return 0;
  return threads.includes(index) ? lane : -1;
}

/** In words; without lanes it is a chain that is followed. */
export function describePart(
  { named, firstDepth, windows, halt, wholes }: MeasuredPart,
  lanes: LanesLedger | undefined,
): string {
  if (lanes === undefined) {
    const whole =
      windows === undefined
        ? 'the chain of the run'
        : windows.calls.length === 1
          ? `the chain of a call of ${named.join(', ')}`
          : `the chains of ${windows.calls.length} calls, of ${named.join(', ')}`;
    return halt === undefined ? whole : `${whole}: ${halt.purpose}`;
  }
  const { lanes: atOnce, laneBytes } = lanes.shape;
  if (wholes !== undefined) return `threads ${wholes.join(', ')} as wholes`;
  if (firstDepth === undefined) return `calls of ${named.join(', ')}`;
  return `calls of depth ${firstDepth} to ${firstDepth + atOnce - 1}, ${8 * laneBytes} bits a step`;
}
