/** How emphasis looks where a text goes: escape sequences on a terminal, nothing in a pipe or file. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const NO_PAINT: Paint = { strong: same, bad: same, good: same, faint: same };
