import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';

describe('the options of the benchmark', () => {
  it('are all groups and five rounds without any', () => {
    expect(parseOptions([])).toMatchObject({
      groups: ['kernels', 'vectors', 'languages', 'programs', 'startup'],
      longer: 1,
      runs: 5,
      limit: 300,
    });
  });

  it('choose groups and cases', () => {
    const { groups, only } = parseOptions(['--programs', '--only', '^(jq|bc)$']);
    expect(groups).toEqual(['programs']);
    expect(['jq', 'bc', 'bc1'].map((name) => only.test(name))).toEqual([true, true, false]);
  });

  it.each([['--runs', '0'], ['--longer', 'x'], ['--limit', '1.5'], ['--unknown'], ['--only', '(']])(
    'refuse %s %s',
    (...args) => {
      expect(() => parseOptions(args)).toThrow();
    },
  );
});
