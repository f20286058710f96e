import type { CodeSpace } from '../../src/emulator/code/code-space.ts';
import type { ShadowMemory } from '../../src/emulator/memory/shadow-memory.ts';
import type { Pass } from '../../src/emulator/pass/pass.ts';
import {
  BYTE_PAGES,
  BYTE_SPLITS,
  CONTEXT_DEEPEST,
  CONTEXT_FUNCTIONS,
  CONTEXT_LINKING,
  CONTEXT_LOG,
  CONTEXT_LOG_END,
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  CONTEXT_STACK,
  CONTEXT_TOP,
  FLOOR,
  GUEST_END,
  MAXIMUM,
  PAGE_SIZE,
  PERMISSIONS,
  stepOffset,
  valueOffset,
} from '../../src/guest/layout.ts';
import { SHADOWED } from '../../src/guest/memory.ts';
import { FRAME, FUNCTION, NOTE, RUN_FRAME } from '../../src/translate/contexts/records.ts';
import { sizeOf } from '../../src/translate/steps/access-names.ts';
import { TAG_ORIGIN } from '../../src/translate/steps/tag-shape.ts';
import { LOCATIONS, VARIABLES } from '../../src/x86/state.ts';

/** One execution that runs in step with another: what it measures must be the same, however it is executed. */
export interface Side {
  readonly space: CodeSpace;
  readonly pass: Pass;
}

export interface Difference {
  /** What differs, in words. */
  readonly what: string;
  readonly values: readonly [string, string];
}

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const bytesOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * The first difference between two executions of the same program that have executed the same instructions, all of their
 * state being in memory. Steps are compared as cycles of their contexts: distances from the lane's floor, of which nothing
 * below counts.
 */
export function firstDifference(a: Side, b: Side): Difference | undefined {
  return (
    differentNumbers('instructions executed', a.pass.executed(), b.pass.executed()) ??
    differentNumbers('the next address', Number(a.pass.next), Number(b.pass.next)) ??
    differentVariable(a, b) ??
    differentContexts(a, b) ??
    differentSteps(a, b) ??
    differentPages(a, b)
  );
}

function differentNumbers(what: string, x: number, y: number): Difference | undefined {
  return x === y ? undefined : { what, values: [hex(x), hex(y)] };
}

function differentBytes(what: string, a: Side, b: Side, at: number, size: number): Difference | undefined {
  const [x, y] = [a, b].map(({ space }) => space.guest.bytes.subarray(at, at + size));
  return Buffer.compare(x, y) === 0 ? undefined : { what, values: [bytesOf(x), bytesOf(y)] };
}

function first<T>(items: Iterable<T>, find: (item: T) => Difference | undefined): Difference | undefined {
  for (const item of items) {
    const difference = find(item);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differentVariable(a: Side, b: Side): Difference | undefined {
  return first(VARIABLES.entries(), ([variable, { name, type }]) =>
    differentBytes(`the variable ${name}`, a, b, valueOffset(variable), sizeOf(type)),
  );
}

// --- contexts

const WORDS = { CONTEXT_SLOT, CONTEXT_LINKING, CONTEXT_OPENS, CONTEXT_DEEPEST, CONTEXT_TOP, CONTEXT_LOG_END };

/** Records are made in the order in which things happen, so that they lie at the same places. */
function differentContexts(a: Side, b: Side): Difference | undefined {
  const { view } = a.space.guest;
  const word = (at: number) => view.getInt32(at, true);
  const records = (start: number, size: number, end: number) =>
    Array.from({ length: Math.max(0, Math.floor((end - start) / size)) }, (_, i) => start + i * size);
  let functionsEnd = CONTEXT_FUNCTIONS;
  while (word(functionsEnd + FUNCTION.entry) !== 0) functionsEnd += FUNCTION.size;
  return (
    first(Object.entries(WORDS), ([name, at]) =>
      differentBytes(name, a, b, at, name === 'CONTEXT_SLOT' || name === 'CONTEXT_LINKING' ? 8 : 4),
    ) ??
    first(
      records(CONTEXT_STACK + FRAME.size, FRAME.size, word(CONTEXT_TOP) + FRAME.size).entries(),
      ([depth, at]) => differentFields(`open context ${depth}`, a, b, at, FRAME),
    ) ??
    // One more: the other execution must not know further functions.
    first(records(CONTEXT_FUNCTIONS, FUNCTION.size, functionsEnd + FUNCTION.size), (at) =>
      differentFields(`function at ${hex(word(at + FUNCTION.entry))}`, a, b, at, FUNCTION),
    ) ??
    first(records(CONTEXT_LOG, NOTE.size, word(CONTEXT_LOG_END)), (at) =>
      differentFields(`closed call of ${hex(word(at + NOTE.entry))}`, a, b, at, NOTE),
    )
  );
}

function differentFields(
  what: string,
  a: Side,
  b: Side,
  at: number,
  { size, ...fields }: Readonly<Record<string, number>> & { readonly size: number },
): Difference | undefined {
  const places = Object.entries(fields);
  return first(places.entries(), ([i, [name, offset]]) =>
    differentBytes(`${what}: ${name}`, a, b, at + offset, (places[i + 1]?.[1] ?? size) - offset),
  );
}

// --- steps

/** Cycles of what a side's steps mean. */
class Cycles {
  readonly lanes: number;
  readonly shadow: ShadowMemory;
  private readonly words: Int32Array;
  private readonly steps: Int32Array | Float64Array;
  private readonly floors: readonly number[];
  /** Lanes of open contexts: what others hold means nothing, and is not kept when lanes are brought down. */
  private readonly measured = new Set<number>();

  constructor({ space }: Side) {
    const { shape } = space.lanes!;
    this.lanes = shape.lanes;
    this.steps = shape.view(space.guest.buffer);
    this.words = new Int32Array(space.guest.buffer);
    this.shadow = space.ledger.shadow;
    this.floors = [...this.steps.subarray(this.index(FLOOR), this.index(FLOOR) + this.lanes)];
    const { view } = space.guest;
    const top = view.getInt32(CONTEXT_TOP, true);
    for (let frame = RUN_FRAME; frame <= top; frame += FRAME.size)
      this.measured.add(view.getInt16(frame + FRAME.lane, true));
  }

  private index(offset: number): number {
    return (offset / 16) * this.lanes;
  }

  cycle(offset: number, lane: number): number {
    if (!this.measured.has(lane)) return 0;
    return Math.max(0, this.steps[this.index(offset) + lane] - this.floors[lane]);
  }

  all(offset: number): string {
    return Array.from({ length: this.lanes }, (_, lane) => this.cycle(offset, lane)).join(' ');
  }

  /** Of all that was executed so far. */
  maximum(): string {
    return Array.from({ length: this.lanes }, (_, lane) => {
      let most = this.cycle(MAXIMUM, lane);
      for (let location = 0; location < LOCATIONS; location++)
        most = Math.max(most, this.cycle(stepOffset(location), lane));
      return most;
    }).join(' ');
  }

  /** Whether the bytes of a page have steps of their own. */
  hasBytes(page: number): boolean {
    return this.words[BYTE_PAGES / 4 + page] !== 0 || this.words[BYTE_SPLITS / 4 + page] !== 0;
  }
}

function differentSteps(a: Side, b: Side): Difference | undefined {
  if (a.space.lanes === undefined)
    return (
      first(VARIABLES, ({ name, location }) =>
        location === undefined
          ? undefined
          : differentBytes(`the tag of ${name}`, a, b, stepOffset(location), 8),
      ) ?? differentBytes('the largest tag', a, b, MAXIMUM, 8)
    );
  const [x, y] = [new Cycles(a), new Cycles(b)];
  const compare = (what: string, of: (cycles: Cycles) => string): Difference | undefined =>
    of(x) === of(y) ? undefined : { what, values: [of(x), of(y)] };
  return (
    first(VARIABLES, ({ name, location }) =>
      location === undefined
        ? undefined
        : compare(`the cycle of ${name}`, (cycles) => cycles.all(stepOffset(location))),
    ) ?? compare('C of the contexts', (cycles) => cycles.maximum())
  );
}

// --- memory

function differentPages(a: Side, b: Side): Difference | undefined {
  const cycles = a.space.lanes && ([new Cycles(a), new Cycles(b)] as const);
  const [one, other] = [a.space.guest, b.space.guest];
  // There are 300,000, most of them free, and thousands of slices.
  const tables = [one, other].map(({ buffer }) => new Uint8Array(buffer, PERMISSIONS, GUEST_END / PAGE_SIZE));
  for (let page = 0; page < GUEST_END / PAGE_SIZE; page++) {
    if (page % FREE.length === 0 && tables.every((table) => isFree(table, page))) {
      page += FREE.length - 1;
      continue;
    }
    const address = page * PAGE_SIZE;
    const [x, y] = [one.permission(address), other.permission(address)];
    if (x !== y) return differentNumbers(`permissions of the page at ${hex(address)}`, x, y);
    const difference =
      ((one.isTouched(address) || other.isTouched(address)) && differentContents(a, b, address)) ||
      ((one.has(page, SHADOWED) || other.has(page, SHADOWED)) &&
        (cycles === undefined ? differentTags(a, b, page) : differentCycles(cycles, page)));
    if (difference) return difference;
  }
  return undefined;
}

const FREE = new Uint8Array(1024);

/** Whether nothing is known of that many pages. */
const isFree = (table: Uint8Array, page: number): boolean =>
  Buffer.compare(table.subarray(page, page + FREE.length), FREE) === 0;

function differentContents(a: Side, b: Side, page: number): Difference | undefined {
  if (differentBytes('', a, b, page, PAGE_SIZE) === undefined) return undefined;
  const bytes = Array.from({ length: PAGE_SIZE }, (_, i) => page + i);
  return first(bytes, (at) => differentBytes(`the byte at ${hex(at)}`, a, b, at, 1));
}

function differentTags(a: Side, b: Side, page: number): Difference | undefined {
  const bytes = Array.from({ length: PAGE_SIZE }, (_, i) => page * PAGE_SIZE + i);
  const tagOf = ({ space }: Side, address: number): bigint => {
    const place = space.ledger.shadow.placeOf(address);
    return place === undefined ? TAG_ORIGIN : space.guest.view.getBigInt64(place, true);
  };
  return first(bytes, (at) => {
    const [x, y] = [tagOf(a, at), tagOf(b, at)];
    return x === y ? undefined : { what: `the tag of the byte at ${hex(at)}`, values: [hex(x), hex(y)] };
  });
}

function differentCycles([x, y]: readonly [Cycles, Cycles], page: number): Difference | undefined {
  const start = page * PAGE_SIZE;
  const each = x.hasBytes(page) || y.hasBytes(page) ? 1 : 4;
  for (let address = start; address < start + PAGE_SIZE; address += each) {
    const [p, q] = [x, y].map(({ shadow }) => shadow.placeOf(address));
    for (let lane = 0; lane < x.lanes; lane++)
      if ((p === undefined ? 0 : x.cycle(p, lane)) !== (q === undefined ? 0 : y.cycle(q, lane)))
        return {
          what: `the cycle of the byte at ${hex(address)}`,
          values: [
            p === undefined ? 'never written' : x.all(p),
            q === undefined ? 'never written' : y.all(q),
          ],
        };
  }
  return undefined;
}
