import { describe, expect, test } from 'vitest';
import { helperFunction } from '../../src/translate/lowering/helper-functions.ts';
import type { Helper } from '../../src/x86/helper.ts';
import { HELPERS } from '../../src/x86/helpers.ts';
import { Random } from '../x86/operands.ts';
import { argumentsOf, type Value } from './helper-operands.ts';

/**
 * The common cases of helpers as WebAssembly, against the helpers themselves, which were compared with the processor.
 * HELPER_CASES sets how many operands of either kind each helper gets.
 */
const CASES = Number(process.env.HELPER_CASES ?? 10_000);

describe('the common cases of a helper give the same bits as WebAssembly and in general', () => {
  for (const [name, helper] of HELPERS)
    if (helper.cases !== undefined) test(name, () => compare(name, helper));
});

function compare(name: string, helper: Helper): void {
  let general = 0;
  const run = helperFunction({
    ...helper,
    run: (...args) => {
      general++;
      return helper.run(...args);
    },
  }) as (...args: Value[]) => Value | Value[];
  const random = new Random(name.length);
  for (let i = 0; i < CASES; i++) {
    const args = argumentsOf(name, helper.params, random, 'ordinary');
    compareOne(helper, run, args);
  }
  // Or the helper was compared with itself.
  expect(general / CASES, 'share of ordinary operands that need the general way').toBeLessThan(0.2);
  for (let i = 0; i < CASES; i++) compareOne(helper, run, argumentsOf(name, helper.params, random, 'any'));
}

function compareOne(helper: Helper, run: (...args: Value[]) => Value | Value[], args: Value[]): void {
  const actual = [run(...args)].flat();
  const expected = helper.run(...args);
  // Spares a slow comparison where there is nothing to tell.
  if (actual.every((value, i) => value === expected[i])) return;
  expect({ args, results: actual }).toEqual({ args, results: expected });
}
