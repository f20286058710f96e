import { expect, it } from 'vitest';
import { type StoredProfile, upgrade } from './upgrade.ts';

const steps = new Map<number, (stored: StoredProfile) => StoredProfile>([
  [1, (stored: StoredProfile) => ({ ...stored, added: 'in 2' })],
  [2, ({ added, ...stored }: StoredProfile) => ({ ...stored, renamed: added })],
]);

it('an old profile is taken through every step in order', () => {
  expect(upgrade({ version: 1, total: 5 }, 1, 3, steps)).toEqual({ version: 3, total: 5, renamed: 'in 2' });
});

it('a profile of the current version stays as it is', () => {
  expect(upgrade({ version: 1, total: 5 }, 1)).toEqual({ version: 1, total: 5 });
});

it('a version without a step is too old', () => {
  expect(upgrade({ version: 0 }, 0, 3, steps)).toBeUndefined();
});
