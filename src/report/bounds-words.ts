import type { BoundName, CauseChange, LoopPair } from '../diff/diff.ts';
import type { LoopCause, LoopProfile } from '../profile/loops.ts';
import type { Escape } from './escape.ts';
import { printCount, printMove, printSignedCpl } from './numbers.ts';
import { nameLoop } from './view.ts';

type Gap = LoopCause['gap'];

export const GAPS: readonly Gap[] = ['A', 'C', 'S', 'P'];

/** What each step from one bound to the next is made of. */
export const GAP_WORDS: Readonly<Record<Gap, string>> = {
  A: 'the application: what it needs beside floating point at peak rate',
  C: 'the compiler: what it added to, or saved of, what the source asks for',
  S: 'the schedule: dependences, windows and ports that the order of the code runs into',
  P: 'the hardware: caches, branches and all else that is not modelled',
};

export const CLASS_WORDS = {
  'high-ilp': 'high ILP',
  'compute-chain': 'compute chain',
  'load-chain': 'chain of loads',
} as const;

/** The gap that costs most cycles, undefined where none costs any. */
export function largestGap({
  gaps,
}: LoopProfile): { readonly gap: Gap; readonly cycles: number } | undefined {
  let largest: { gap: Gap; cycles: number } | undefined;
  for (const gap of GAPS) {
    const cycles = gaps[gap];
    if (cycles !== undefined && cycles > (largest?.cycles ?? 0)) largest = { gap, cycles };
  }
  return largest;
}

/** What gives MACS, and beside it what would give MAC where that is another part of the machine. */
export function limitingUnit({ limits: { MAC, MACS } }: LoopProfile): string {
  return MAC === MACS ? MACS : `${MACS}, MAC: ${MAC}`;
}

/** What each kind of cause is called; one that is not here, as of a later version, by its name. */
export const CAUSE_PHRASES: Readonly<Record<string, string>> = {
  'latency-bound-recurrence': 'a latency-bound recurrence',
  'load-chain': 'a chain of loads',
  'loads-and-stores': 'loads and stores',
  'unfused-operations': 'operations that cannot be fused',
  division: 'divisions or square roots',
  'other-operations': 'operations beside addition and multiplication',
  'essential-work': 'all essential work together',
  'unoptimised-code': 'code that is not optimised',
  spill: 'a spill',
  call: 'a call that was not inlined',
  'missed-vectorisation': 'missed vectorisation',
  'narrow-vectors': 'narrow vectors',
  'uncombined-multiply-add': 'an uncombined multiply-add',
  'redundant-load': 'a redundant load',
  'reloaded-store': 'a store that is loaded again',
  'redundant-store': 'a redundant store',
  'redundant-instruction': 'a redundant instruction',
  'address-arithmetic': 'address arithmetic',
  'indexed-store': 'a store with an index',
  'partial-unrolling': 'partial unrolling',
  'code-alignment': 'the loop’s place in lines of code',
  'compiled-work': 'all compiled instructions together',
  'wider-vectors': 'vectors wider than expected',
  contraction: 'contraction of products and sums',
  reassociation: 'reassociation',
  'fewer-operations': 'fewer operations',
  'cheaper-instructions': 'cheaper instructions',
  'port-contention': 'port contention',
  window: 'windows that are too small',
  'front-end': 'the front end',
  'store-forwarding': 'store forwarding that fails',
  schedule: 'the schedule',
  'cache-misses': 'cache misses',
  'mispredicted-branches': 'mispredicted branches',
  'called-code': 'called code',
  'not-modelled': 'what is not modelled',
  'overlapping-runs': 'overlapping runs of the loop',
  'faster-than-model': 'a processor faster than its model',
};

/** `a spill`, `missed vectorisation`: what a kind of cause is called in a sentence. */
export function phraseOf(kind: string): string {
  return Object.hasOwn(CAUSE_PHRASES, kind) ? CAUSE_PHRASES[kind]! : kind.replaceAll('-', ' ');
}

/** `a spill in line 42`; with its file where that is not the loop's. */
export function nameCause(cause: LoopCause, loop: LoopProfile, safe: Escape): string {
  const phrase = safe.prose(phraseOf(cause.kind));
  if (cause.line === undefined) return phrase;
  if (cause.file === undefined || cause.file === loop.file) return `${phrase} in line ${cause.line}`;
  return `${phrase} at ${safe.name(`${cause.file}:${cause.line}`)}`;
}

/** `a spill in line 42 (1 → 2, +1.00 CPL)`: how many, and what they cost; `no longer ...` for what went. */
function describeCauseChange(change: CauseChange, { base, head }: LoopPair, safe: Escape): string {
  const cost = costOf(change);
  switch (change.kind) {
    case 'came':
      return `${nameCause(change.head, head, safe)}${inBrackets([cost])}`;
    case 'went':
      return `no longer ${nameCause(change.base, base, safe)}${inBrackets([cost])}`;
    case 'grew':
    case 'shrank': {
      const [before, after] = [change.base.count, change.head.count];
      const counted = before !== undefined && after !== undefined && before !== after;
      const words = change.kind === 'grew' ? 'more than before' : 'less than before';
      const counts = counted ? `${before} → ${after}` : words;
      return `${nameCause(change.head, head, safe)}${inBrackets([counts, cost])}`;
    }
  }
}

function inBrackets(parts: readonly string[]): string {
  const some = parts.filter((part) => part !== '');
  return some.length === 0 ? '' : ` (${some.join(', ')})`;
}

function costOf({ base, head }: CauseChange): string {
  if (base?.cycles === undefined && head?.cycles === undefined) return '';
  const delta = (head?.cycles ?? 0) - (base?.cycles ?? 0);
  return delta === 0 ? '' : `${printSignedCpl(delta)} CPL`;
}

/**
 * What stands behind a loop's gaps, the most expensive first, and for each negative gap why it is: `gap S +1.00: a spill
 * in line 42 (+1.00 CPL)`. Without a cause the gap stands alone where it is negative: then its reason is not known.
 */
export function gapLines(loop: LoopProfile, safe: Escape): string[] {
  return GAPS.flatMap((gap) => {
    const cycles = loop.gaps[gap];
    if (cycles === 0) return [];
    const all = causesOf(loop, gap);
    // One that costs nothing that shows is worth no line beside those that do.
    const costly = all.filter((cause) => Math.abs(cause.cycles ?? 1) >= 0.005);
    const causes = (costly.length > 0 || (cycles ?? 0) === 0 ? costly : all).slice(0, MOST_CAUSES);
    // Without a source there is no gap of the compiler, but what it did is seen.
    const title = cycles === undefined ? `gap ${gap}` : `gap ${gap} ${printSignedCpl(cycles)}`;
    if (causes.length === 0) return (cycles ?? 0) < 0 ? [`${title}: no reason was found`] : [];
    return causes.map((cause) => {
      const cost = cause.cycles === undefined ? '' : ` (${printSignedCpl(cause.cycles)} CPL)`;
      return `${title}: ${nameCause(cause, loop, safe)}${cost}.${adviceOf(cause, safe)}`;
    });
  });
}

const MOST_CAUSES = 4;

/** By what they cost, those that explain a negative gap first where it is one. */
export function causesOf(loop: LoopProfile, gap: Gap): LoopCause[] {
  const sign = (loop.gaps[gap] ?? 0) < 0 ? -1 : 1;
  return loop.causes
    .filter((cause) => cause.gap === gap)
    .sort((a, b) => sign * ((b.cycles ?? 0) - (a.cycles ?? 0)));
}

/** MACS first: it is nearest to what runs. */
const MOVED_FIRST: readonly BoundName[] = ['MACS', 'MAC', 'MA', 'M'];

/** `MACS 3.00 → 4.00 and MAC 2.00 → 3.00 CPL`; empty where no bound per iteration moved. */
function movedBounds(pair: LoopPair): string {
  const moves = MOVED_FIRST.filter((name) => pair.bounds.includes(name)).map((name) => {
    const [base, head] = [pair.base.bounds[name], pair.head.bounds[name]];
    const [before, after] = printMove('macs', base ?? 0, head ?? 0);
    return `${name} ${base === undefined ? 'unknown' : before} → ${head === undefined ? 'unknown' : after}`;
  });
  if (moves.length === 0) return '';
  return `${moves.length === 1 ? moves[0] : `${moves.slice(0, -1).join(', ')} and ${moves[moves.length - 1]}`} CPL`;
}

/** Whether the loop got worse: its schedule, else its instructions, else its whole time. */
function isWorse({ base, head }: LoopPair): boolean {
  const delta =
    head.bounds.MACS - base.bounds.MACS || head.bounds.MAC - base.bounds.MAC || head.runTime - base.runTime;
  return delta > 0;
}

const MOST_REASONS = 3;

/**
 * What came with a change of a loop's bounds, as phrases, the strongest first: causes that cost more where it got worse
 * and less where it got better; without such, what was compiled differently. Empty where the profiles do not tell.
 */
export function reasonsFor(pair: LoopPair, safe: Escape): string[] {
  const reasons = pair.bounds.length === 0 ? [] : reasonsOfBounds(pair, safe);
  const { base, head } = pair;
  if (base.iterations !== head.iterations)
    reasons.push(`${printCount(base.iterations)} → ${printCount(head.iterations)} iterations`);
  return reasons;
}

function reasonsOfBounds(pair: LoopPair, safe: Escape): string[] {
  const relevant = relevantChanges(pair);
  if (relevant.length > 0) {
    const more = relevant.length > MOST_REASONS ? ['and more'] : [];
    return [
      ...relevant.slice(0, MOST_REASONS).map((change) => describeCauseChange(change, pair, safe)),
      ...more,
    ];
  }
  const { base, head } = pair;
  const differences: string[] = [];
  if (base.unroll !== head.unroll) {
    const now = head.unroll === 1 ? 'not unrolled' : `unrolled ${head.unroll} times`;
    differences.push(`${now}, before ${base.unroll === 1 ? 'not' : `${base.unroll} times`}`);
  }
  const [before, after] = [base.compiled, head.compiled];
  for (const key of ['instructions', 'loads', 'stores', 'branches'] as const) {
    if (before[key] !== after[key]) differences.push(`${key} ${before[key]} → ${after[key]} an iteration`);
  }
  if (base.limits.MACS !== head.limits.MACS)
    differences.push(`limited by ${safe.prose(head.limits.MACS)}, before by ${safe.prose(base.limits.MACS)}`);
  return differences.slice(0, MOST_REASONS);
}

function relevantChanges(pair: LoopPair): CauseChange[] {
  const worse = isWorse(pair);
  const wanted = worse ? ['came', 'grew'] : ['went', 'shrank'];
  return pair.causes.filter((change) => wanted.includes(change.kind));
}

/** Why a loop's bounds got worse, in a few sentences, with what to try. */
export function describeLoopChange(pair: LoopPair, safe: Escape): string {
  const moved = movedBounds(pair);
  const reasons = reasonsFor(pair, safe);
  const [before, after] = printMove('run-time-bound', pair.base.runTime, pair.head.runTime);
  const what = moved === '' ? `run-time bound ${before} → ${after} cycles` : moved;
  const why = reasons.length === 0 ? 'the profiles hold no cause' : reasons.join('; ');
  const [main] = relevantChanges(pair);
  const advice =
    pair.bounds.length === 0 || main?.head === undefined || !isWorse(pair) ? '' : adviceOf(main.head, safe);
  return `${nameLoop(pair.head, safe.name)}: ${what}: ${why}.${advice}`;
}

/** A cause's own sentences, each ended by a full stop, with a blank before them. */
export function adviceOf({ text, advice }: LoopCause, safe: Escape): string {
  return [text, ...(advice === undefined ? [] : [advice])]
    .filter((sentence) => sentence.trim() !== '')
    .map((sentence) => ` ${safe.prose(sentence)}${/[.!?]$/.test(sentence) ? '' : '.'}`)
    .join('');
}
