import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../base/failure.ts';
import { readListing } from './listing.ts';
import { findLoops } from './loops.ts';
import { macstat } from './macstat.ts';

const pairsOf = (text: string) =>
  readListing(text, 'a.s').pairs.map(({ line, left, right }) => [
    line,
    [left.mnemonic, ...left.operands].join(' '),
    [right.mnemonic, ...right.operands].join(' '),
  ]);

describe('a listing', () => {
  test('is pairs, labels, directives and comments', () => {
    const text = [
      '\t.def\tf$TXT;\t.val\tf$TXT;\t.endef',
      'f$TXT:',
      '   finop\t\t;  cxnop',
      '# finop ; ld8 0(%c6), %f0',
      '.L6: .L7:  fmad8.tr %f0, %f9, %f8 ;  ld8.ex  0(%c6), %f8  # from x(k)',
      '/* over',
      '   lines */',
      '\tFINOP\t; BCC.QN @citst, .L6',
      '\t.half 0x0, 0x7ffff000',
      'f:\t.word f$TXT',
    ].join('\r\n');
    expect(pairsOf(text)).toEqual([
      [3, 'finop', 'cxnop'],
      [5, 'fmad8.tr %f0 %f9 %f8', 'ld8.ex 0(%c6) %f8'],
      [8, 'finop', 'bcc.qn @citst .L6'],
    ]);
    expect(readListing(text, 'a.s').labels).toEqual([
      { name: 'f$TXT', line: 2, pair: 0 },
      { name: '.L6', line: 5, pair: 1 },
      { name: '.L7', line: 5, pair: 1 },
      { name: 'f', line: 10, pair: 3 },
    ]);
  });

  test('may have a bar or white space between its columns', () => {
    const pair = [[1, 'fadd8 %f0 %f1 %f2', 'ld8 8(%c6) %f3']];
    expect(pairsOf('fadd8 %f0, %f1, %f2 | ld8 8(%c6), %f3')).toEqual(pair);
    expect(pairsOf('fadd8 %f0, %f1, %f2 || ld8 8(%c6), %f3')).toEqual(pair);
    expect(pairsOf('  fadd8 %f0,%f1 , %f2\t\tld8 8(%c6),%f3')).toEqual(pair);
    expect(pairsOf('finop  cxnop')).toEqual([[1, 'finop', 'cxnop']]);
    expect(pairsOf('finop  bcc.qn citst, loop')).toEqual([[1, 'finop', 'bcc.qn citst loop']]);
  });

  test('may have a heading, and comments behind a semicolon where that is not between the columns', () => {
    const text = [
      '; kernel 1, as compiled',
      'FPU/IPU              CEU/XIU',
      '-------------------------------',
      'fadd8 %f0, %f1, %f2  ld8 8(%c6), %f3   ; from y',
      'fadd8 %f0, %f1, %f2 | ld8 8(%c6), %f3  ; from y; and so on',
    ].join('\n');
    expect(pairsOf(text)).toEqual([
      [4, 'fadd8 %f0 %f1 %f2', 'ld8 8(%c6) %f3'],
      [5, 'fadd8 %f0 %f1 %f2', 'ld8 8(%c6) %f3'],
    ]);
    expect(pairsOf('finop ; cxnop\n ; ld8 8(%c6), %f3')[1]).toEqual([2, 'finop', 'ld8 8(%c6) %f3']);
  });

  test('has nothing in the other column where a line has one instruction', () => {
    expect(pairsOf('finop ; cxnop\nld8 0(%c6), %f0\nfadd8 %f0, %f1, %f2\nadd8 1, %i5, %i5').slice(1)).toEqual(
      [
        [2, 'finop', 'ld8 0(%c6) %f0'],
        [3, 'fadd8 %f0 %f1 %f2', 'cxnop'],
        [4, 'add8 1 %i5 %i5', 'cxnop'],
      ],
    );
  });

  test.each([
    ['', 'a.s is not a two-column listing of KSR assembly code'],
    ['\tmovq %rsp, %rbp\n\tret\n', 'a.s is not a two-column listing of KSR assembly code'],
    ['finop ; cxnop\n.L1:\n.L1:\n', 'a.s:3: the label .L1 is on line 2 already'],
    ['finop ; cxnop ; cxnop\n', 'a.s:1: there are 3 instructions, and a pair has two'],
    ['finop ; ???\n', 'a.s:1: "???" is not the name of an instruction'],
    ['finop ; ld8 0(%c6),, %f0\n', 'a.s:1: "" is not an operand of ld8'],
    ['finop ; cxnop\0', 'a.s:1: this is not text'],
  ])('is refused with the place and the reason: %j', (text, message) => {
    expect(() => readListing(text, 'a.s')).toThrow(message);
  });
});

describe('hostile text', () => {
  test('ends in a listing or a Failure', () => {
    const word = fc.constantFrom(
      'finop',
      'cxnop',
      'bcc.qn',
      'fmad8.tr',
      'x',
      '.L1',
      ':',
      ';',
      '|',
      ',',
      '(',
      ')',
      '%c6',
      '\n',
      ' ',
      '/*',
      '*/',
      '#',
      '.',
      '\t',
      '0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 3 })), { maxLength: 60 }), (words) => {
        try {
          macstat(findLoops(readListing(words.join(''), 'a.s')));
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['a long line', `finop ; ld8 ${'0+'.repeat(200_000)}0(%c6), %f0`],
    ['blanks', `finop${' '.repeat(300_000)}; cxnop${' '.repeat(300_000)}x`],
    ['open comments', `finop ; cxnop ${'/*'.repeat(200_000)}`],
    ['commas', `finop ; x ${','.repeat(200_000)}`],
    ['loops on one label', `.L1:\n${'finop ; bcc.qt @c, .L1\n'.repeat(900)}`],
    ['loops side by side', range(40_000, (i) => `.L${i}:\nfinop ; bcc.qt @c, .L${i}\n`)],
    [
      'areas within each other',
      `.A:\n${range(20_000, (i) => `finop ; bcc.qt @c, .L${i}\n`)}${range(20_000, (i) => `.L${19_999 - i}:\nfinop ; cxnop\n`)}finop ; bcc.qt @c, .A`,
    ],
    [
      'areas across each other',
      `.A:\n${range(20_000, (i) => `finop ; bcc.qt @c, .L${i}\n`)}${range(20_000, (i) => `.L${i}:\nfinop ; cxnop\n`)}finop ; bcc.qt @c, .A`,
    ],
    [
      'loops that cross',
      `${range(20_000, (i) => `.L${i}:\nfinop ; cxnop\n`)}${range(20_000, (i) => `finop ; bcc.qt @c, .L${i}\n`)}`,
    ],
  ])('takes no long time: %s', (_, text) => {
    const begin = process.cpuUsage().user;
    try {
      macstat(findLoops(readListing(text, 'a.s')));
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
    }
    expect((process.cpuUsage().user - begin) / 1000).toBeLessThan(5000);
  });

  test('is refused where loops are nested deeper than any program', () => {
    const text = `${range(1500, (i) => `.L${i}:\n`)}${range(1500, (i) => `finop ; bcc.qt @c, .L${1499 - i}\n`)}`;
    expect(() => findLoops(readListing(text, 'a.s'))).toThrow('nested more than 1000 deep');
  });
});

function range(count: number, text: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join('');
}
