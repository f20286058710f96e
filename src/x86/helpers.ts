import { FLOAT_HELPERS } from './float/helpers.ts';
import type { Helper } from './helper.ts';
import { INTEGER_HELPERS } from './integer-helpers.ts';
import { SEGMENT_HELPERS } from './segments.ts';

export type { Helper } from './helper.ts';

/** The helpers of all lifted instructions, by the name in the IR. */
export const HELPERS: ReadonlyMap<string, Helper> = new Map([
  ...INTEGER_HELPERS,
  ...SEGMENT_HELPERS,
  ...FLOAT_HELPERS,
]);
