/** What options may say, apart from the commands that do it: those are loaded when they are asked for. */

/** Of reports. */
export const FORMATS = ['text', 'markdown', 'json', 'html'] as const;
export type Format = (typeof FORMATS)[number];

/** Of bounds. */
export const BOUNDS_FORMATS = ['text', 'macstat'] as const;
export type BoundsFormat = (typeof BOUNDS_FORMATS)[number];

export const DEFAULT_MACHINE = 'skylake';
