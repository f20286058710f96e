import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from './words.ts';

/** The words as the shell itself splits them. */
function shellWords(command: string): string[] {
  const output = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('a command line', () => {
  it('is split as /bin/sh splits it', () => {
    const piece = fc.constantFrom(
      'a',
      'bc',
      ' ',
      '  ',
      '\t',
      "'",
      '"',
      '\\',
      '-x',
      '=',
      '/',
      "'a b'",
      '"a b"',
      '"\\""',
      '\\ ',
      'é',
      '%',
      '~',
      '#',
      '\\\n',
    );
    // A backslash before a line continuation makes a plain line break of it, which to the shell ends the command.
    const lines = fc
      .array(piece, { minLength: 1, maxLength: 10 })
      .filter((pieces) => !pieces.some((text, i) => text === '\\\n' && pieces[i - 1] === '\\'))
      .map((pieces) => `x ${pieces.join('')}`);
    fc.assert(
      fc.property(lines, (line) => {
        const split = splitWords(line);
        if (split.kind === 'words') expect(split.words).toEqual(shellWords(line));
      }),
      { numRuns: 150 },
    );
  });

  it('that was quoted word by word is split into these words', () => {
    const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitWords(words.map(quote).join(' '))).toEqual({ kind: 'words', words });
      }),
    );
  });

  it.each([
    [
      './a > out',
      '">" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    [
      './a "$HOME"',
      '"$" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    [
      './a | b',
      '"|" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    [
      './a *.txt',
      '"*" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    [
      '~/a',
      '"~" would need a shell, and none runs here; put it in single quotes if the program is to see it',
    ],
    ["./a 'b", 'the single quote at character 5 is never closed'],
    ['./a "b', 'the double quote at character 5 is never closed'],
    ['./a \\', 'it ends with a backslash'],
  ])('that a shell would act on is refused: %s', (command, problem) => {
    expect(splitWords(command)).toEqual({ kind: 'refused', problem });
  });

  it('may hold quoted shell syntax, which the program then sees', () => {
    expect(splitWords(`./a '$x > y' "a;b" c\\*`)).toEqual({
      kind: 'words',
      words: ['./a', '$x > y', 'a;b', 'c*'],
    });
  });
});
