import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProject } from './project.ts';

const load = (machine: string, files: Readonly<Record<string, string>> = {}) =>
  loadProject('ilp-gate.yml', '/work', {
    read: async (path) =>
      path === '/work/ilp-gate.yml'
        ? `machine: ${machine}\ntargets: [{ name: a, command: ./a }]`
        : files[path],
    writeAll: async () => {},
    resolve,
  });

describe('the machine of a configuration', () => {
  it('is one that comes with the tool, or a file beside the configuration', async () => {
    expect((await load('zen4')).config.machine).toBe('zen4');
    const own = '{ "format": "ilp-gate/machine", "version": 1, "name": "mine", "extends": "skylake" }';
    expect((await load('./mine.json', { '/work/mine.json': own })).config.machine).toBe('./mine.json');
  });

  it.each([
    ['zen9', 'unknown-machine', /^there is no machine "zen9"; there are: ivybridge, /],
    ['constructor', 'unknown-machine', /^there is no machine "constructor"; /],
    ['ksr1', 'no-x86', /^ksr1 has no x86 instructions/],
    ['./mine.json', 'machine-missing', /^there is no machine file \.\/mine\.json$/],
  ])('is refused before anything is built where there is none: %s', async (machine, code, message) => {
    await expect(load(machine)).rejects.toMatchObject({
      kind: 'config',
      code,
      message: expect.stringMatching(message),
    });
  });
});
