import type { LoopCause } from '../../profile/loops.ts';
import { type Context, shows } from './context.ts';

/** Where only addresses without an index can use the port that is for stores alone (Intel, Haswell to Skylake). */
export function indexedStoreCauses(context: Context): readonly LoopCause[] {
  const { memory } = context.machine;
  if (memory.storeAddress === memory.storeAddressIndexed) return [];
  const at = context.instructions.flatMap(({ indexed, stores, address, flow }) =>
    indexed && stores.length > 0 && flow === 'next' ? [address] : [],
  );
  if (at.length === 0) return [];
  const cycles = context.saves({ plainStores: true });
  if (!shows(cycles)) return [];
  return [
    context.cause('C', 'indexed-store', {
      text: `Addresses of stores with an index take the ports of loads (${memory.storeAddressIndexed}); without one they could take any of ${memory.storeAddress}`,
      advice: 'Step a pointer of its own for what is stored',
      at,
      cycles,
    }),
  ];
}
