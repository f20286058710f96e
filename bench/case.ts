export const GROUPS = ['kernels', 'vectors', 'languages', 'programs', 'startup'] as const;
export type Group = (typeof GROUPS)[number];

/** One program with its arguments, run in the folder of the inputs. */
export interface Case {
  readonly group: Group;
  /** What the table and `--only` call it. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** A case that this machine cannot run natively, and why: the table says so. */
export interface Missing {
  readonly group: Group;
  readonly name: string;
  readonly reason: string;
}
