/** How much of a Markdown report is shown. */
export interface Detail {
  readonly unchangedRows: boolean;
  readonly diagrams: boolean;
  readonly chainLines: number;
  /** 'changed': all that changed; 'limits': the runs and what passed a limit. */
  readonly rows: 'changed' | 'limits';
  readonly mostRows: number;
  /** Of those that changed. */
  readonly mostLoops: number;
  /** Of a target's folded table of bounds. */
  readonly boundRows: number;
  readonly mostExplanations: number;
  readonly mostNotes: number;
  readonly failureOutput: boolean;
  readonly mostFailures: number;
  /** What is missing, for the line that says so. */
  readonly leftOut: readonly string[];
}

const FULL: Detail = {
  unchangedRows: true,
  diagrams: true,
  chainLines: 8,
  rows: 'changed',
  mostRows: Number.POSITIVE_INFINITY,
  mostLoops: 30,
  boundRows: 50,
  mostExplanations: Number.POSITIVE_INFINITY,
  mostNotes: Number.POSITIVE_INFINITY,
  failureOutput: true,
  mostFailures: Number.POSITIVE_INFINITY,
  leftOut: [],
};

/** What each level gives up beyond the one before, the least important first. */
const STEPS: readonly Partial<Detail>[] = [
  { unchangedRows: false, boundRows: 20, leftOut: ['unchanged rows'] },
  { diagrams: false, leftOut: ['diagrams'] },
  { chainLines: 4, rows: 'limits', boundRows: 5, leftOut: ['rows within the limits'] },
  {
    mostRows: 100,
    mostLoops: 10,
    boundRows: 0,
    mostExplanations: 10,
    mostNotes: 20,
    failureOutput: false,
    mostFailures: 10,
    leftOut: ['some rows and reasons', 'tables of bounds'],
  },
  { mostRows: 20, mostLoops: 3, mostExplanations: 3, chainLines: 2, mostNotes: 5, mostFailures: 3 },
  { mostRows: 5, mostLoops: 0, mostExplanations: 0, mostNotes: 0, mostFailures: 0, leftOut: ['all reasons'] },
];

/** From everything to what always fits: the last level's size is bounded by its counts and the length of names. */
export const DETAILS: readonly Detail[] = levels();

function levels(): Detail[] {
  const found = [FULL];
  let above = FULL;
  for (const step of STEPS) {
    above = { ...above, ...step, leftOut: [...above.leftOut, ...(step.leftOut ?? [])] };
    found.push(above);
  }
  return found;
}
