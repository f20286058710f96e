import type { KsrMachine } from '../../../machines/schema.ts';
import { type Edge, maximumRecurrence } from '../recurrence.ts';
import type { Access, Addresses } from './addresses.ts';
import type { Body, Step } from './body.ts';

/**
 * t_d of a compiled loop (equation 4.7), in cycles per iteration of it: the longest recurrence through registers and through
 * memory. Index and base registers that only move by a constant are no recurrences of the program.
 *
 * There are no interlocks: the distance at which a listing uses a result is a latency that the machine has. So a latency of
 * the model counts at most that, and t_d cannot be above the code length.
 */
export function dependenceOf(
  body: Body,
  addresses: Addresses,
  length: number,
  latency: KsrMachine['latency'],
): number {
  const edges = [...registerEdges(body, length, latency), ...memoryEdges(body.steps, addresses, length)];
  return maximumRecurrence(body.steps.length, edges).cycles;
}

function registerEdges({ steps, sometimes }: Body, length: number, latency: KsrMachine['latency']): Edge[] {
  const last = new Map<string, number>();
  steps.forEach(({ writes }, i) => {
    for (const register of writes) last.set(register, i);
  });
  const edges: Edge[] = [];
  const latest = new Map<string, number>();
  // What a pair writes, its other side does not see yet.
  let pending: number[] = [];
  let pair = -1;
  steps.forEach((step, to) => {
    if (step.pair !== pair) {
      for (const writer of pending) for (const register of steps[writer].writes) latest.set(register, writer);
      pending = [];
      pair = step.pair;
    }
    for (const register of step.reads) {
      const from = latest.get(register) ?? last.get(register);
      if (from === undefined || sometimes.has(register) || steps[from].increment !== undefined) continue;
      const distance = latest.has(register) ? 0 : 1;
      const apart = step.pair - steps[from].pair + distance * length;
      edges.push({ from, to, cycles: Math.min(latencyOf(steps[from], latency), apart), distance });
    }
    pending.push(to);
  });
  return edges;
}

/** Registers of IPU and FPU; `%fp` is one of the CEU. */
const OF_LEFT = /^%[if]\d/;

function latencyOf({ operation, reads, writes }: Step, latency: KsrMachine['latency']): number {
  switch (operation.kind) {
    case 'load':
      return latency.load;
    case 'add':
    case 'multiply':
    case 'triad':
    case 'misc':
      return latency.floatingPoint;
    case 'integer':
      return latency.integer;
    case 'address':
      return [...reads, ...writes].some((register) => OF_LEFT.test(register))
        ? latency.move
        : latency.address;
    case 'nop':
    case 'branch':
    case 'store':
    case 'call':
    case 'other':
      return 1;
  }
}

/** From a store to the first load of what it stored: to a load of its own iteration further down, or of a later one. */
function memoryEdges(steps: readonly Step[], { accesses, strides }: Addresses, length: number): Edge[] {
  const stores = new Map<string, Access[]>();
  for (const access of accesses) {
    if (steps[access.step].operation.kind !== 'store') continue;
    const same = stores.get(access.base) ?? [];
    same.push(access);
    stores.set(access.base, same);
  }
  return accesses.flatMap((load): Edge[] => {
    if (steps[load.step].operation.kind !== 'load') return [];
    const stride = strides.get(load.base) ?? 0;
    let nearest: { readonly store: Access; readonly distance: number } | undefined;
    for (const store of stores.get(load.base) ?? []) {
      const distance = distanceOf(store, load, stride);
      if (distance === undefined) continue;
      // The last store before the load is the one that it reads.
      if (
        nearest === undefined ||
        distance < nearest.distance ||
        (distance === nearest.distance && store.step > nearest.store.step)
      )
        nearest = { store, distance };
    }
    if (nearest === undefined) return [];
    const { store, distance } = nearest;
    const apart = steps[load.step].pair - steps[store.step].pair + distance * length;
    return [{ from: store.step, to: load.step, cycles: Math.min(1, apart), distance }];
  });
}

/** Iterations from the store to the load of the same bytes; undefined where there is no such load. */
function distanceOf(store: Access, load: Access, stride: number): number | undefined {
  if (store.size !== load.size) return undefined;
  const apart = store.offset - load.offset;
  const before = store.step < load.step;
  if (stride === 0) return apart === 0 ? (before ? 0 : 1) : undefined;
  const distance = apart / stride;
  if (!Number.isInteger(distance) || distance < 0) return undefined;
  return distance === 0 && !before ? undefined : distance;
}
