import type { Listing } from '../../../ksr/listing.ts';
import type { KsrLoop, KsrLoops } from '../../../ksr/loops.ts';
import type { Counted, Statistics } from '../../../ksr/statistics.ts';
import type { KsrMachine } from '../../../machines/schema.ts';
import { cyclesPerOperation, type KsrBound, type KsrCounts, ksrMAC, ksrMACS } from '../ksr1.ts';
import { addressesOf } from './addresses.ts';
import { type Body, bodyOf } from './body.ts';
import { dependenceOf } from './dependence.ts';
import { unrollOf } from './unroll.ts';

/** MAC and MACS of a compiled loop on the KSR1, in cycles per iteration of the source loop. */
export interface KsrLoopBounds {
  readonly unroll: number;
  /** Absent where nothing told. */
  readonly unrollFrom?: 'option' | 'operations' | 'addresses';
  /** Of floating point and its memory accesses, per iteration of the source loop. */
  readonly compiled: KsrCounts;
  /** t_f, t_m, t_i, t_d and MAC (4.10, 4.11). */
  readonly mac: KsrBound;
  /** What takes as long as MAC: a column, the register port that triads and stores share, or the recurrence. */
  readonly limit: 'FPU/IPU' | 'CEU/XIU' | 'FPU{C}' | 'recurrence';
  readonly macs: number;
  /** Cycles per floating-point operation (4.12, 4.14), of the compiled operations; absent where there are none. */
  readonly perOperation?: { readonly MAC: number; readonly MACS: number };
  readonly notes: readonly string[];
}

/** Recurrences are looked for in loops up to this length: they cost more than the square of it. */
const LONGEST = 4000;

/** `unrolls` are the user's degrees of unrolling, by label; `byOperations` those that a source tells, of the compiled loop's counts. */
export function ksrLoopBounds(
  loop: KsrLoop,
  listing: Listing,
  { counted }: KsrLoops,
  machine: KsrMachine,
  unrolls: (label: string) => number | undefined,
  byOperations: (label: string, compiled: KsrCounts) => number | undefined,
): KsrLoopBounds {
  const { statistics } = loop;
  const notes = notesOf(loop, counted.operations);
  // Only an innermost loop is one body that is repeated; a residue has loops in between.
  const short = statistics.length <= LONGEST;
  if (loop.innermost && !short)
    notes.push(`longer than ${LONGEST} pairs: recurrences and the degree of unrolling were not looked for`);
  const body: Body | undefined = loop.innermost && short ? bodyOf(loop, listing, counted) : undefined;
  const addresses = body === undefined ? undefined : addressesOf(body);
  const given = unrolls(loop.label);
  const found = addresses === undefined ? undefined : unrollOf(addresses, statistics);
  const told = byOperations(loop.label, perIteration(statistics, 1));
  const unroll = given ?? told ?? found ?? 1;
  const dependence =
    body === undefined || addresses === undefined
      ? 0
      : dependenceOf(body, addresses, statistics.length, machine.latency);
  const { x, y } = overheadOf(loop, body);
  const compiled = perIteration(statistics, unroll);
  const floatingPoint = statistics.fa + statistics.fm + statistics.fma + statistics.fmisc;
  const mac = ksrMAC(
    compiled,
    { x, y, k: unroll },
    (statistics.left - floatingPoint - x) / unroll,
    (statistics.right - statistics.lfl - statistics.sfl - y) / unroll,
    dependence / unroll,
  );
  const macs = ksrMACS(statistics.length, unroll);
  const [MAC, MACS] = [mac.cycles, macs].map((cycles) => cyclesPerOperation(cycles, compiled));
  return {
    unroll,
    ...(given !== undefined
      ? { unrollFrom: 'option' }
      : told !== undefined
        ? { unrollFrom: 'operations' }
        : found === undefined
          ? {}
          : { unrollFrom: 'addresses' }),
    compiled,
    mac,
    limit: limitOf(statistics, mac),
    macs,
    ...(MAC === undefined || MACS === undefined ? {} : { perOperation: { MAC, MACS } }),
    notes,
  };
}

const perIteration = ({ fa, fm, fma, fmisc, lfl, sfl }: Statistics, k: number): KsrCounts => ({
  fa: fa / k,
  fm: fm / k,
  fma: fma / k,
  fmisc: fmisc / k,
  loads: lfl / k,
  stores: sfl / k,
});

/** x and y of equation 4.10: index updates and comparisons; base registers' increments and the branch back. */
function overheadOf(loop: KsrLoop, body: Body | undefined): { readonly x: number; readonly y: number } {
  let x = 0;
  let y = loop.innermost ? 1 : 0;
  for (const { side, increment, operation, writes } of body?.steps ?? []) {
    const compares = operation.kind === 'integer' && writes.length === 0;
    if (side === 'left' && (compares || increment !== undefined)) x++;
    if (side === 'right' && increment !== undefined) y++;
  }
  return { x, y };
}

function limitOf({ left, right, fma, sfl }: Statistics, mac: KsrBound): KsrLoopBounds['limit'] {
  if (mac.limit === 'dependence') return 'recurrence';
  if (fma + sfl > Math.max(left, right)) return 'FPU{C}';
  return left > right ? 'FPU/IPU' : 'CEU/XIU';
}

function notesOf(loop: KsrLoop, operations: Counted['operations']): string[] {
  const notes: string[] = [];
  const { calls } = loop.statistics;
  if (calls > 0)
    notes.push(
      `${calls === 1 ? 'a call is' : `${calls} calls are`} in it, whose instructions are not counted`,
    );
  if (loop.exits.length > 0) notes.push(`it is left early by the branch on line ${loop.exits.join(', ')}`);
  if (loop.entries.length > 0)
    notes.push(`it is entered behind its label by the branch on line ${loop.entries.join(', ')}`);
  if (loop.missingSlots > 0)
    notes.push(`the listing ends in its delay slots, of which ${loop.missingSlots} could not be counted`);
  const conflicts = operations
    .slice(loop.begin, loop.end)
    .filter(({ left, right }) => left.kind === 'triad' && right.kind === 'store' && right.floatingPoint);
  if (conflicts.length > 0)
    notes.push(
      `${conflicts.length} of its pairs have a triad and a floating-point store, which both need FPU{C}: the KSR1 cannot issue them together, so that MAC can be above MACS`,
    );
  return notes;
}
