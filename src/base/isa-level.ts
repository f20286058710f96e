/** The levels of the x86-64 psABI that a processor may be shown as, each with all of those before it. */
export const ISA_LEVELS = ['x86-64', 'x86-64-v2', 'x86-64-v3'] as const;

export type IsaLevel = (typeof ISA_LEVELS)[number];

/** Whether a level has all that another one has. */
export function includes(level: IsaLevel, other: IsaLevel): boolean {
  return ISA_LEVELS.indexOf(level) >= ISA_LEVELS.indexOf(other);
}
