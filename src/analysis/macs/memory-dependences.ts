import type { LoopTrace, TracedAccess, TracedIteration } from '../../observation/trace.ts';

/** A load that takes bytes from a store of the loop, as the run did it. */
export interface MemoryDependence {
  /** Addresses of the instructions, as in the trace. */
  readonly store: number;
  readonly load: number;
  /** Iterations from the store to the load: 0 in the same one. */
  readonly distance: number;
  /** Of the load's executions that had so many iterations before them since the loop was entered and sampled, 0 to 1. */
  readonly share: number;
  /** Whether the store always wrote all bytes of the load: processors forward those. */
  readonly covers: boolean;
}

/** What an instruction of a loop does with memory from iteration to iteration. */
export interface AccessPattern {
  readonly instruction: number;
  readonly kind: TracedAccess['kind'];
  /** Bytes of its largest access. */
  readonly size: number;
  /** Executions that were sampled. */
  readonly executions: number;
  /** Bytes from each iteration's address to the next one's, where that is always the same; absent where it was never seen twice. */
  readonly stride?: number;
}

/** Consistent is what holds for this share of a load's executions, unless the caller says otherwise. */
const USUAL_SHARE = 0.9;

interface Store {
  readonly instruction: number;
  /** Number of the access, and of its iteration. */
  readonly order: number;
  readonly iteration: number;
}

/** An access, and where it is in its sample. */
interface Placed extends TracedAccess {
  readonly iteration: number;
  /** Iterations before it since the loop was entered or the sample began. */
  readonly before: number;
}

/**
 * For each load the youngest earlier store that wrote one of its bytes, and how many iterations earlier: those pairs
 * that hold for at least `share` of its executions, in the order of loads, then of distances. What was stored before
 * the loop was entered is not carried by the loop.
 */
export function memoryDependences(trace: LoopTrace, share = USUAL_SHARE): MemoryDependence[] {
  const found = new Map<
    string,
    { store: number; load: number; distance: number; count: number; covers: boolean }
  >();
  /** By load: executions with at least so many iterations before them, by that number. */
  const loads = new Map<number, number[]>();
  for (const { iterations } of trace.samples) {
    const stores = new Map<number, Store>();
    let order = 0;
    for (const access of placed(iterations)) {
      order++;
      const { instruction, address, size, iteration, before } = access;
      if (access.kind === 'store') {
        for (let i = 0; i < size; i++) stores.set(address + i, { instruction, order, iteration });
        continue;
      }
      const counts = loads.get(instruction) ?? [];
      loads.set(instruction, counts);
      for (let n = 0; n <= before; n++) counts[n] = (counts[n] ?? 0) + 1;
      const youngest = youngestStore(stores, address, size);
      if (youngest === undefined) continue;
      const distance = iteration - youngest.store.iteration;
      if (distance > before) continue;
      const key = `${youngest.store.instruction} ${instruction} ${distance}`;
      const known = found.get(key);
      if (known === undefined) {
        const { covers } = youngest;
        found.set(key, { store: youngest.store.instruction, load: instruction, distance, count: 1, covers });
      } else {
        known.count++;
        known.covers &&= youngest.covers;
      }
    }
  }
  return [...found.values()]
    .map(({ count, ...pair }) => ({ ...pair, share: count / loads.get(pair.load)![pair.distance] }))
    .filter((pair) => pair.share >= share)
    .sort((a, b) => a.load - b.load || a.distance - b.distance || a.store - b.store);
}

/** How each instruction's addresses go on, in the order of instructions. One that loads and stores has two patterns. */
export function accessPatterns(trace: LoopTrace): AccessPattern[] {
  interface Found {
    instruction: number;
    kind: TracedAccess['kind'];
    size: number;
    executions: number;
    stride: number | undefined;
    isConstant: boolean;
    last: { readonly address: number; readonly iteration: number } | undefined;
  }
  const found = new Map<string, Found>();
  for (const { iterations } of trace.samples) {
    for (const pattern of found.values()) pattern.last = undefined;
    for (const { kind, instruction, address, size, iteration, before } of placed(iterations)) {
      const key = `${instruction} ${kind}`;
      const pattern = found.get(key) ?? {
        instruction,
        kind,
        size: 0,
        executions: 0,
        stride: undefined,
        isConstant: true,
        last: undefined,
      };
      found.set(key, pattern);
      const { last } = pattern;
      if (last !== undefined && last.iteration + 1 === iteration && before > 0) {
        const stride = address - last.address;
        pattern.isConstant &&= pattern.stride === undefined || pattern.stride === stride;
        pattern.stride = stride;
      } else if (last?.iteration === iteration) pattern.isConstant = false;
      pattern.size = Math.max(pattern.size, size);
      pattern.executions++;
      pattern.last = { address, iteration };
    }
  }
  return [...found.values()]
    .map(({ instruction, kind, size, executions, stride, isConstant }) => ({
      instruction,
      kind,
      size,
      executions,
      ...(stride !== undefined && isConstant && { stride }),
    }))
    .sort((a, b) => a.instruction - b.instruction || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}

function* placed(iterations: readonly TracedIteration[]): Iterable<Placed> {
  let entry = 0;
  for (const [iteration, { entered, accesses }] of iterations.entries()) {
    if (entered) entry = iteration;
    for (let i = 0; i < accesses.length; i++) {
      const access = accesses[i];
      const rest = accesses[i + 1];
      const isSplit = rest !== undefined && isRest(access, rest);
      if (isSplit) i++;
      yield {
        ...access,
        size: access.size + (isSplit ? rest.size : 0),
        iteration,
        before: iteration - entry,
      };
    }
  }
}

/** Ten bytes of x87 are eight and two. */
const isRest = (first: TracedAccess, second: TracedAccess): boolean =>
  first.size === 8 &&
  second.size === 2 &&
  second.kind === first.kind &&
  second.instruction === first.instruction &&
  second.address === first.address + 8;

function youngestStore(
  stores: ReadonlyMap<number, Store>,
  address: number,
  size: number,
): { readonly store: Store; readonly covers: boolean } | undefined {
  let youngest: Store | undefined;
  let covers = true;
  for (let i = 0; i < size; i++) {
    const store = stores.get(address + i);
    if (i > 0 && store?.order !== youngest?.order) covers = false;
    if (store !== undefined && (youngest === undefined || store.order > youngest.order)) youngest = store;
  }
  return youngest && { store: youngest, covers };
}
