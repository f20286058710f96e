import { expect, test } from 'vitest';
import { CAUSE_KINDS } from '../../src/analysis/gaps/kinds.ts';
import { CAUSE_PHRASES } from '../../src/report/bounds-words.ts';

test('the report has words for every kind of cause, and for nothing else', () => {
  expect(Object.keys(CAUSE_PHRASES).sort()).toEqual([...CAUSE_KINDS].sort());
});
