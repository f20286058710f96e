import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInMachine, MACHINE_NAMES, ownMachine } from './catalog.ts';

const file = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8'));

/** Every `source` in a machine's file. */
function sourcesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'source' ? [String(each)] : key === 'table' ? [] : sourcesIn(each),
  );
}

describe.each(MACHINE_NAMES)('%s', (name) => {
  test('is complete', async () => {
    const machine = await builtInMachine(name);
    expect(machine.name).toBe(name);
    expect(machine.formCount).toBeGreaterThan(3000);
    for (const form of [
      'add r64,r64',
      'imul r64,r64',
      'mov r64,m64',
      'mov m64,r64',
      'vfmadd231pd y,y,y',
      'jne rel',
    ])
      if (name !== 'ivybridge' || !form.startsWith('vfmadd'))
        expect(machine.needsOf(form), form).toBeDefined();
  });

  test('names a known source for every number', async () => {
    const { sources } = await builtInMachine(name);
    const known = new RegExp(`^(?:${Object.keys(sources).join('|')})\\b`);
    expect(sourcesIn(file(name)).filter((each) => !known.test(each))).toEqual([]);
  });

  test('says where its table of instructions comes from, and under which licence', async () => {
    expect((await builtInMachine(name)).tableNote).toMatch(/LLVM, Apache-2\.0 WITH LLVM-exception/);
  });
});

describe('published facts, beside what the table says', () => {
  const CASES: readonly [machine: string, form: string, ports: readonly string[], latency: number][] = [
    // Intel's optimization manual, figures of the execution engines; uops.info.
    ['skylake', 'add r64,r64', ['0156'], 1],
    ['skylake', 'imul r64,r64', ['1'], 3],
    ['skylake', 'vfmadd231pd y,y,y', ['01'], 4],
    ['skylake', 'vaddpd y,y,y', ['01'], 4],
    ['skylake', 'shl r64,i', ['06'], 1],
    ['haswell', 'vfmadd231pd y,y,y', ['01'], 5],
    ['haswell', 'vaddpd y,y,y', ['1'], 3],
    ['haswell', 'vmulpd y,y,y', ['01'], 5],
    ['broadwell', 'vmulpd y,y,y', ['01'], 3],
    ['ivybridge', 'add r64,r64', ['015'], 1],
    ['sapphirerapids', 'add r64,r64', ['0156A'], 1],
    ['sapphirerapids', 'vaddpd y,y,y', ['15'], 3],
    // AMD's software optimization guides.
    ['zen2', 'add r64,r64', ['0123'], 1],
    ['zen2', 'vfmadd231pd y,y,y', ['ab'], 5],
    ['zen3', 'vfmadd231pd y,y,y', ['ab'], 4],
    ['zen4', 'vaddpd y,y,y', ['cd'], 3],
    ['zen5', 'add r64,r64', ['012345'], 1],
  ];
  test.each(CASES)('%s: %s', async (name, form, ports, latency) => {
    const needs = (await builtInMachine(name)).needsOf(form);
    expect(needs?.compute).toEqual(ports);
    expect(needs?.latency).toBe(latency);
  });
});

describe("the user's own file", () => {
  const mine = { format: 'ilp-gate/machine', version: 1, name: 'mine', extends: 'skylake' };

  test('needs only what differs', async () => {
    const overlay = [{ match: 'imul r64,r64', latency: 7, source: 'measured' }];
    const machine = await ownMachine({ ...mine, overlay }, 'mine.json');
    expect(machine.needsOf('imul r64,r64')).toMatchObject({ compute: ['1'], latency: 7 });
    expect(machine.needsOf('imul r32,r32')).toMatchObject({ latency: 3 });
    expect(machine.issue.width).toBe(4);
  });

  test('is accepted as docs/machines.md shows it', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/machines.md'), 'utf8');
    const shown = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]);
    const machine = await ownMachine(shown, 'docs/machines.md');
    expect(machine.window.reorder).toBe(512);
    expect(machine.needsOf('imul r32,r32')).toMatchObject({ compute: ['15'], latency: 4 });
  });

  const WINDOW = { reorder: 224, scheduler: 97, decodedQueue: 64, loads: 72, stores: 56, source: 'me' };
  const DECODE = { queue: 25, decoders: 4, complexUops: 4, fusibleOnLast: false, source: 'me' };
  const BAD: readonly [what: string, file: object, message: string][] = [
    [
      'an unknown key',
      { ...mine, colour: 'red' },
      'mine.json: the whole file must be no such key, but is "colour"',
    ],
    ['a wrong type', { ...mine, ports: 5 }, 'mine.json: ports must be a string, but is 5'],
    [
      'a missing part',
      { format: 'ilp-gate/machine', version: 1, name: 'mine' },
      'mine.json: title must be a string, but is nothing',
    ],
    ['a machine that does not exist', { ...mine, extends: 'zen9' }, 'there is no machine "zen9"'],
    ['itself as its base', { ...mine, extends: 'mine' }, 'mine.json extends itself, through mine'],
    [
      'a port that it does not have',
      { ...mine, overlay: [{ match: 'nop', uops: '0X', source: 'me' }] },
      'mine.json: port "X" of "0X" is not one of its ports',
    ],
    [
      'a sum that is none',
      { ...mine, overlay: [{ match: 'nop', uops: '2x+', source: 'me' }] },
      'is not a sum of micro-operations',
    ],
    [
      'a bad expression',
      { ...mine, overlay: [{ match: '(', source: 'me' }] },
      'mine.json: "(" is not a regular expression',
    ],
    [
      'more micro-operations than an instruction has',
      { ...mine, overlay: [{ match: 'nop', uops: '99999999*0', source: 'me' }] },
      'mine.json: "99999999*0" are more than 10000 micro-operations',
    ],
    [
      'a latency that no instruction has',
      { ...mine, overlay: [{ match: 'nop', latency: 1e9, source: 'me' }] },
      'mine.json: overlay[0].latency must be at most 10000, but is 1000000000',
    ],
    [
      'a class of something else than numbers',
      { ...mine, table: { note: '', classes: [['0', 'three']], forms: { nop: { 0: '-' } } } },
      'mine.json: "three" in a class of the table is not a whole number up to 10000',
    ],
    [
      'a window in which a cycle of issue has no room',
      { ...mine, window: { ...WINDOW, scheduler: 3 } },
      'mine.json: window.scheduler must be at least issue.width (4)',
    ],
    [
      'a queue in which a cycle of the predecoder has no room',
      { ...mine, decode: { ...DECODE, queue: 5 } },
      'mine.json: decode.queue must be above predecode.width: at least 6',
    ],
    [
      'one decoder that is not to end with a half of a pair',
      { ...mine, decode: { ...DECODE, decoders: 1 } },
      'mine.json: decode.decoders must be at least 2 without fusibleOnLast',
    ],
  ];
  test.each(BAD)('is refused with %s', async (_, json, message) => {
    await expect(ownMachine(json, 'mine.json')).rejects.toThrow(message);
  });
});
