import type { CodeInstruction } from '../../x86/block.ts';
import type { Context } from './context.ts';
import { listed, printed } from './words.ts';

/** The longest recurrence of the compiled loop, as it is told to people. */
export interface Chain {
  readonly instructions: readonly CodeInstruction[];
  /** Cycles per source iteration. */
  readonly cycles: number;
  readonly text: string;
  readonly advice: string;
  readonly isLoadChain: boolean;
}

export function chainOf({ whatIf, cycles, unroll, line }: Context): Chain | undefined {
  const around = cycles.parts.find(({ part }) => part === 'recurrence')?.cycles ?? 0;
  const paths = whatIf.paths();
  if (around === 0 || paths.length === 0) return undefined;
  const { code } = paths.reduce((a, b) => (b.share > a.share ? b : a));
  const instructions = cycles.recurrence.flatMap((at) => code.instructions[at] ?? []);
  if (instructions.length === 0) return undefined;
  const ordered = [...instructions].sort((a, b) => a.address - b.address);
  const shown = ordered.slice(0, MOST_SHOWN).map(({ mnemonic, address }) => {
    const at = line(address)?.line;
    return at === undefined ? mnemonic : `${mnemonic} (line ${at})`;
  });
  if (ordered.length > MOST_SHOWN) shown.push(`${ordered.length - MOST_SHOWN} more`);
  const isStored = ordered.some(({ stores }) => stores.length > 0);
  const isLoadChain = cycles.class === 'load-chain';
  const each = around / unroll;
  const through = isStored ? 'through memory' : 'through registers';
  return {
    instructions: ordered,
    cycles: each,
    isLoadChain,
    text: isLoadChain
      ? `Each iteration waits ${printed(each)} cycles for the address that the one before loads: ${listed(shown)}`
      : `Each iteration waits ${printed(each)} cycles for the one before, ${through}: ${listed(shown)}`,
    advice: isLoadChain ? LOADS : isStored ? MEMORY : isAccumulation(ordered) ? SUM : OTHER,
  };
}

const MOST_SHOWN = 6;

const isAccumulation = (instructions: readonly CodeInstruction[]): boolean =>
  instructions.every(({ work }) => work.kind === 'fa' || work.kind === 'fma' || work.kind === 'move');

const LOADS =
  'Store the elements in an array, follow several lists at a time, or keep several elements in one node';
const MEMORY =
  'Keep the value in a local variable from one iteration to the next; restrict tells the compiler that no other store changes it';
const SUM =
  'Add into several accumulators, or let the compiler do it: -fassociative-math (-ffast-math), #pragma omp simd reduction';
const OTHER =
  'Compute several independent sequences side by side, or rewrite the recurrence so that fewer operations are on the way around';
