import type { Operation, Side } from '../../../ksr/instructions.ts';
import type { Listing } from '../../../ksr/listing.ts';
import type { KsrLoop } from '../../../ksr/loops.ts';
import type { Counted } from '../../../ksr/statistics.ts';

/** An instruction of an innermost loop that every iteration executes, with its registers. */
export interface Step {
  readonly pair: number;
  readonly side: Side;
  readonly operation: Operation;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** A register that it only increments by a constant, in bytes or iterations. */
  readonly increment?: { readonly register: string; readonly by: number };
  /** Of a load or store, where a base register and a distance tell it. */
  readonly address?: { readonly base: string; readonly offset: number; readonly size: number };
}

export interface Body {
  readonly steps: readonly Step[];
  /** Written where not every iteration comes by. */
  readonly sometimes: ReadonlySet<string>;
}

export function bodyOf(loop: KsrLoop, { pairs }: Listing, { operations }: Counted): Body {
  const skipped = new Uint8Array(loop.end - loop.begin);
  for (const { begin, end } of loop.areas) skipped.fill(1, begin - loop.begin, end - loop.begin);
  const steps: Step[] = [];
  const sometimes = new Set<string>();
  for (let pair = loop.begin; pair < loop.end; pair++)
    for (const side of ['left', 'right'] as const) {
      const step = stepOf(pair, side, pairs[pair][side], operations[pair][side]);
      if (skipped[pair - loop.begin] === 0) steps.push(step);
      else for (const register of step.writes) sometimes.add(register);
    }
  return { steps, sometimes };
}

const REGISTER = /%[a-z]+\d*/g;
const IS_REGISTER = /^%[a-z]+\d*$/;
const NUMBER = /^[+-]?\d+$/;
const ADDRESS = /^([+-]?\d*)\((%[a-z]+\d*)\)$/;
/** These write a condition instead of a register. */
const COMPARES = /^(?:[cif]?tst|f?cmp|comp)/;

function stepOf(
  pair: number,
  side: Side,
  { mnemonic, operands }: { readonly mnemonic: string; readonly operands: readonly string[] },
  operation: Operation,
): Step {
  const registers = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => text.match(REGISTER) ?? []);
  const reads = (texts: readonly string[]) => ({
    pair,
    side,
    operation,
    reads: registers(texts),
    writes: [],
  });
  const last = operands.at(-1);
  switch (operation.kind) {
    case 'nop':
    case 'branch':
    case 'other':
      return reads(operands);
    case 'call':
      return reads(operands.slice(1));
    case 'store':
      return { ...reads(operands), ...addressOf(mnemonic, last) };
    case 'load':
    case 'add':
    case 'multiply':
    case 'triad':
    case 'misc':
    case 'integer':
    case 'address': {
      if (last === undefined || !IS_REGISTER.test(last) || COMPARES.test(mnemonic)) return reads(operands);
      // A triad of three operands adds to the one that it writes; selections keep what was there.
      const keeps = operation.kind === 'triad' && operands.length < 4;
      const sources = keeps ? operands : operands.slice(0, -1);
      return {
        ...reads(sources),
        writes: [last],
        ...(operation.kind === 'load' ? addressOf(mnemonic, operands[0]) : incrementOf(mnemonic, operands)),
      };
    }
  }
}

function addressOf(mnemonic: string, operand: string | undefined): Pick<Step, 'address'> {
  const match = operand === undefined ? null : ADDRESS.exec(operand);
  if (match === null) return {};
  const size = Number(/\d+/.exec(mnemonic)?.[0] ?? 8);
  return { address: { base: match[2], offset: Number(match[1] || 0), size } };
}

/** `add8.ntr 1, %i9, %i9`; `sadd8.ntr 0, %c6, 128, %c6`, whose first operand is a shift; the same with `sub`. */
function incrementOf(mnemonic: string, operands: readonly string[]): Pick<Step, 'increment'> {
  const adds = /^[sc]?add/.test(mnemonic);
  if (!adds && !/^[sc]?sub/.test(mnemonic)) return {};
  const register = operands[operands.length - 1];
  const sources = operands.length === 4 && operands[0] === '0' ? operands.slice(1, 3) : operands.slice(0, -1);
  if (sources.length !== 2) return {};
  const at = sources.indexOf(register);
  const other = sources[1 - at];
  if (at < 0 || !NUMBER.test(other) || (!adds && at === 1)) return {};
  return { increment: { register, by: adds ? Number(other) : -Number(other) } };
}
