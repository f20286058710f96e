import { expect, it } from 'vitest';
import type { InlinedCall } from '../profile/profile.ts';
import { inlinedAt, inlinedThere } from './view.ts';

const line = (...inlined: readonly (readonly InlinedCall[] | undefined)[]) => ({
  links: inlined.map((calls) => ({
    address: 'p+0x1',
    instruction: 'nop',
    count: 1,
    share: 0.1,
    ...(calls && { inlined: calls }),
  })),
});
const inner = { function: 'inner', file: 'a.h', line: 3 };
const outer = { function: 'outer', file: 'a.c', line: 30 };

it('a line of what was inlined is told with the call in the function that holds it', () => {
  expect(inlinedAt(line([inner, outer], [outer]))).toBe('a.c:30');
  expect(inlinedThere(line([inner, outer]), (text) => `<${text}>`)).toBe(', inlined at <a.c:30>');
});

it('a line that was inlined at several places, or partly not at all, is told without one', () => {
  for (const each of [
    line([inner], [outer]),
    line([outer], undefined),
    line(undefined),
    line([{ function: 'f' }]),
    line(),
  ]) {
    expect(inlinedAt(each)).toBeUndefined();
    expect(inlinedThere(each, (text) => text)).toBe('');
  }
});
