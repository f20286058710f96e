import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction, MemoryAccess } from '../../x86/block.ts';
import { isGeneral, STACK_POINTER } from '../../x86/locations.ts';
import { isSlot } from '../loops/counts.ts';
import type { Context } from './context.ts';
import { DefUse } from './def-use.ts';
import type { Part } from './what-if.ts';
import { listed, numbered } from './words.ts';

/** Instructions that load from or store to slots of the stack frame, calls' own apart. */
export function slotAccesses({ loop, instructions }: Context): readonly CodeInstruction[] {
  const touches = (accesses: readonly MemoryAccess[]): boolean =>
    accesses.some((access) => isSlot(access, loop.frame));
  return instructions.filter(
    ({ flow, loads, stores, stackChange }) =>
      flow !== 'call' && flow !== 'return' && stackChange === 0 && (touches(loads) || touches(stores)),
  );
}

/** Everything through the stack: no register keeps a value from one iteration to the next. */
export function isUnoptimised(context: Context): boolean {
  const slots = slotAccesses(context);
  if (!slots.some(({ stores }) => stores.length > 0) || !slots.some(({ loads }) => loads.length > 0))
    return false;
  return context.paths.every(({ instructions }) => {
    const flow = new DefUse(instructions);
    return instructions.every(({ reads, addressReads }, i) =>
      [...reads, ...addressReads].every((location) => {
        if (!isGeneral(location) || location === STACK_POINTER) return true;
        return flow.writer(i, location)?.distance !== 1;
      }),
    );
  });
}

/** What would be left out if what is in the slots were in registers. */
export function withoutSlots(slots: readonly CodeInstruction[]): ReadonlyMap<number, Part> {
  return new Map(
    slots.map(({ address, work }): [number, Part] => [address, work.kind === 'move' ? 'whole' : 'memory']),
  );
}

export function stackCauses(context: Context): readonly LoopCause[] {
  const slots = slotAccesses(context);
  if (slots.length === 0) return [];
  const at = slots.map(({ address }) => address);
  const cycles = context.saves({ without: withoutSlots(slots) });
  const { unroll, weights } = context;
  const executed = (of: readonly CodeInstruction[]): number =>
    of.reduce((sum, { address }) => sum + (weights.get(address) ?? 0), 0) / unroll;
  const stores = executed(slots.filter((each) => each.stores.length > 0));
  const loads = executed(slots.filter((each) => each.loads.length > 0));
  const counted = listed([
    ...(stores > 0 ? [numbered(stores, 'store', 'stores')] : []),
    ...(loads > 0 ? [numbered(loads, 'load', 'loads')] : []),
  ]);
  if (counted === '') return [];
  if (isUnoptimised(context))
    return [
      context.cause('C', 'unoptimised-code', {
        text: `The code is not optimised: every variable is in memory, ${counted} an iteration`,
        advice: 'Build with -O2 or -O3',
        at,
        cycles,
      }),
    ];
  return [
    context.cause('C', 'spill', {
      text: `There are not enough registers for what is needed at a time: ${counted} of stack slots an iteration`,
      advice:
        'Split the loop, declare variables where they are used, or unroll less, so that fewer values are needed at a time',
      at,
      cycles,
    }),
  ];
}
