import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, fenced, mermaidLabel, plain, prose, visible } from './escape.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '`',
        '``',
        '|',
        '\\',
        '@octocat',
        '#1',
        '<b>',
        '-->',
        '</details>',
        '\n',
        '\r',
        '::',
        '##[',
        '\u202e',
        '\u200b',
        '"',
        ']',
        ' ',
        'a',
        '\u001b[31m',
        '```',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

describe('a foreign name', () => {
  it('has no character that cannot be seen, and stays on one line', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        expect(visible(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });

  it('is nothing that a runner would obey, wherever it stands in a line of a log', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        expect(plain(name)).not.toMatch(/^\s*::|##\[|\n/);
      }),
    );
  });

  it('cannot leave its code span: no run of backticks within is as long as the fence', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const [, fence, inner] = /^(`+)(.*?)\1$/su.exec(code(name))!;
        const runs = [...inner!.matchAll(/`+/g)].map((run) => run[0].length);
        expect(runs).not.toContain(fence!.length);
        expect(inner).not.toMatch(/^`|`$/);
      }),
    );
  });

  it('cannot end its table cell: every bar is escaped', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        expect(code(name, 'cell')).not.toMatch(/(?<!\\)\|/);
      }),
    );
  });

  it('cannot end its fenced block: no line is a fence as long as the block’s', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), (lines) => {
        const [opening, ...rest] = fenced(lines).split('\n');
        const fence = /^`+/.exec(opening!)![0];
        expect(rest).toHaveLength(lines.length + 1);
        expect(rest.slice(0, -1).some((line) => line.includes(fence))).toBe(false);
      }),
    );
  });

  it('is only plain characters and entities within a diagram', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        expect(mermaidLabel(name)).toMatch(/^(?:[A-Za-z0-9 .,:%_/+-]|#\d+;)*$/);
      }),
    );
  });

  it('is nothing but plain words and code spans in a sentence', () => {
    const sentence = fc.array(
      fc.oneof(hostile, fc.constantFrom('a', 'line', '42.', '*b*', 'www.x.org', 'GH-1', 'deadbeef', '_x_')),
    );
    fc.assert(
      fc.property(sentence, (words) => {
        const text = prose(words.join(' '), 'cell');
        expect(text).not.toMatch(/(?<!\\)\||\n/);
        const outside = text.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/gsu, '');
        expect(outside).toMatch(/^[\p{L}\d (),.;:?!%’'+-]*$/u);
        expect(outside).not.toMatch(/www\.|GH-\d|[0-9a-f]{7}/);
      }),
    );
  });

  it('is a sentence still when most of its words are plain', () => {
    expect(prose('xmm6 goes to [rsp+8h], and back (twice) in 3.5% of #1.')).toBe(
      '`xmm6` goes to `[rsp+8h],` and back (twice) in 3.5% of `#1.`',
    );
  });

  it('is left as it is when it is harmless', () => {
    for (const name of ['sum', 'ns::dot<float>(float const*, long)', 'operator+', 'größe', '総和']) {
      expect(plain(name)).toBe(name);
      expect(code(name)).toBe(`\`${name}\``);
    }
  });

  it('is shortened in the middle when it is very long', () => {
    expect(visible(`${'a'.repeat(500)}end`)).toMatch(/^a{106}…a{50}end$/);
  });
});
