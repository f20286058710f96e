import { FIRST_GUEST_ADDRESS, MAIN_STACK_SIZE, MAIN_STACK_START, PAGE_SIZE } from '../guest/layout.ts';
import { EXECUTE, type GuestMemory, READ, WRITE } from '../guest/memory.ts';
import { limitOf, STACK } from './limits.ts';
import { regionBefore, regionFrom, replaceRegions } from './region-list.ts';
import { addRegion, pageUp } from './regions.ts';
import type { KernelState } from './state.ts';
import type { System } from './system.ts';

/**
 * The stack of the first thread, which grows down as far as RLIMIT_STACK lets it (mm/mmap.c: expand_stack). So much of it is there from
 * the beginning, where the limit is no less: then the usual program never comes here again.
 */
export const STACK_SIZE = 0x0080_0000;

/** What Linux keeps free below a stack (stack_guard_gap). */
export const STACK_GAP = 0x0010_0000;

/** It grows by so much, which Linux does by pages. */
const GROWTH = 0x0010_0000;

/** Below the first arguments, whatever the limit. */
const LEAST = 0x0002_0000;

/** Gives the program its stack, with bytes at its top. */
export function mapStack(system: System, bytes: Uint8Array, isExecutable: boolean): void {
  const { stackTop } = system.state.addresses;
  const limit = stackLimit(system.state);
  const length = pageUp(Math.max(bytes.length + LEAST, Math.min(limit, STACK_SIZE)));
  const start = stackTop - length;
  const protection = READ | WRITE | (isExecutable ? EXECUTE : 0);
  addRegion(system, { start, end: stackTop, protection, shared: false, label: LABEL, offset: 0 });
  system.memory.write(stackTop - bytes.length, bytes);
  noteMainStack(system.memory, { start, size: length });
}

const LABEL = '[stack]';

/** Whether an address that no page allows to access is where the stack grows to; then it is mapped. */
export function growStack(system: System, address: number): boolean {
  const { state, memory } = system;
  const { regions, addresses } = state;
  const lowest = Math.max(FIRST_GUEST_ADDRESS, addresses.stackTop - stackLimit(state));
  if (address >= addresses.stackTop || address < lowest) return false;
  const stack = regionFrom(regions, address);
  if (stack === undefined || stack.start <= address || stack.label !== LABEL) return false;
  const before = regionBefore(regions, address);
  const free = before === undefined ? 0 : before.end + (before.protection === 0 ? 0 : STACK_GAP);
  const page = address - (address % PAGE_SIZE);
  if (page < free) return false;
  const start = Math.max(pageUp(lowest), free, address - (address % GROWTH));
  replaceRegions(regions, stack.start, stack.end, [{ ...stack, start }]);
  memory.map(start, stack.start, stack.protection);
  noteMainStack(memory, { start, size: addresses.stackTop - start });
  return true;
}

/** Size of the stack where it did not grow to an address that the program accessed as a part of it, near to its end or to rsp. */
export function fullStackAt({ memory, state, register }: System, address: number): number | undefined {
  const { start, size } = mainStackOf(memory);
  const next = regionFrom(state.regions, address);
  if (next?.label !== LABEL || next.start <= address) return undefined;
  const lowest = Math.min(start, Number(BigInt.asUintN(64, register('rsp'))));
  return address >= lowest - STACK_GAP ? size : undefined;
}

const stackLimit = (state: KernelState): number => {
  const { soft } = limitOf(state, STACK);
  return soft >= BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(soft);
};

/** From its lowest byte so far to its top. */
interface MainStack {
  readonly start: number;
  readonly size: number;
}

/** Tells generated code, which asks whether rsp is on this stack (rule 9). */
export function noteMainStack({ view }: GuestMemory, { start, size }: MainStack): void {
  view.setBigUint64(MAIN_STACK_START, BigInt(start), true);
  view.setBigUint64(MAIN_STACK_SIZE, BigInt(size), true);
}

export const mainStackOf = ({ view }: GuestMemory): MainStack => ({
  start: Number(view.getBigUint64(MAIN_STACK_START, true)),
  size: Number(view.getBigUint64(MAIN_STACK_SIZE, true)),
});

/** execve(2): arguments and environment take a quarter of the stack's limit, three quarters of 8 MiB at most, 128 KiB at least. */
export function longestArguments(state: KernelState): number {
  return Math.max(LEAST, Math.min((STACK_SIZE / 4) * 3, Math.floor(stackLimit(state) / 4)));
}
