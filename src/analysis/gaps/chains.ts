import type { CodeInstruction } from '../../x86/block.ts';
import { isGeneral } from '../../x86/locations.ts';
import { edgesOf } from '../macs/mac.ts';
import { maximumRecurrence } from '../macs/recurrence.ts';
import type { Context } from './context.ts';
import { LOAD_CHAIN_ADVICE, listed, numbered } from './words.ts';

/** The longest recurrence of the compiled loop's most frequent path, counters apart, as it is told to people. */
export interface Chain {
  readonly instructions: readonly CodeInstruction[];
  /** Cycles per source iteration. */
  readonly cycles: number;
  readonly text: string;
  readonly advice: string;
  readonly isLoadChain: boolean;
}

export function chainOf({ whatIf, unroll, line }: Context): Chain | undefined {
  const paths = whatIf.paths();
  if (paths.length === 0) return undefined;
  const { code, body, dependences } = paths.reduce((a, b) => (b.share > a.share ? b : a));
  const isStep = code.instructions.map(
    ({ value, writes }) =>
      value?.kind === 'sum' && value.to === value.from && writes.filter(isGeneral).length === 1,
  );
  const edges = edgesOf(body, dependences).filter(
    ({ from, to }) => !(isStep[body.uops[from].instruction] && isStep[body.uops[to].instruction]),
  );
  const { cycles, nodes } = maximumRecurrence(body.uops.length, edges);
  if (cycles === 0) return undefined;
  const around = [...new Set(nodes.map((uop) => body.uops[uop].instruction))].sort((a, b) => a - b);
  const instructions = around.map((at) => code.instructions[at]);
  const shown = instructions.slice(0, MOST_SHOWN).map(({ mnemonic, address }) => {
    const at = line(address)?.line;
    return at === undefined ? mnemonic : `${mnemonic} (line ${at})`;
  });
  if (instructions.length > MOST_SHOWN) shown.push(`${instructions.length - MOST_SHOWN} more`);
  const isStored = instructions.some(({ stores }) => stores.length > 0);
  const isLoadChain = nodes.some((uop) => body.uops[uop].kind === 'load');
  const each = cycles / unroll;
  const wait = numbered(each, 'cycle', 'cycles');
  return {
    instructions,
    cycles: each,
    isLoadChain,
    text: isLoadChain
      ? `Each iteration waits ${wait} for the address that the one before loads: ${listed(shown)}`
      : `Each iteration waits ${wait} for the one before, through ${isStored ? 'memory' : 'registers'}: ${listed(shown)}`,
    advice: isLoadChain ? LOAD_CHAIN_ADVICE : isStored ? MEMORY : isAccumulation(instructions) ? SUM : OTHER,
  };
}

const MOST_SHOWN = 6;

const isAccumulation = (instructions: readonly CodeInstruction[]): boolean =>
  instructions.every(({ work }) => work.kind === 'fa' || work.kind === 'fma' || work.kind === 'move');

const MEMORY =
  'Keep the value in a local variable from one iteration to the next; restrict tells the compiler that no other store changes it';
const SUM =
  'Add into several accumulators, or let the compiler do it: -fassociative-math (-ffast-math), #pragma omp simd reduction';
const OTHER =
  'Compute several independent sequences side by side, or rewrite the recurrence so that fewer operations are on the way around';
