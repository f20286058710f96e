import { BRK_LIMIT, CHEAP_END, GUEST_END, MMAP_BASE, MMAP_TOP, STACK_TOP } from '../guest/layout.ts';
import { STACK_GAP, STACK_SIZE } from './main-stack.ts';
import type { AddressPlan } from './state.ts';

/** Of a program that fits below the stack. */
export const USUAL_ADDRESSES: AddressPlan = {
  stackTop: STACK_TOP,
  mmapTop: MMAP_TOP,
  mmapBase: MMAP_BASE,
  breakLimit: BRK_LIMIT,
};

/** For the heap and libraries of a program that fills the usual places. */
const LEAST_ROOM = 0x0400_0000;

/** As much as the gap that Linux leaves below the stack follows its limit (mm/util.c: mmap_base). */
const MOST_STACK = 0x0400_0000;

/**
 * Where things go in the address space of a program, given where its own pages are: static arrays may be large. What does not fit below
 * the usual stack has everything above: the break, mappings from the stack down, and the stack, where measuring still costs least if
 * there is room. Undefined where there is none at all.
 */
export function planAddresses(
  imageStart: number,
  imageEnd: number,
  stackLimit: bigint,
): AddressPlan | undefined {
  if (imageEnd <= BRK_LIMIT || imageStart >= MMAP_TOP) return USUAL_ADDRESSES;
  const stack = Math.max(STACK_SIZE, Number(stackLimit < MOST_STACK ? stackLimit : MOST_STACK)) + STACK_GAP;
  const fits = (top: number, room: number) => imageEnd + stack + room <= top;
  const stackTop = fits(CHEAP_END, LEAST_ROOM) ? CHEAP_END : fits(GUEST_END, 0) ? GUEST_END : undefined;
  if (stackTop === undefined) return undefined;
  const mmapTop = stackTop - stack;
  return { stackTop, mmapTop, mmapBase: imageEnd, breakLimit: mmapTop };
}
