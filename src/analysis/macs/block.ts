import type { Machine } from '../../machines/machine.ts';
import type { BlockInstruction } from '../../x86/block.ts';
import type { StartingValues } from './addresses.ts';
import { bodyOf } from './body.ts';
import { dependencesOf } from './dataflow.ts';
import { type Bottleneck, type Fetching, type Mac, macOf } from './mac.ts';
import { scheduleOf } from './schedule.ts';

/** The bounds of a loop body or a repeated block, in cycles per repetition. */
export interface BlockBounds {
  readonly mac: Mac;
  readonly macs: number;
  /** Whether MACS is that of a period that repeats, rather than a mean. */
  readonly exact: boolean;
  /** What MAC says, or `schedule` where the schedule takes notably longer. */
  readonly bottleneck: Bottleneck;
  readonly unknown: readonly string[];
}

/** A schedule that takes so much longer than the largest bound is itself what limits. */
const NOTABLY = 1.1;

export function blockBounds(
  instructions: readonly BlockInstruction[],
  machine: Machine,
  fetching: Fetching,
  start: StartingValues,
): BlockBounds {
  const body = bodyOf(instructions, machine);
  const dependences = dependencesOf(body, machine, start);
  const mac = macOf(body, dependences, machine, fetching);
  const schedule = scheduleOf(body, dependences, machine, fetching, mac.cycles);
  // A mean over finitely many repetitions can be below MAC by what windows hold at its ends; the schedule itself cannot.
  const cycles = Math.max(schedule.cycles, mac.cycles);
  const bottleneck = cycles > mac.cycles * NOTABLY ? 'schedule' : mac.bottleneck;
  return { mac, macs: cycles, exact: schedule.exact, bottleneck, unknown: body.unknown };
}
