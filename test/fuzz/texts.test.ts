import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read.ts';
import { diffProfiles } from '../../src/diff/diff-profiles.ts';
import { readEvent } from '../../src/host/actions-event.ts';
import { readGrammar } from '../../src/host/grammars.ts';
import { builtInMachine, ownMachine } from '../../src/machines/catalog.ts';
import { boundBlocks } from '../../src/pipeline/blocks.ts';
import { boundListing } from '../../src/pipeline/ksr.ts';
import { readProfile } from '../../src/profile/read.ts';
import { sourceLoops } from '../../src/source/analyse.ts';
import { listing } from '../ksr/listings.ts';
import { fuzz, mutants, mutatedText } from './fuzz.ts';

const at = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PROFILE = at('examples/summation/.ilp-gate/prebuilt/Sum.json');
const LOOPS = at('examples/livermore/.ilp-gate/kernel1.json');

type Path = readonly (string | number)[];

/** Where a tree has values that are no objects. */
function leaves(tree: unknown, path: Path = []): readonly Path[] {
  if (typeof tree !== 'object' || tree === null) return [path];
  return Object.entries(tree).flatMap(([key, value]) => leaves(value, [...path, key]));
}

function set(tree: unknown, path: Path, value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((each, key) => (each as Record<string, unknown>)[key], tree);
  if (typeof parent === 'object' && parent !== null)
    (parent as Record<string, unknown>)[path.at(-1)!] = value;
}

describe('a profile', () => {
  const JSON_WORDS = [
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    '-1',
    '1e999',
    'null',
    '{"__proto__":1}',
    '[[[[',
    '9007199254740993',
    '"\\u0000"',
  ];

  it('that is damaged is read or refused', async () => {
    const texts = [PROFILE, LOOPS];
    const { codes } = await fuzz(mutants(2), 200, (mutant) => {
      const profile = readProfile(mutatedText(texts[mutant.seed], mutant, JSON_WORDS), 'p.json');
      diffProfiles(readProfile(texts[0], 'q.json'), profile);
    });
    expect(codes.size).toBeGreaterThan(0);
  });

  it('of any JSON is read or refused', async () => {
    const shaped = fc.tuple(
      fc.json(),
      fc.constantFrom('calls', 'chains', 'functions', 'total', 'environment', 'loops'),
    );
    await fuzz(shaped, 300, ([json, key]) => {
      const good = JSON.parse(PROFILE) as Record<string, unknown>;
      readProfile(JSON.stringify({ ...good, [key]: JSON.parse(json) }), 'p.json');
    });
  });

  it('as deep as its text is long is read or refused', async () => {
    const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000);
    const call = '{"function":"f","depth":1,"index":0,"instructions":1,"cycles":1,"ilp":1,"calls":[';
    const texts = [
      deep('[', ']'),
      deep('{"a":', '}'),
      '['.repeat(1_000_000),
      PROFILE.replace(/"calls": \[/, `"calls": [${call.repeat(20_000)}`),
    ];
    for (const text of texts) await fuzz(fc.constant(text), 1, (each) => readProfile(each, 'p.json'));
  });
});

describe('a configuration', () => {
  const GOOD = at('examples/summation/ilp-gate.yml');
  const WORDS = [
    '&a',
    '*a',
    '<<: *a',
    '!!js/function x',
    '{',
    '[',
    '|',
    '>',
    '- ',
    ': ',
    '\t',
    '!!binary x',
    '? ',
    '---\n',
    '0x7fffffffffffffff',
    '"\\x1b[31m"',
    '%YAML 9.9\n',
  ];

  it('that is damaged is read or refused', async () => {
    const { codes } = await fuzz(mutants(1), 400, (mutant) =>
      readConfig(mutatedText(GOOD, mutant, WORDS), 'ilp-gate.yml'),
    );
    expect(codes.size).toBeGreaterThan(0);
  });

  it('that would become a billion values is refused soon', async () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      i === 0 ? 'a0: &a0 [x, x]' : `a${i}: &a${i} [${'*a'.concat(String(i - 1), ', ').repeat(9)}*a${i - 1}]`,
    );
    const circle = 'targets: &t [{ name: a, command: b, limits: &l { functions: { f: *l } } }, *t]';
    const texts = [
      rows.join('\n'),
      `${rows.join('\n')}\ntargets: *a29`,
      circle,
      '&a [*a]',
      `targets: ${'['.repeat(20_000)}`,
      '['.repeat(250_000),
      '{a: '.repeat(60_000),
      '- '.repeat(120_000),
      '? '.repeat(120_000),
      `targets:\n${Array.from({ length: 3000 }, (_, i) => ' '.repeat(i)).join('-\n')}`,
      'x'.repeat(5_000_000),
      'a: b\n'.repeat(50_000),
      'a: b\n'.repeat(300_000),
      '\0'.repeat(100_000),
    ];
    for (const text of texts) {
      const { codes } = await fuzz(fc.constant(text), 1, (each) => readConfig(each, 'ilp-gate.yml'));
      expect([...codes]).toHaveLength(1);
    }
  });
});

describe('what else is read as text', () => {
  it('a listing of KSR code is read or refused', async () => {
    const texts = ['figure10.s', 'figure20.s', 'delay-slots.s'].map(listing);
    await fuzz(mutants(3), 150, async (mutant) => {
      const text = mutatedText(texts[mutant.seed], mutant, [
        'finop',
        'cxnop',
        '; ',
        '.L1:',
        'bcc.qn',
        '%f',
        ',',
      ]);
      await boundListing(text, 'x.s', {});
    });
  });

  it('blocks of bytes are read or refused', async () => {
    const machine = await builtInMachine('zen4');
    const hex = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const line = fc.oneof(
      hex,
      fc.tuple(hex, fc.string()).map((both) => both.join(',')),
      fc.string(),
    );
    await fuzz(fc.array(line, { maxLength: 3 }), 300, (lines) =>
      boundBlocks(lines.join('\n'), 'b.csv', machine),
    );
    await fuzz(fc.constant('90'.repeat(20_000)), 1, (text) => boundBlocks(text, 'b.csv', machine));
  });

  it.each([
    [
      'c',
      'examples/livermore/kernels.c',
      ['{', '}', '(', ')', '#define f(x) f(f(x))\n', '/*', 'for(;;)', '"', '\\\n', '#if 1\n'],
    ],
    [
      'c++',
      'src/elf/fixtures/shapes.cc',
      ['{', '}', '<', '>', 'template <class', 'for (', '[&](', 'R"(', '::'],
    ],
    [
      'fortran-free',
      'examples/livermore/kernels.f90',
      ['do\n', 'end do\n', '&\n', '(', ')', 'if (', '!', "'", '10 continue\n', 'do 10 i='],
    ],
  ] as const)('a source of %s is read or refused', async (language, path, words) => {
    const whole = at(path);
    // A part, so that each case takes milliseconds.
    const parts = [whole.slice(0, 4000), whole.slice(-4000)];
    await fuzz(mutants(2), 60, async (mutant) => {
      await sourceLoops(mutatedText(parts[mutant.seed], mutant, words), language, readGrammar);
    });
    const deep = ['(', '{', '[', 'if(1)', 'for(;;)', '-', '*', 'do i=1,2\n', 'if (a) then\n', '&'];
    for (const word of deep) {
      const text =
        language === 'fortran-free'
          ? `subroutine s\n${word.repeat(5000)}`
          : `int f(int a){${word.repeat(5000)}`;
      await fuzz(fc.constant(text), 1, (each) => sourceLoops(each, language, readGrammar));
    }
  });

  it('macros that grow without end are given up', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `#define A${i + 1} A${i} A${i}`);
    const text = `#define A0 x +\n${rows.join('\n')}\nint f(int x) { for (int i = 0; i < 9; i++) x += A40 1; return x; }`;
    await fuzz(fc.constant(text), 1, (each) => sourceLoops(each, 'c', readGrammar));
  });

  it('a machine file is read or refused', async () => {
    const good = JSON.parse(at('src/machines/zen4.json')) as Record<string, unknown>;
    const keys = Object.keys(good);
    const edit = fc.tuple(fc.constantFrom(...keys), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    await fuzz(edit, 150, async ([key, value]) => {
      const { [key]: _, ...others } = good;
      await ownMachine(value === undefined ? others : { ...others, [key]: value }, 'm.json');
    });
    await fuzz(fc.jsonValue(), 100, (json) => ownMachine(json, 'm.json'));
    await fuzz(fc.constant({ extends: './m.json' }), 1, (json) => ownMachine(json, 'm.json'));
  });

  it('a machine whose file is changed anywhere bounds what it accepts, or is refused', async () => {
    const whole = JSON.parse(at('src/machines/skylake.json'));
    const { classes, forms } = whole.table;
    // Few forms, so that each case takes milliseconds.
    const few = Object.entries(forms as Record<string, unknown>).filter(([name]) =>
      /^(add|mov|imul|div|vaddps|vdivpd|push)$/.test(name),
    );
    const small = {
      ...whole,
      overlay: whole.overlay.slice(0, 12),
      table: { note: '', classes, forms: Object.fromEntries(few) },
    };
    const places = leaves(small).filter(([, second, place]) => second !== 'classes' || Number(place) < 40);
    const edge = fc.constantFrom<unknown>(
      ...[
        0,
        1,
        2,
        3,
        31,
        32,
        33,
        64,
        1000,
        1e6,
        2 ** 31,
        2 ** 32,
        2 ** 53 - 1,
        2 ** 53,
        1e300,
        -1,
        0.5,
        null,
      ],
      ...[
        '',
        '0',
        '00',
        'L',
        'S',
        '2*0156+1+L',
        '99999999*0',
        '0+',
        '9*9*9',
        'zzz',
        '0123456789abcdefghijklmnopqrstuvwxyz',
      ],
      ...['.*', '(', 'any', 'stack', 'none', 'amd', [], {}, true],
    );
    const edits = fc.array(fc.tuple(fc.constantFrom(...places), edge), { minLength: 1, maxLength: 3 });
    const blocks = [
      '4801d8', // add rax, rbx
      '48f7f148f7f1', // div rcx, twice
      '488b0748890748ffc0', // mov rax, [rdi]; mov [rdi], rax; inc rax
      '505358', // push, push, pop
      'c5fc58c1c5fd5ec2c5fc1107', // vaddps, vdivpd, vmovups to memory
      '480faf04cf66b83412', // imul with an indexed load, a length-changing prefix
    ].join('\n');
    const { accepted } = await fuzz(edits, 200, async (changes) => {
      const json = structuredClone(small);
      for (const [path, value] of changes) set(json, path, value);
      const machine = await ownMachine(json, 'm.json');
      for (const { cycles, bottleneck } of boundBlocks(blocks, 'b.csv', machine))
        if (!(Number.isFinite(cycles) && cycles >= 0)) throw new Error(`${cycles} cycles by ${bottleneck}`);
    });
    expect(accepted).toBeGreaterThan(20);
  });

  it('an event of GitHub’s is read or refused', async () => {
    const names = ['pull_request', 'pull_request_target', 'push', 'workflow_run', 'issue_comment', 'x'];
    const repository = { full_name: fc.string() };
    const shaped = fc.record(
      {
        pull_request: fc.record({ number: fc.anything(), head: fc.anything(), base: fc.anything() }),
        repository: fc.oneof(fc.record(repository), fc.anything()),
        ref: fc.anything(),
        before: fc.string(),
        issue: fc.anything(),
        workflow_run: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      shaped.map((value) => {
        try {
          return JSON.stringify(value) ?? '';
        } catch {
          return ''; // BigInt
        }
      }),
      fc.json(),
      fc.string(),
    );
    await fuzz(fc.tuple(fc.constantFrom(...names), text), 400, ([name, json]) =>
      readEvent(name, json, 'abc'),
    );
  });
});
