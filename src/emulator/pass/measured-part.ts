import type { ModuleMap } from '../contexts/modules.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import type { TagsLedger, Window } from '../memory/tags-ledger.ts';
import type { Halt } from '../slices/halt.ts';
import type { PlacedCalls } from '../thread-calls.ts';

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
  /** Threads whose contexts are measured, by lane; depth 0 is each as a whole. Without it the lanes measure the first thread, and depth 0 is the run. */
  readonly placed?: readonly PlacedCalls[];
  /**
   * Of functions: groups of threads in which they are measured, a lane for each function in each group (default: the first thread). Of the threads of a group none
   * begins before the one before it has ended.
   */
  readonly threads?: readonly (readonly number[])[];
  /** Tags only: the calls that are followed, one after the other. `closed` hears of each, and may throw PassOver. */
  readonly windows?: { readonly calls: readonly Window[]; closed(tags: TagsLedger, call: number): void };
  readonly halt?: Halt;
}

/** The threads that are measured where none are named. */
export const FIRST: readonly number[] = [0];

/** Whether a thread's instructions count in what a lane measures (rule 9). */
export function countsInLane(part: MeasuredPart, index: number, lane: number): boolean {
  const { threads, firstDepth, placed } = part;
  if (placed !== undefined) {
    const own = placedOf(placed, index);
    return own !== undefined && lane >= own.firstLane && lane < own.firstLane + own.lanes;
  }
  if (threads !== undefined) return threads[Math.floor(lane / functionsIn(part))]?.includes(index) === true;
  // Depth 0 of no thread is the run.
  return index === 0 || (firstDepth ?? 1) + lane === 0;
}

const placedOf = (placed: readonly PlacedCalls[], index: number): PlacedCalls | undefined =>
  placed.find(({ threads }) => threads.includes(index));

const functionsIn = ({ named, entries }: Pick<MeasuredPart, 'named' | 'entries'>): number =>
  (entries ?? named).length;

/** Groups of threads in which so many functions are measured at once. */
export const groupsAtOnce = (part: Pick<MeasuredPart, 'named' | 'entries'>, lanes: number): number =>
  Math.floor(lanes / functionsIn(part));

/** The depth of a thread's contexts that lane 0 measures, as ContextPlan has it. */
export function firstDepthOf({ firstDepth, placed }: MeasuredPart, index: number): number | undefined {
  if (placed !== undefined) return placedOf(placed, index)?.firstDepth;
  return FIRST.includes(index) ? firstDepth : undefined;
}

/** The lane of a function that is measured wherever it is entered, as ContextPlan has it. */
export function laneOfFunction(
  part: MeasuredPart,
  modules: ModuleMap,
  entry: number,
  index: number,
): number | undefined {
  const { named, entries, threads = [FIRST], windows } = part;
  const lane = entries?.indexOf(entry) ?? named.findIndex((name) => modules.isNamed(entry, name));
  if (lane < 0) return undefined;
  // Whose call a window is for is known by when it begins; tags have one lane.
  if (windows !== undefined) return 0;
  const group = threads.findIndex((each) => each.includes(index));
  return group < 0 ? -1 : functionsIn(part) * group + lane;
}

/** In words; without lanes it is a chain that is followed. */
export function describePart(
  { named, entries, firstDepth, windows, halt, placed }: MeasuredPart,
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
  const bits = `${8 * laneBytes} bits a step`;
  if (placed !== undefined) return `${placed.map(describePlaced).join(', ')}, ${bits}`;
  if (entries !== undefined) return `calls of functions that share a name (${entries.length})`;
  if (firstDepth === undefined) return `calls of ${named.join(', ')}`;
  return `calls of depth ${firstDepth} to ${firstDepth + atOnce - 1}, ${bits}`;
}

function describePlaced({ threads, firstDepth, firstLane, lanes }: PlacedCalls): string {
  const who = threads.length === 1 ? `thread ${threads[0]}` : `threads ${threads.join(' ')}`;
  const from = firstDepth + firstLane;
  return from === 0 && lanes === 1 ? `${who} as a whole` : `${who} at depth ${from} to ${from + lanes - 1}`;
}
