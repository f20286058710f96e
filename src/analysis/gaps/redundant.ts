import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import { isGeneral, type Location, STACK_POINTER } from '../../x86/locations.ts';
import { type Context, shows } from './context.ts';
import { DefUse } from './def-use.ts';
import { isUnoptimised } from './stack.ts';
import type { Part } from './what-if.ts';
import { numbered } from './words.ts';

/** Copies, shuffles and conversions that the source does not ask for, and what is computed more than once. */
export function redundantCauses(context: Context): readonly LoopCause[] {
  const { paths, roles } = context;
  const found: Record<Redundancy, Map<number, CodeInstruction>> = {
    copies: new Map(),
    shuffles: new Map(),
    repeated: new Map(),
    invariant: new Map(),
    conversions: new Map(),
  };
  for (const { instructions } of paths) {
    for (const each of instructions) {
      const { address, work, loads, stores, flow } = each;
      if (flow !== 'next' || loads.length + stores.length > 0) continue;
      if (work.kind === 'move' && each.move !== undefined && roles.get(address) === 'own')
        found.copies.set(address, each);
      if (work.kind === 'shuffle') found.shuffles.set(address, each);
    }
    for (const each of instructions) if (isConversion(each)) found.conversions.set(each.address, each);
    for (const each of repeatedIn(instructions)) found.repeated.set(each.address, each);
    for (const each of invariantIn(instructions, context)) found.invariant.set(each.address, each);
  }
  const asked = context.source?.demand.steps.filter(({ op, counts }) => counts && op === 'convert').length;
  // Without a source nobody knows how many there should be.
  const converted = found.conversions.size / context.unroll;
  if (asked === undefined || converted <= asked) found.conversions.clear();
  return (Object.keys(found) as Redundancy[]).flatMap((which) =>
    causeOf(context, which, [...found[which].values()]),
  );
}

type Redundancy = 'copies' | 'shuffles' | 'repeated' | 'invariant' | 'conversions';

const WORDS: Readonly<Record<Redundancy, readonly [one: string, more: string, advice: string]>> = {
  copies: [
    'instruction only copies a register',
    'instructions only copy registers',
    'Build with AVX (-march=x86-64-v3), whose instructions do not overwrite their source, or simplify the loop',
  ],
  shuffles: [
    'instruction only moves elements within vectors',
    'instructions only move elements within vectors',
    'Lay the data out so that neighbouring elements are used alike (a structure of arrays)',
  ],
  repeated: [
    'instruction computes what another has computed from the same values',
    'instructions compute what others have computed from the same values',
    'Compute it once into a local variable',
  ],
  invariant: [
    'instruction computes the same in every iteration',
    'instructions compute the same in every iteration',
    'Compute it before the loop, into a local variable',
  ],
  conversions: [
    'instruction converts between types beyond those that the source asks for',
    'instructions convert between types beyond those that the source asks for',
    'Use one type throughout: 2.0f instead of 2.0 with float, double instead of int where it is converted',
  ],
};

function causeOf(context: Context, which: Redundancy, all: readonly CodeInstruction[]): readonly LoopCause[] {
  if (all.length === 0 || isUnoptimised(context)) return [];
  const [one, more, advice] = WORDS[which];
  const without = new Map(
    all.map(({ address, loads }): [number, Part] => [address, loads.length > 0 ? 'compute' : 'whole']),
  );
  const cycles = context.saves({ without });
  if (!shows(cycles)) return [];
  const at = all.map(({ address }) => address);
  return [
    context.cause('C', 'redundant-instruction', {
      text: numbered(all.length, one, more),
      advice,
      at,
      cycles,
    }),
  ];
}

const isConversion = ({ mnemonic }: CodeInstruction): boolean => /^v?cvt/.test(mnemonic);

const isArithmetic = ({ work }: CodeInstruction): boolean =>
  ['fa', 'fm', 'fma', 'fmisc', 'integer'].includes(work.kind);

/** All that they read is written by nobody in the loop. */
function invariantIn(
  instructions: readonly CodeInstruction[],
  { roles }: Context,
): readonly CodeInstruction[] {
  const flow = new DefUse(instructions);
  return instructions.filter(
    (each) =>
      isArithmetic(each) &&
      roles.get(each.address) === 'own' &&
      each.loads.length + each.stores.length === 0 &&
      !each.sameSources &&
      each.writes.some((location) => location < 48) &&
      each.reads.length > 0 &&
      each.reads.every((location) => !flow.isWritten(location)),
  );
}

/** By numbering values: equal operations on equal values give equal values. What has an immediate is not told apart. */
function repeatedIn(instructions: readonly CodeInstruction[]): readonly CodeInstruction[] {
  const values = new Map<Location, string>();
  const computed = new Set<string>();
  let memory = 0;
  const repeated: CodeInstruction[] = [];
  const held = (location: Location): string => values.get(location) ?? `start ${location}`;
  instructions.forEach((each, i) => {
    const { form, reads, addressReads, writes, loads, stores, immediate, move, work, sameSources } = each;
    let value: string | undefined;
    if (move !== undefined && loads.length + stores.length === 0 && reads.length > 0) value = held(reads[0]);
    else if (isArithmetic(each) && !immediate && stores.length === 0 && each.flow === 'next') {
      const places = loads.map(
        ({ scale, displacement }) => `${addressReads.map(held).join()} ${scale} ${displacement} ${memory}`,
      );
      const key = `${form} ${sameSources} ${reads.map(held).join()} ${places.join()}`;
      if (
        computed.has(key) &&
        writes.some((to) => to !== STACK_POINTER && (isGeneral(to) || work.vector > 0))
      )
        repeated.push(each);
      computed.add(key);
      value = key.length < 200 ? key : undefined;
    }
    for (const location of writes)
      values.set(location, value === undefined ? `${i} ${location}` : `${value} ${location < 48}`);
    if (move !== undefined && value !== undefined) for (const location of writes) values.set(location, value);
    if (stores.length > 0 || each.flow === 'call') memory++;
  });
  return repeated;
}
