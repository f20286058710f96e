import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withSupport } from './support.ts';

test("the README's tables of what is supported are what the code knows (npm run support)", () => {
  const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
  expect(withSupport(readme)).toBe(readme);
});
