import { describe, expect, it } from 'vitest';
import { Failure } from '../base/failure.ts';
import { printLimit } from '../gate/limits.ts';
import { readConfig } from './read.ts';

describe('a configuration', () => {
  it('needs no more than a target with a name and a command', () => {
    expect(readConfig('targets:\n  - name: sum\n    command: ./sum 100\n', 'ilp-gate.yml')).toEqual({
      targets: [
        { name: 'sum', command: ['./sum', '100'], functions: [], env: {}, expectExit: 0, limits: {} },
      ],
      limits: {},
      depth: 3,
      children: 'ignore',
      isa: 'x86-64-v3',
      baseline: '.ilp-gate',
      base: 'baseline',
    });
  });

  it('has all the keys of the contract', () => {
    const config = readConfig(
      [
        'build: |',
        '  make clean',
        '  make',
        'depth: -1',
        'fuel: 1000000000',
        'isa: x86-64-v2',
        'children: measure',
        'machine: zen4',
        'baseline: perf/baselines',
        'base: merge-base',
        'limits: { instructions: +1%, cycles: +500, ilp: -2%, mac: +0.5, macs: +1%, run-time-bound: +100, parallel-bound: +2%, load-imbalance: +0.05, utilisation: -0.1, functions: { main: none, "a::b(int)": { cycles: +5% } } }',
        'targets:',
        '  - name: sum',
        "    command: [./sum, 100, 'a b']",
        '    functions: [sum, "ns::dot(int)"]',
        '    env: { N: 5, MODE: fast }',
        '    stdin: data/in.txt',
        '    expect-exit: 3',
        '    children: ignore',
        '    limits: { cycles: 0 }',
      ].join('\n'),
      'ilp-gate.yml',
    );
    expect(config).toMatchObject({
      build: 'make clean\nmake\n',
      depth: -1,
      fuel: 1_000_000_000,
      isa: 'x86-64-v2',
      children: 'measure',
      machine: 'zen4',
      baseline: 'perf/baselines',
      base: 'merge-base',
      targets: [
        {
          command: ['./sum', '100', 'a b'],
          functions: ['sum', 'ns::dot(int)'],
          env: { N: '5', MODE: 'fast' },
          stdin: 'data/in.txt',
          expectExit: 3,
          children: 'ignore',
        },
      ],
    });
    expect(printLimit('instructions', config.limits.instructions!)).toBe('+1%');
    expect(printLimit('cycles', config.limits.cycles!)).toBe('+500');
    expect(printLimit('ilp', config.limits.ilp!)).toBe('-2%');
    expect(printLimit('mac', config.limits.mac!)).toBe('+0.5');
    expect(printLimit('macs', config.limits.macs!)).toBe('+1%');
    expect(printLimit('run-time-bound', config.limits['run-time-bound']!)).toBe('+100');
    expect(printLimit('parallel-bound', config.limits['parallel-bound']!)).toBe('+2%');
    expect(printLimit('load-imbalance', config.limits['load-imbalance']!)).toBe('+0.05');
    expect(printLimit('utilisation', config.limits.utilisation!)).toBe('-0.1');
    expect(config.limits.functions?.main?.cycles).toEqual({ kind: 'none' });
    expect(config.limits.functions?.main?.macs).toEqual({ kind: 'none' });
    expect(printLimit('cycles', config.limits.functions!['a::b(int)']!.cycles!)).toBe('+5%');
  });
});

describe('a configuration is refused, with line and column, for', () => {
  const oneTarget = (rest: string): string => `targets: [{ name: x, command: ./x${rest} }]`;
  const refusals: [string, string, string, string][] = [
    [
      'a mistyped key',
      'targets:\n  - name: a\n    comand: ./x\n',
      'config-unknown-key',
      '3:5: a target has no key "comand"; did you mean "command"?',
    ],
    [
      'a key in the wrong style',
      oneTarget(', expect_exit: 1'),
      'config-unknown-key',
      '1:36: a target has no key "expect_exit"; did you mean "expect-exit"?',
    ],
    [
      'a strange key',
      'zebra: 1',
      'config-unknown-key',
      '1:1: the configuration has no key "zebra"; it has build, targets, limits, depth, fuel, children, isa, machine, baseline, base',
    ],
    [
      'a mistyped limit',
      oneTarget(', limits: { cycle: 1 }'),
      'config-unknown-key',
      '1:46: limits has no key "cycle"; did you mean "cycles"?',
    ],
    [
      'a mistyped limit of a function',
      oneTarget(', limits: { functions: { f: { cycle: 1 } } }'),
      'config-unknown-key',
      `1:64: a function's entry has no key "cycle"; did you mean "cycles"?`,
    ],
    [
      'a machine without a name',
      `machine: ""\n${oneTarget('')}`,
      'config-invalid',
      '1:10: machine: expected',
    ],
    [
      'a limit on bounds without a machine',
      oneTarget(', limits: { functions: { f: { macs: 0 } } }'),
      'config-invalid',
      '1:70: targets[0].limits.functions.f.macs: expected "machine: NAME" in the configuration, which says what is bounded ("ilp-gate machines" lists them), found a limit without it',
    ],
    [
      'a limit on a bound with the wrong sign',
      `machine: zen4\nlimits: { macs: -0.5 }\n${oneTarget('')}`,
      'config-invalid',
      '2:17: limits.macs: expected how many more cycles an iteration are allowed: 0, +0.5, +1% or none, found -0.5',
    ],
    [
      'a utilisation that is to grow',
      `machine: zen4\nlimits: { utilisation: +5% }\n${oneTarget('')}`,
      'config-invalid',
      '2:24: limits.utilisation: expected how far it may fall: 0, -0.05, -2% or none, found "+5%"',
    ],
    [
      'a load imbalance of a function',
      `machine: zen4\n${oneTarget(', limits: { functions: { f: { load-imbalance: 0 } } }')}`,
      'config-unknown-key',
      `2:64: a function's entry has no key "load-imbalance"; it has instructions, cycles, ilp, mac, macs, run-time-bound`,
    ],
    [
      'a fraction of a run-time bound',
      `machine: zen4\nlimits: { run-time-bound: +0.5 }\n${oneTarget('')}`,
      'config-invalid',
      '2:27: limits.run-time-bound: expected how many more are allowed: 0, +500, +1% or none, found 0.5',
    ],
    [
      'model cycles',
      'limits: { model-cycles: 1 }\ntargets: []',
      'config-unsupported',
      '1:11: model-cycles: model cycles are not computed by this version; "run-time-bound" limits what loops take at least',
    ],
    [
      'no target',
      'targets: []',
      'config-invalid',
      '1:10: targets: expected at least one target, found an empty list',
    ],
    ['an empty file', '', 'config-invalid', '1:1: the whole file: expected a mapping, found null'],
    [
      'a missing command',
      'targets: [{ name: x }]',
      'config-invalid',
      '1:11: targets[0].command: expected a string or a list, found nothing',
    ],
    [
      'a limit with the wrong sign',
      oneTarget(', limits: { cycles: -1% }'),
      'config-invalid',
      '1:54: targets[0].limits.cycles: expected how many more are allowed: 0, +500, +1% or none, found "-1%"',
    ],
    [
      'a name that is no safe file name',
      'targets: [{ name: ../x, command: a }]',
      'config-invalid',
      '1:19: targets[0].name: expected a file name of at most 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit, found "../x"',
    ],
    [
      'names that differ in case only',
      'targets:\n- { name: x, command: a }\n- { name: X, command: a }',
      'config-invalid',
      '3:11: targets[1].name: expected a name of its own, found "X" after "x"',
    ],
    [
      'a command that needs a shell',
      'targets: [{ name: x, command: "a > b" }]',
      'config-invalid',
      '1:31: targets[0].command: expected a program and its arguments, found "a > b": ">" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    [
      'a command without a program',
      'targets: [{ name: x, command: "" }]',
      'config-invalid',
      '1:31: targets[0].command: expected a program and its arguments, found no program',
    ],
    [
      'a fractional depth',
      `depth: 1.5\n${oneTarget('')}`,
      'config-invalid',
      '1:8: depth: expected a whole number, found 1.5',
    ],
    [
      'an unknown ISA level',
      `isa: v3\n${oneTarget('')}`,
      'config-invalid',
      '1:6: isa: expected "x86-64" or "x86-64-v2" or "x86-64-v3", found "v3"',
    ],
    [
      'an exit status that is none',
      oneTarget(', expect-exit: 256'),
      'config-invalid',
      '1:49: targets[0].expect-exit: expected at most 255, found 256',
    ],
    [
      'an environment value that YAML takes for a truth',
      oneTarget(', env: { A: true }'),
      'config-invalid',
      '1:46: targets[0].env.A: expected a string or a number, found true',
    ],
    ['YAML that is none', 'targets:\n  - name: [a\n', 'config-malformed-yaml', '3:1: this is not YAML: '],
    [
      'a key given twice',
      'depth: 1\ndepth: 2',
      'config-malformed-yaml',
      '2:1: this is not YAML: Map keys must be unique',
    ],
    [
      'a build with NUL',
      `build: "make \\0"\n${oneTarget('')}`,
      'config-invalid',
      '1:8: build: expected text without NUL characters, found "make \\u0000"',
    ],
    [
      'a path with NUL',
      oneTarget(', stdin: "\\0"'),
      'config-invalid',
      '1:43: targets[0].stdin: expected text without NUL characters, found "\\u0000"',
    ],
    ['a tab as indentation', 'targets:\n\t- name: a', 'config-malformed-yaml', '2:'],
  ];

  it.each(refusals)('%s', (_, text, code, message) => {
    let failure: unknown;
    try {
      readConfig(text, 'ilp-gate.yml');
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ kind: 'config', code });
    expect((failure as Failure).message.slice(0, `ilp-gate.yml:${message}`.length)).toBe(
      `ilp-gate.yml:${message}`,
    );
  });
});
