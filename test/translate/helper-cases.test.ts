import { describe, expect, test } from 'vitest';
import { helperFunction } from '../../src/translate/lowering/helper-functions.ts';
import { INEXACT } from '../../src/x86/float/exceptions.ts';
import type { Helper } from '../../src/x86/helper.ts';
import { HELPERS } from '../../src/x86/helpers.ts';
import { Random } from '../x86/operands.ts';
import { argumentsOf, type Value } from './helper-operands.ts';

/**
 * The common cases of helpers as WebAssembly, against the helpers themselves, which were compared with the processor.
 * HELPER_CASES sets how many operands of either kind each helper gets.
 */
const CASES = Number(process.env.HELPER_CASES ?? 10_000);

/** Those that are often inexact. */
const ARITHMETIC = /^sse\.(add|sub|mul|div|sqrt|fma)\./;

describe('the common cases of a helper give the same bits as WebAssembly and in general', () => {
  for (const [name, helper] of HELPERS)
    if (helper.cases !== undefined) test(name, () => compare(name, helper));
});

/** With MXCSR go its sticky bits: what they have already need not be found again. */
describe('of SSE, with sticky bits, no bit is lost and none is new', () => {
  for (const [name, helper] of HELPERS)
    if (name.startsWith('sse.') && helper.cases !== undefined) test(name, () => compareSticky(name, helper));
});

function compareSticky(name: string, helper: Helper): void {
  const run = helperFunction(helper) as (...args: Value[]) => Value | Value[];
  const random = new Random(name.length);
  let without = 0;
  for (let i = 0; i < CASES; i++) {
    const args = argumentsOf(name, helper.params, random, i % 2 === 0 ? 'ordinary' : 'any');
    if (i % 8 === 3) args.push((args.pop() as number) & ~(INEXACT << 7));
    const sticky = random.below(64) | (i % 4 === 3 ? 0 : INEXACT);
    const before = [...args.slice(0, -1), (args.at(-1) as number) | sticky];
    const [value, flags] = [run(...before)].flat();
    const [expected, all] = helper.run(...args);
    // Of a fault that is not masked each time counts.
    const unmasked = ~((args.at(-1) as number) >> 7) & 0x3f;
    const seen = (flag: Value): number => ((flag as number) & unmasked) * 64 + ((flag as number) | sticky);
    if (value === expected && flags !== all) without++;
    if (value === expected && seen(flags) === seen(all)) continue;
    expect({ before, value, flags: seen(flags) }).toEqual({ before, value: expected, flags: seen(all) });
  }
  if (ARITHMETIC.test(name)) expect(without).toBeGreaterThan(CASES / 20);
}

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
