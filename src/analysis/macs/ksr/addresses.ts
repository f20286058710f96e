import type { Body, Step } from './body.ts';

/** A load or store whose address is that of a base register at the iteration's begin, and a distance from it. */
export interface Access {
  readonly step: number;
  readonly base: string;
  readonly offset: number;
  readonly size: number;
}

export interface Addresses {
  readonly accesses: readonly Access[];
  /** How far each base register moves in an iteration. */
  readonly strides: ReadonlyMap<string, number>;
}

/** Follows base registers that only move by constants; what depends on others is left out. */
export function addressesOf({ steps, sometimes }: Body): Addresses {
  const lost = new Set(sometimes);
  for (const { writes, increment } of steps)
    if (increment === undefined) for (const each of writes) lost.add(each);
  const moved = new Map<string, number>();
  const accesses: Access[] = [];
  const follow = ({ address, increment }: Step, step: number): void => {
    if (address !== undefined && !lost.has(address.base)) {
      const { base, size } = address;
      accesses.push({ step, base, offset: address.offset + (moved.get(base) ?? 0), size });
    }
    if (increment !== undefined)
      moved.set(increment.register, (moved.get(increment.register) ?? 0) + increment.by);
  };
  steps.forEach(follow);
  const strides = new Map(accesses.map(({ base }) => [base, moved.get(base) ?? 0]));
  return { accesses, strides };
}
