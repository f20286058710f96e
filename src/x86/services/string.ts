import type { VarId } from '../../ir/node.ts';
import type { Machine, Range, Service, ServiceEffects } from '../service.ts';
import { AR, CF, DF, FS_BASE, GS_BASE, locationOf, OF, RAX, RCX, RDI, RSI, SR, ZR } from '../state.ts';
import { decodeString, type StringForm } from '../string-form.ts';

/**
 * Repeated string instructions, each one instruction whatever its count (rule 2). They read count, pointers and DF,
 * write count and pointers, and touch the memory of the elements that they get to; with a count of 0 none (rule 4).
 * Where an element faults those before it are done, registers tell so, and flags are as they were (SDM volume 2, REP).
 * repe and repne scas and cmps may leave the flags as they were, which makes the flags sources.
 */
interface Loop {
  readonly form: StringForm;
  readonly machine: Machine;
  /** Elements that the count allows. */
  readonly count: bigint;
  /** Bytes from one element to the next: negative when DF is set. */
  readonly step: number;
}

const MASK32 = 0xffff_ffffn;

function loop(machine: Machine, argument: number): Loop {
  const form = decodeString(argument);
  const rcx = machine.readI64(RCX);
  const count = form.narrow ? rcx & MASK32 : BigInt.asUintN(64, rcx);
  return { form, machine, count, step: machine.readI32(DF) === 0 ? form.size : -form.size };
}

/** The address of a pointer's first element. */
function start({ machine, form }: Loop, variable: VarId): bigint {
  const value = machine.readI64(variable);
  const offset = form.narrow ? value & MASK32 : BigInt.asUintN(64, value);
  if (variable !== RSI || form.segment === 'none') return offset;
  return BigInt.asUintN(64, offset + machine.readI64(form.segment === 'fs' ? FS_BASE : GS_BASE));
}

interface Extent {
  readonly address: bigint;
  readonly length: number;
}

/** The lowest address and the bytes of `count` elements from `first` on. */
function extent({ form, step }: Loop, first: bigint, count: bigint): Extent {
  const length = Number(count) * form.size;
  return { address: step > 0 ? first : first - BigInt(length - form.size), length };
}

function range({ address, length }: Extent): Range[] {
  return length === 0 ? [] : [{ address: Number(address), length }];
}

/** Moves pointers past `done` elements and counts them off. */
function finish({ machine, form, count, step }: Loop, pointers: readonly VarId[], done: bigint): void {
  const narrow = (value: bigint): bigint => (form.narrow ? value & MASK32 : value);
  // With 32-bit addresses and nothing to do, processors leave the registers' upper halves alone.
  if (done === 0n) return;
  machine.writeI64(RCX, narrow(count - done));
  for (const variable of pointers)
    machine.writeI64(variable, narrow(machine.readI64(variable) + done * BigInt(step)));
}

/** A register that goes through memory, from the address of the first element on. */
interface Pointer {
  readonly variable: VarId;
  readonly first: bigint;
  readonly isWritten?: boolean;
}

/** Executes all elements at once; where one of them faults, those before it. */
function run(it: Loop, pointers: readonly Pointer[], execute: (count: bigint) => void): void {
  const { count } = it;
  const variables = pointers.map(({ variable }) => variable);
  if (count === 0n) return;
  try {
    execute(count);
  } catch (problem) {
    const done = doneBeforeFault(it, pointers);
    // Nothing that can be accessed is missing: memory has run out, say.
    if (done === count) throw problem;
    if (done > 0n) execute(done);
    finish(it, variables, done);
    // Throws, and names the byte that this element misses, where `problem` may name another one.
    access(it, pointers, done);
    throw problem;
  }
  finish(it, variables, count);
}

const PAGE = 4096n;

/** Elements before the first one that cannot be accessed. Of those that lie in the same pages one is asked for. */
function doneBeforeFault(it: Loop, pointers: readonly Pointer[]): bigint {
  const size = BigInt(it.form.size);
  for (let done = 0n; done < it.count; ) {
    try {
      access(it, pointers, done);
    } catch {
      return done;
    }
    let alike = it.count - done;
    for (const { first } of pointers) {
      const at = BigInt.asUintN(64, first + done * BigInt(it.step)) % PAGE;
      const inPage = it.step > 0 ? (PAGE - at) / size : at / size + (at + size <= PAGE ? 1n : 0n);
      if (inPage < alike) alike = inPage;
    }
    done += alike > 1n ? alike : 1n;
  }
  return it.count;
}

/** Throws where an element cannot be accessed. */
function access(
  { machine: { memory }, form, step }: Loop,
  pointers: readonly Pointer[],
  index: bigint,
): void {
  for (const { first, isWritten } of pointers) {
    const at = BigInt.asUintN(64, first + index * BigInt(step));
    if (isWritten === true) memory.writable(at, form.size);
    else memory.read(at, form.size);
  }
}

function effects(
  { form }: Loop,
  pointers: readonly VarId[],
  more: { sources?: readonly VarId[]; destinations?: readonly VarId[]; loads?: Range[]; stores?: Range[] },
): ServiceEffects {
  const segment = form.segment === 'fs' ? [FS_BASE] : form.segment === 'gs' ? [GS_BASE] : [];
  const usesSegment = pointers.includes(RSI) ? segment : [];
  const changed = [RCX, ...pointers];
  const locations = (variables: readonly VarId[]) =>
    [...new Set(variables.map(locationOf))].sort((a, b) => a - b);
  return {
    sources: locations([...changed, DF, ...usesSegment, ...(more.sources ?? [])]),
    destinations: locations([...changed, ...(more.destinations ?? [])]),
    loads: more.loads ?? [],
    stores: more.stores ?? [],
  };
}

const movs: Service = (machine, argument) => {
  const it = loop(machine, argument);
  const from = start(it, RSI);
  const to = start(it, RDI);
  const source = extent(it, from, it.count);
  const target = extent(it, to, it.count);
  const pointers = [
    { variable: RSI, first: from },
    { variable: RDI, first: to, isWritten: true },
  ];
  run(it, pointers, (count) => copy(it, extent(it, from, count), extent(it, to, count)));
  return effects(it, [RSI, RDI], { loads: readBefore(it, source, target), stores: range(target) });
};

/** Element by element where a later element reads what an earlier one wrote: then the start is repeated, as hardware does. */
function copy(it: Loop, source: Extent, target: Extent): void {
  const { length } = source;
  it.machine.memory.read(source.address, length);
  const to = it.machine.memory.writable(target.address, length);
  // Again, because looking for the target may have moved the source.
  const from = it.machine.memory.read(source.address, length);
  if (!feedsItself(it, source, target)) {
    to.set(from);
    return;
  }
  const { size } = it.form;
  for (let done = 0; done < length; done += size) {
    const at = it.step > 0 ? done : length - size - done;
    to.set(from.slice(at, at + size), at);
  }
}

/** How far behind what it reads, in its direction, it writes. */
const lag = ({ step }: Loop, source: Extent, target: Extent): number =>
  Number(step > 0 ? target.address - source.address : source.address - target.address);

function feedsItself(it: Loop, source: Extent, target: Extent): boolean {
  const behind = lag(it, source, target);
  return behind > 0 && behind < source.length;
}

/** What it reads and has not written itself by then: on that it depends. */
function readBefore(it: Loop, source: Extent, target: Extent): Range[] {
  if (!feedsItself(it, source, target)) return range(source);
  const { address, length } = source;
  const behind = lag(it, source, target);
  const { size } = it.form;
  const isUp = it.step > 0;
  if (behind >= size)
    return range({ address: isUp ? address : address + BigInt(length - behind), length: behind });
  // Of each element but the first the end is its own: it writes there after it has read.
  return Array.from({ length: length / size }, (_, i) => {
    const at = Number(address) + i * size;
    const isFirst = i === (isUp ? 0 : length / size - 1);
    if (isFirst) return { address: at, length: size };
    return { address: isUp ? at + behind : at, length: size - behind };
  });
}

/** The accumulator's low bytes. */
function element({ machine, form }: Loop): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, machine.readI64(RAX), true);
  return bytes.subarray(0, form.size);
}

const stos: Service = (machine, argument) => {
  const it = loop(machine, argument);
  const first = start(it, RDI);
  run(it, [{ variable: RDI, first, isWritten: true }], (count) => {
    const { address, length } = extent(it, first, count);
    const bytes = machine.memory.writable(address, length);
    const value = element(it);
    if (it.form.size === 1) bytes.fill(value[0]);
    else for (let at = 0; at < bytes.length; at += value.length) bytes.set(value, at);
  });
  return effects(it, [RDI], { sources: [RAX], stores: range(extent(it, first, it.count)) });
};

const lods: Service = (machine, argument) => {
  const it = loop(machine, argument);
  const first = start(it, RSI);
  const source = extent(it, first, it.count);
  run(it, [{ variable: RSI, first }], (count) => {
    const { address, length } = extent(it, first, count);
    const bytes = machine.memory.read(address, length);
    writeAccumulator(it, toInteger(bytes, it.step > 0 ? length - it.form.size : 0, it.form.size));
  });
  // rax keeps its value when the count is 0, and its upper part in the narrow forms.
  return effects(it, [RSI], { sources: [RAX], destinations: [RAX], loads: range(source) });
};

function writeAccumulator({ machine, form }: Loop, value: bigint): void {
  const bits = BigInt(form.size * 8);
  const kept = form.size <= 2 ? (machine.readI64(RAX) >> bits) << bits : 0n;
  machine.writeI64(RAX, kept | value);
}

/** Unsigned, little-endian. */
function toInteger(bytes: Uint8Array, at: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]);
  return value;
}

const FLAGS = [CF, OF, ZR];

const scas: Service = (machine, argument) => {
  const it = loop(machine, argument);
  const first = start(it, RDI);
  const value = toInteger(element(it), 0, it.form.size);
  const done = compareUntil(it, [RDI], first, (at) => [value, at()]);
  const loads = range(extent(it, first, done));
  return effects(it, [RDI], { sources: [RAX, ...FLAGS], destinations: FLAGS, loads });
};

const cmps: Service = (machine, argument) => {
  const it = loop(machine, argument);
  const first = start(it, RSI);
  const second = start(it, RDI);
  const left = reader(it, first);
  const done = compareUntil(it, [RSI, RDI], second, (at, i) => [left(i), at()]);
  const loads = [...range(extent(it, first, done)), ...range(extent(it, second, done))];
  return effects(it, [RSI, RDI], { sources: FLAGS, destinations: FLAGS, loads });
};

/** Reads elements by index; an element is only checked when it is reached. */
function reader({ machine, form, step }: Loop, first: bigint): (index: bigint) => bigint {
  return (index) =>
    toInteger(machine.memory.read(BigInt.asUintN(64, first + index * BigInt(step)), form.size), 0, form.size);
}

/** Compares until the condition of the prefix ends it, sets the flags of the last comparison, gives the elements done. */
function compareUntil(
  it: Loop,
  pointers: readonly VarId[],
  second: bigint,
  pair: (at: () => bigint, index: bigint) => readonly [bigint, bigint],
): bigint {
  const right = reader(it, second);
  let done = 0n;
  try {
    while (done < it.count) {
      const [x, y] = pair(() => right(done), done);
      done++;
      if ((x === y) !== (it.form.until === 'equal') && done < it.count) continue;
      setFlags(it, x, y);
      break;
    }
  } finally {
    finish(it, pointers, done);
  }
  return done;
}

function setFlags({ machine, form }: Loop, x: bigint, y: bigint): void {
  const bits = form.size * 8;
  const result = BigInt.asIntN(bits, x - y);
  machine.writeI32(CF, x < y ? 1 : 0);
  machine.writeI32(OF, result === BigInt.asIntN(bits, x) - BigInt.asIntN(bits, y) ? 0 : 1);
  machine.writeI64(ZR, result);
  machine.writeI64(SR, result);
  machine.writeI32(AR, Number((x ^ y ^ result) & 0x10n));
}

export const STRING_SERVICES: readonly (readonly [string, Service])[] = [
  ['movs', movs],
  ['stos', stos],
  ['lods', lods],
  ['scas', scas],
  ['cmps', cmps],
];
