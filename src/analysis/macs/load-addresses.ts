import type { BlockInstruction } from '../../x86/block.ts';
import type { Location } from '../../x86/locations.ts';
import type { MemoryDependence } from './memory-dependences.ts';

/**
 * What a load's address comes from: registers that the loop only counts up or leaves alone, a value that another load of
 * the loop gave (an index out of a table), or the value that the same load gave in an earlier iteration (a list).
 */
export type AddressOrigin = 'computed' | 'loaded' | 'chased';

type Addressed = Pick<
  BlockInstruction,
  'mnemonic' | 'reads' | 'addressReads' | 'writes' | 'loads' | 'stores' | 'sameSources'
> & { readonly address: number };

/** One instruction uses what another left, in its address or otherwise. */
interface Use {
  readonly by: number;
  readonly inAddress: boolean;
}

/** Both operands the same: the result does not depend on them. */
const CLEARING: ReadonlySet<string> = new Set(['xor', 'sub', 'pxor', 'xorps', 'xorpd', 'psubd', 'psubq']);

/**
 * Where the addresses of a loop's loads come from, by the address of the instruction. The instructions are those of one
 * way through the loop, in their order.
 */
export function loadAddresses(
  instructions: readonly Addressed[],
  dependences: readonly MemoryDependence[],
): Map<number, AddressOrigin> {
  const uses = usesOf(instructions, dependences);
  const origins = new Map<number, AddressOrigin>();
  instructions.forEach(({ address, loads }) => {
    if (loads.length > 0) origins.set(address, 'computed');
  });
  instructions.forEach(({ address, loads }, from) => {
    if (loads.length === 0) return;
    for (const by of addressesAfter(from, instructions, uses)) {
      const to = instructions[by].address;
      if (by === from) origins.set(address, 'chased');
      else if (origins.get(to) === 'computed') origins.set(to, 'loaded');
    }
  });
  return origins;
}

/** Loads whose addresses depend on the value of one. */
function addressesAfter(
  from: number,
  instructions: readonly Addressed[],
  uses: readonly (readonly Use[])[],
): Set<number> {
  const addressed = new Set<number>();
  const seen = new Set<number>();
  const pending = [from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const { by, inAddress } of uses[next]) {
      const isLoad = instructions[by].loads.length > 0;
      if (inAddress && isLoad) addressed.add(by);
      // What is stored does not depend on where.
      if ((inAddress && !isLoad) || seen.has(by)) continue;
      seen.add(by);
      pending.push(by);
    }
  return addressed;
}

function usesOf(instructions: readonly Addressed[], dependences: readonly MemoryDependence[]): Use[][] {
  const uses: Use[][] = instructions.map(() => []);
  const writers = new Map<Location, number>();
  // The second time round, what the first has left is there.
  for (let round = 0; round < 2; round++)
    instructions.forEach(({ mnemonic, reads, addressReads, writes, loads, stores, sameSources }, by) => {
      const add = (location: Location, inAddress: boolean): void => {
        const from = writers.get(location);
        if (from !== undefined) uses[from].push({ by, inAddress });
      };
      if (!(sameSources && CLEARING.has(mnemonic))) for (const location of reads) add(location, false);
      // An address that nothing is accessed at is a result (lea).
      const accesses = loads.length + stores.length > 0;
      for (const location of addressReads) add(location, accesses);
      for (const location of writes) writers.set(location, by);
    });
  const indexOf = new Map(instructions.map(({ address }, i) => [address, i]));
  for (const { store, load } of dependences) {
    const [from, by] = [indexOf.get(store), indexOf.get(load)];
    if (from !== undefined && by !== undefined) uses[from].push({ by, inAddress: false });
  }
  return uses;
}
