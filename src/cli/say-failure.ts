import { Failure } from '../base/failure.ts';
import { type Death, printSignal } from '../pipeline/print-signal.ts';
import { plain } from '../report/escape.ts';
import { FULL_STACK, GIVEN_ENVIRONMENT, remedyFor } from '../report/remedies.ts';

/** What went wrong and what to do next, as lines for stderr. Ends with a newline. */
export function sayFailure(error: unknown): string {
  if (!(error instanceof Failure)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `ilp-gate: this is a mistake in ilp-gate itself; please report it with the following text\n${detail}\n`;
  }
  const { target, output } = error.facts;
  const lines = [
    `ilp-gate: ${typeof target === 'string' ? `${plain(target)}: ` : ''}${plain(error.message)}`,
  ];
  if (Array.isArray(output)) lines.push(...output.map((line) => `  | ${plain(line)}`));
  const remedy = remedyFor(error);
  if (remedy !== undefined) lines.push(`  ${remedy}`);
  return `${lines.join('\n')}\n`;
}

/** That a program died, what there is not for that reason, and what to do next, as lines for stderr. Ends with a newline. */
export function sayDeath(program: string, death: Death, lacks: string): string {
  const remedy = death.fullStack === undefined ? GIVEN_ENVIRONMENT : FULL_STACK;
  return `ilp-gate: ${plain(program)} died by ${printSignal(death)}; ${lacks}\n  ${remedy}\n`;
}
