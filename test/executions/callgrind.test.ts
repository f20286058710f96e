import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isMissing, Workshop } from '../measure/build.ts';
import { countsOf } from './counts.ts';

/** Instructions and how often they were executed, from a profile with --dump-instr=yes and nothing compressed. */
function parse(profile: string): Map<number, number> {
  const counts = new Map<number, number>();
  let isCall = false;
  for (const line of profile.split('\n')) {
    const cost = /^0x([0-9a-f]+) \d+ (\d+)$/.exec(line);
    if (cost !== null && !isCall) {
      const address = Number.parseInt(cost[1], 16);
      counts.set(address, (counts.get(address) ?? 0) + Number(cost[2]));
    }
    // The line after a call is what was spent in it.
    isCall = line.startsWith('calls=');
  }
  return counts;
}

describe.skipIf(isMissing('gcc', 'valgrind'))('callgrind counts the same', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each([
    ['mixed.c', '../measure/programs/mixed.c', ['-DFREESTANDING', '-ffreestanding', '-nostdlib'], []],
    ['jumps.c', '../measure/programs/jumps.c', ['-DFREESTANDING', '-ffreestanding', '-nostdlib'], []],
    [
      'a sort',
      '../../bench/kernels/quick-sort.c',
      ['-I', join(import.meta.dirname, '../../bench/kernels')],
      ['1'],
    ],
    [
      'a virtual machine',
      '../../bench/kernels/vm-goto.c',
      ['-I', join(import.meta.dirname, '../../bench/kernels')],
      ['1'],
    ],
  ])('for %s, instruction by instruction', (_, source, flags, args) => {
    const text = readFileSync(join(import.meta.dirname, source), 'utf8');
    const program = workshop.compile(text, ['-O2', '-static', '-fno-stack-protector', ...flags]);
    const file = join(workshop.directory, 'profile');
    const options = ['--tool=callgrind', '--dump-instr=yes', '--compress-pos=no', '--compress-strings=no'];
    const command = [...options, `--callgrind-out-file=${file}`, program, ...args];
    expect(spawnSync('valgrind', command).error).toBeUndefined();
    const expected = parse(readFileSync(file, 'utf8'));
    // A C library asks the processor what it is, which callgrind answers otherwise: the program's own functions are compared.
    const object = workshop.compile(text, ['-O2', '-c', '-fno-stack-protector', ...flags]);
    const own = new Set([...symbols(object)].map(([name]) => name));
    const places = [...symbols(program)].filter(([name]) => own.has(name)).map(([, place]) => place);
    const isOwn = (address: number) => places.some(([start, end]) => address >= start && address < end);
    const counts = countsOf(program, args);
    const seen = new Map<number, number>();
    let instructions = 0;
    for (const range of counts.executions.ranges)
      for (let address: number = range.start; address < range.end; address++)
        if (isOwn(address) && expected.has(address)) seen.set(address, range.executions);
    for (const { start, end, ...range } of counts.executions.ranges)
      if (isOwn(start) && isOwn(end - 1)) instructions += range.instructions * range.executions;
    expect(instructions).toBeGreaterThan(0.9 * counts.run.instructions);
    const wanted = new Map([...expected].filter(([address]) => isOwn(address)));
    // Callgrind does not hear of the block that ends the run.
    const sum = [...seen.values()].reduce((total, times) => total + times, 0);
    expect(instructions - sum).toBeLessThan(5);
    expect(new Map([...seen].sort(([a], [b]) => a - b))).toEqual(
      new Map([...wanted].sort(([a], [b]) => a - b)),
    );
  });
});

/** Functions by name: where they begin and end. */
function symbols(file: string): Map<string, readonly [number, number]> {
  const found = new Map<string, readonly [number, number]>();
  for (const line of execFileSync('nm', ['-S', file], { encoding: 'utf8' }).split('\n')) {
    const match = /^([0-9a-f]+) ([0-9a-f]+) [Tt] (\S+)$/.exec(line);
    if (match === null) continue;
    const start = Number.parseInt(match[1], 16);
    found.set(match[3], [start, start + Number.parseInt(match[2], 16)]);
  }
  return found;
}
