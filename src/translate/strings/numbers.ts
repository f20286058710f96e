import type { ServiceSite } from '../region-interface.ts';

/**
 * What generated code calls `service` with: the number of a site, above it, for a repeated string instruction whose usual cases are
 * WebAssembly (service.ts), its argument (x86/string-form.ts) and its kind.
 */
const SITE_BITS = 20;
const ARGUMENT_SHIFT = SITE_BITS;
export const KIND_SHIFT = 24;

/** In the order of their numbers, from 1 on. */
export const KINDS = ['stos', 'movs', 'scas', 'cmps'] as const;
const NAMES: readonly string[] = KINDS;

/** Bits of the argument: the logarithm of the element's size; until an element is equal, not different. */
const SIZE = 3;
const EQUAL = 8;

export const siteOf = (number: number): number =>
  number >>> KIND_SHIFT === 0 ? number : number & ((1 << SITE_BITS) - 1);

export function serviceNumber({ service, argument }: ServiceSite, index: number): number {
  const kind = NAMES.indexOf(service) + 1;
  // 64-bit addresses, no segment.
  if (kind === 0 || index >>> SITE_BITS !== 0 || (argument & ~(SIZE | EQUAL)) !== 0) return index;
  return (kind << KIND_SHIFT) | (argument << ARGUMENT_SHIFT) | index;
}

/** Where the bits of the argument are in the number. */
export const SIZE_IN_NUMBER = { shift: ARGUMENT_SHIFT, mask: SIZE };
export const EQUAL_IN_NUMBER = EQUAL << ARGUMENT_SHIFT;
