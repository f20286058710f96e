import type { Machine } from '../../machines/machine.ts';
import type { Body, Fetched } from './body.ts';

/**
 * Cycles per repetition that finding the lengths of instructions takes where a block is repeated without a branch:
 * the predecoder works on aligned blocks of bytes; an instruction counts in the block of its last byte, and once more in the
 * one before where its opcode begins there (Facile, section 4.3).
 */
export function predecodeBound(body: Body, machine: Machine): number {
  const { bytes, width, lengthChangingPenalty } = machine.predecode;
  const length = body.fetched.reduce((sum, each) => sum + each.length, 0);
  if (length === 0) return 0;
  const repetitions = bytes / gcd(length, bytes);
  const blocks = (repetitions * length) / bytes;
  const ends = new Array<number>(blocks).fill(0);
  const changes = new Array<number>(blocks).fill(0);
  let at = 0;
  for (let round = 0; round < repetitions; round++)
    for (const each of body.fetched) {
      const last = Math.floor((at + each.length - 1) / bytes);
      const opcode = Math.floor((at + each.opcodeAt) / bytes);
      ends[last % blocks]++;
      if (opcode !== last) ends[opcode % blocks]++;
      if (each.changesLength) changes[opcode % blocks]++;
      at += each.length;
    }
  let cycles = 0;
  for (let block = 0; block < blocks; block++) {
    const before = Math.ceil(ends[(block + blocks - 1) % blocks] / width);
    // Found out early, while the block before is still being worked on.
    const stall = Math.max(0, lengthChangingPenalty * changes[block] - (before - 1));
    cycles += Math.max(1, Math.ceil(ends[block] / width)) + stall;
  }
  return cycles / repetitions;
}

/** What the decoders have done in a cycle so far. */
export interface DecodeGroup {
  /** Decoders that can still take an instruction. */
  left: number;
  /** Micro-operations that can still be made. */
  room: number;
  taken: number;
}

export const newGroup = (machine: Machine): DecodeGroup => ({
  left: machine.decode.decoders,
  room: roomOf(machine),
  taken: 0,
});

/** One instruction of several micro-operations and simple ones: 4 decoders make 4 before Skylake and 5 from there on. */
const roomOf = ({ decode }: Machine): number =>
  decode.symmetric === true
    ? decode.decoders * 2
    : Math.max(decode.decoders, decode.groupUops ?? decode.decoders);

/** Whether the instruction can join the group; where it can, it has. `more` says that another one is waiting behind it. */
export function joins(group: DecodeGroup, each: Fetched, machine: Machine, more: boolean): boolean {
  const { decoders, fusibleOnLast, symmetric } = machine.decode;
  const complex = each.decoded > 1;
  if (group.left === 0) return false;
  if (group.taken > 0 && symmetric !== true && complex) return false;
  if (group.taken > 0 && each.decoded > group.room) return false;
  if (each.mayFuse && !fusibleOnLast && (group.taken === decoders - 1 || !more)) return false;
  group.taken++;
  group.left--;
  group.room -= Math.max(1, each.decoded);
  if (each.branch || isMicrocode(each, machine)) group.left = 0;
  return true;
}

export const isMicrocode = (each: Fetched, machine: Machine): boolean =>
  each.decoded > machine.decode.complexUops;

/** Cycles from the decoders to microcode and back, and micro-operations that microcode delivers in a cycle (uiCA, section 4.1). */
export const MICROCODE_SWITCH = 2;
export const MICROCODE_WIDTH = 4;

export function microcodeCycles(each: Fetched, machine: Machine): number {
  return isMicrocode(each, machine) ? MICROCODE_SWITCH + Math.ceil(each.decoded / MICROCODE_WIDTH) : 0;
}

/** Cycles per repetition of the decoders, instructions always waiting. Groups repeat once one begins a repetition as an earlier did. */
export function decodeBound(body: Body, machine: Machine): number {
  const all = body.fetched.filter(({ fusedWithPrevious }) => !fusedWithPrevious);
  if (all.length === 0) return 0;
  const startedAt = new Map<string, readonly [round: number, cycles: number]>();
  let cycles = 0;
  let group = newGroup(machine);
  for (let round = 0; ; round++) {
    const key = `${group.left} ${group.room} ${group.taken}`;
    const earlier = startedAt.get(key);
    if (earlier !== undefined) return (cycles - earlier[1]) / (round - earlier[0]);
    startedAt.set(key, [round, cycles]);
    for (const each of all) {
      if (!joins(group, each, machine, true)) {
        cycles++;
        group = newGroup(machine);
        joins(group, each, machine, true);
      }
      cycles += microcodeCycles(each, machine);
    }
  }
}

/** Cycles per repetition of the cache of decoded instructions: what it delivers in a cycle ends with a taken branch. */
export function replayBound(body: Body, machine: Machine): number {
  const { total, width, breaks } = replayOf(body, machine);
  if (breaks.length === 0) return total / width;
  // What follows the last one goes on into the next repetition.
  let from = breaks.at(-1)! - total;
  let cycles = 0;
  for (const end of breaks) {
    cycles += Math.ceil((end - from) / width);
    from = end;
  }
  return cycles;
}

/** How a loop is delivered again and again: by the loop buffer where it fits, which unrolls it, else by the cache. */
export interface Replay {
  readonly total: number;
  readonly width: number;
  /** Slots delivered by then where a taken branch ends a cycle's delivery, ascending. */
  readonly breaks: readonly number[];
}

export function replayOf(body: Body, machine: Machine): Replay {
  const total = body.slots.length;
  const { uopCache, loopBuffer, issue } = machine;
  return total > loopBuffer.uops
    ? { total, width: uopCache.width, breaks: body.breaks }
    : { total, width: Math.max(uopCache.width, issue.width), breaks: [] };
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
