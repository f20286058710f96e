import type { CodeRange, LoopTrace, TraceRequest } from '../../observation/trace.ts';
import type { LoopMemoryDependence } from '../loops/bounds.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import { memoryDependences } from '../macs/memory-dependences.ts';
import type { LoopRun } from './loop-run.ts';

/** Samples of a loop, iterations of each, and instructions of each with what is called: two or three million in all. */
const SAMPLES = 3;
const ITERATIONS = 32;
const INSTRUCTIONS = 6000;
/** A dependence that fewer of a load's executions have is not what a steady state waits for. */
const USUAL = 0.5;

/** Whether its own code can pass anything through memory. */
export function mayPassThroughMemory({ blocks }: MachineLoop): boolean {
  const all = blocks.flatMap(({ instructions }) => instructions);
  return all.some(({ loads }) => loads.length > 0) && all.some(({ stores }) => stores.length > 0);
}

/** Which iterations of an innermost loop to look at: some at the beginning, in the middle and towards the end of the run. */
export function sampleRequest(loop: MachineLoop, { headers }: LoopRun, base: number): TraceRequest {
  const body: CodeRange[] = [];
  for (const { start, end } of loop.blocks) {
    const last = body.at(-1);
    if (last !== undefined && last.end === start + base) body[body.length - 1] = { ...last, end: end + base };
    else body.push({ start: start + base, end: end + base });
  }
  const spread = Array.from({ length: SAMPLES }, (_, i) =>
    Math.floor((headers * (2 * i + 1)) / (2 * SAMPLES)),
  );
  return {
    header: loop.address + base,
    body,
    occurrences: headers <= SAMPLES * ITERATIONS ? [0, ...multiples(headers)] : spread,
    iterations: ITERATIONS,
    instructions: INSTRUCTIONS,
  };
}

/** Of a loop with few iterations all are seen. */
function multiples(headers: number): readonly number[] {
  return [1, 2].map((i) => i * ITERATIONS).filter((each) => each < headers);
}

/** Dependences through memory as the run had them, by addresses of the image; undefined where too little was seen. */
export function sampledMemory(trace: LoopTrace, base: number): readonly LoopMemoryDependence[] | undefined {
  const iterations = trace.samples.reduce((sum, { iterations: some }) => sum + some.length, 0);
  if (iterations === 0) return undefined;
  return memoryDependences(trace, USUAL).map(({ store, load, distance, share }) => ({
    store: store - base,
    load: load - base,
    distance,
    share,
  }));
}
