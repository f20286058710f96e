import type { LoopCause } from '../../profile/loops.ts';
import { type Context, shows } from './context.ts';

/** Where the cache of decoded instructions delivers less because of how the loop lies in lines of code. */
export function alignmentCauses(context: Context): readonly LoopCause[] {
  const { lines } = context.machine.uopCache;
  if (lines === undefined) return [];
  const cycles = context.saves({ aligned: true });
  if (!shows(cycles)) return [];
  return [
    context.cause('C', 'code-alignment', {
      text: `The loop does not begin at the beginning of a line of code of ${lines.bytes} bytes, so that what it could get in one cycle from the cache of decoded instructions comes in several`,
      advice: `Build with -falign-loops=${lines.bytes}`,
      cycles,
    }),
  ];
}
