import type { Machine, Needs } from '../../machines/machine.ts';
import type { CodePath } from '../loops/bounds.ts';
import type { Body, Slot, Uop } from '../macs/body.ts';
import type { Dependences, Forward, Wait } from '../macs/dataflow.ts';
import { deliveryEnds } from '../macs/delivery.ts';
import { boundsOfPaths, macOfPaths, type PreparedPath, preparedPaths } from '../macs/loop.ts';

/** What of an instruction is taken away: all, what it computes, its load, its store, or both of them. */
export type Part = 'whole' | 'compute' | 'load' | 'store' | 'memory';

/** A loop as it would be. Instructions are named by their addresses. */
export interface Change {
  /**
   * What is not there. What depended on it depends on what it depended on: a copy's user on the source of the copy, the user
   * of a load on what was stored there. A load of what no store of the loop wrote is a value that is at hand.
   */
  readonly without?: ReadonlyMap<number, Part>;
  /** Needs of other instructions for what computes. */
  readonly instead?: ReadonlyMap<number, Needs>;
  /** Nothing waits for an earlier iteration. */
  readonly unchained?: boolean;
  /** Every micro-operation that takes a port can take any. */
  readonly anyPort?: boolean;
  /** Stores have addresses without an index. */
  readonly plainStores?: boolean;
  /** Taken branches do not end what is delivered in a cycle. */
  readonly unbroken?: boolean;
  /** The first of its instructions lies at the beginning of a line of code, and the others as far behind it as they are. */
  readonly aligned?: boolean;
  /** Loads take what was stored from the store buffer, whoever wrote which part of it. */
  readonly forwarded?: boolean;
}

/** A loop's bounds, and those that it would have. All are of the same model, so that a difference is what a change is worth. */
export class WhatIf {
  private readonly codes: readonly CodePath[];
  private readonly prepared: readonly PreparedPath[];
  private readonly machine: Machine;

  constructor(paths: readonly CodePath[], machine: Machine) {
    this.prepared = preparedPaths(paths, machine);
    const kept = new Set(this.prepared.map(({ body }) => body.instructions));
    this.codes = paths.filter(({ instructions }) => kept.has(instructions));
    this.machine = machine;
  }

  /** The paths that are bounded, each with its micro-operations and their dependences. */
  paths(): readonly (PreparedPath & { readonly code: CodePath })[] {
    return this.prepared.map((path, i) => ({ ...path, code: this.codes[i] }));
  }

  /** Cycles per iteration of the machine code. */
  MAC(change: Change, machine = this.machine): number {
    return this.prepared.length === 0 ? 0 : macOfPaths(this.changed(change), machine);
  }

  MACS(change: Change, machine = this.machine): number {
    return this.prepared.length === 0 ? 0 : boundsOfPaths(this.changed(change), machine).MACS;
  }

  private changed(change: Change): readonly PreparedPath[] {
    return this.prepared.map(({ body, dependences, share }, i) => {
      const addresses = this.codes[i].instructions.map(({ address }) => address);
      return { ...changedPath(body, dependences, addresses, change, this.machine), share };
    });
  }
}

/** Dependences over more iterations than are looked at to find them are long over. */
const FARTHEST = 8;

function changedPath(
  body: Body,
  dependences: Dependences,
  names: readonly number[],
  change: Change,
  machine: Machine,
): Pick<PreparedPath, 'body' | 'dependences'> {
  const { without = new Map<number, Part>(), instead = new Map<number, Needs>() } = change;
  const gone = new Set<number>();
  names.forEach((address, i) => {
    const part = without.get(address);
    if (part === undefined) return;
    const { loads, compute, addresses: stored, data } = body.roles[i];
    if (part === 'whole')
      for (const [at, uop] of body.uops.entries()) if (uop.instruction === i) gone.add(at);
    if (part === 'compute') for (const uop of compute) gone.add(uop);
    if (part === 'load' || part === 'memory') for (const uop of loads) gone.add(uop);
    if (part === 'store' || part === 'memory') for (const uop of [...stored, ...data]) gone.add(uop);
  });
  const kept = body.uops.flatMap((_, at) => (gone.has(at) ? [] : [at]));
  const position = new Map(kept.map((at, i) => [at, i]));
  const isGone = (i: number): boolean => without.get(names[i]) === 'whole';
  const slots: Slot[] = [];
  const slotAt = new Map<number, number>();
  const { addresses, taken } = body;
  const takenAt = new Set(
    body.fetched.flatMap(({ instruction, slots: own }, at) =>
      taken.has(instruction) ? [1 + (own.at(-1) ?? body.fetched[at - 1]?.slots.at(-1) ?? 0)] : [],
    ),
  );
  const brokenAt: number[] = [];
  body.slots.forEach(({ instruction, uops }, at) => {
    const left = uops.flatMap((uop) => position.get(uop) ?? []);
    if (!isGone(instruction) && (left.length > 0 || uops.length === 0)) {
      slotAt.set(at, slots.length);
      slots.push({ instruction, uops: left });
    }
    if (takenAt.has(at + 1)) brokenAt.push(slots.length);
  });
  // A loop of nothing takes a slot: there is something to be repeated.
  if (slots.length === 0) slots.push({ instruction: 0, uops: [] });
  const uops = kept.map((at): Uop => {
    const uop = body.uops[at];
    const needs = uop.kind === 'compute' ? instead.get(names[uop.instruction]) : undefined;
    const { latency, ports } =
      needs === undefined ? uop : { latency: needs.latency, ports: needs.compute[0] ?? uop.ports };
    if (ports !== '' && change.anyPort === true) return { ...uop, latency, ports: machine.ports };
    if (uop.kind === 'address' && change.plainStores === true)
      return { ...uop, latency, ports: machine.memory.storeAddress };
    return { ...uop, latency, ports };
  });
  const { lines, width } = machine.uopCache;
  // What is left stays where it is.
  const delivered =
    lines === undefined || addresses === undefined
      ? [...new Set(brokenAt.filter((at) => at > 0))]
      : deliveryEnds(
          body.fetched.map((each) => ({
            ...each,
            slots: isGone(each.instruction) ? [] : each.slots.flatMap((at) => slotAt.get(at) ?? []),
          })),
          change.aligned === true ? addresses.map((address) => address - Math.min(...addresses)) : addresses,
          taken,
          lines,
          width,
        );
  return {
    body: {
      ...body,
      slots,
      uops,
      fetched: body.fetched
        .filter(({ instruction }) => !isGone(instruction))
        .map((each) => ({ ...each, slots: each.slots.flatMap((at) => slotAt.get(at) ?? []) })),
      breaks: change.unbroken === true ? [] : delivered,
    },
    dependences: changedDependences(body, dependences, kept, position, gone, change, machine),
  };
}

function changedDependences(
  { uops, instructions }: Body,
  { waits, forwards, extra }: Dependences,
  kept: readonly number[],
  position: ReadonlyMap<number, number>,
  gone: ReadonlySet<number>,
  { unchained = false, forwarded = false }: Change,
  machine: Machine,
): Dependences {
  const isPossible = (uop: number, on: number, distance: number): boolean =>
    distance <= FARTHEST && (distance > 0 ? !unchained : on < uop);
  const soonerFor = (on: number, uop: number): number =>
    uops[on].kind === 'compute' && uops[uop].kind === 'compute'
      ? machine.soonerFor(instructions[uops[on].instruction].form, instructions[uops[uop].instruction].form)
      : 0;
  /** What there is to wait for where a micro-operation was. */
  const through = (uop: number, distance: number, seen: Set<number>): Wait[] => {
    if (!gone.has(uop)) return [{ on: uop, distance, sooner: 0 }];
    if (seen.has(uop)) return [];
    seen.add(uop);
    if (uops[uop].kind !== 'load')
      return waits[uop].flatMap((each) => through(each.on, distance + each.distance, seen));
    return forwards[uop].flatMap((store) =>
      waits[store.on].flatMap((each) => through(each.on, distance + store.distance + each.distance, seen)),
    );
  };
  return {
    waits: kept.map((uop) => {
      const all = waits[uop].flatMap((each) =>
        gone.has(each.on)
          ? through(each.on, each.distance, new Set()).map((end) => ({
              ...end,
              sooner: soonerFor(end.on, uop),
            }))
          : [each],
      );
      const known = new Set<string>();
      return all.flatMap(({ on, distance, sooner }): Wait[] => {
        const key = `${on} ${distance}`;
        if (known.has(key) || !isPossible(uop, on, distance)) return [];
        known.add(key);
        return [{ on: position.get(on)!, distance, sooner }];
      });
    }),
    forwards: kept.map((uop) =>
      forwards[uop].flatMap((store): Forward[] => {
        const on = position.get(store.on);
        return on === undefined || (unchained && store.distance > 0) ? [] : [{ ...store, on }];
      }),
    ),
    extra: kept.map((uop) => (forwarded ? Math.min(extra[uop], 1) : extra[uop])),
  };
}
