import { describe, expect, test } from 'vitest';
import { toBytes } from './bytes.ts';
import { LinuxError } from './errno.ts';
import { scriptOf } from './script.ts';

const y = (count: number): string => 'y'.repeat(count);

/** As Linux takes them; test/fuzz/scripts.test.ts compares others with the kernel at hand. */
const LINES: readonly [what: string, text: string, taken: readonly string[] | 'ENOEXEC' | undefined][] = [
  ['a name', '#!/bin/a\nrest', ['/bin/a']],
  ['a name and what follows as one argument', '#! \t/bin/a \t-b c \t\nrest', ['/bin/a', '-b c']],
  ['a carriage return, which is a character', '#!/bin/a\r\n', ['/bin/a\r']],
  ['no end: blanks stay', '#!/bin/a -b ', ['/bin/a', '-b ']],
  ['no end and one blank: an empty argument', '#!/bin/a ', ['/bin/a', '']],
  ['a zero: it ends the argument', '#!/bin/a b\0c\n', ['/bin/a', 'b']],
  ['a long argument: 255 bytes are taken', `#!/bin/a ${y(300)}\n`, ['/bin/a', y(246)]],
  ['a long argument that ends just there', `#!/bin/a ${y(246)}\n`, ['/bin/a', y(246)]],
  ['a name that may go on', `#!/${y(300)}\n`, 'ENOEXEC'],
  ['a long name', `#!/${y(252)}\n`, [`/${y(252)}`]],
  ['blanks only', `#!${' '.repeat(300)}/bin/a\n`, 'ENOEXEC'],
  ['nothing', '#! \n/bin/a', 'ENOEXEC'],
  ['another beginning', '# !/bin/a\n', undefined],
];

describe('the first line of a script with', () => {
  test.each(LINES)('%s', (_, text, taken) => {
    const found = (): unknown => {
      try {
        const script = scriptOf(toBytes(text));
        return script && [script.interpreter, ...script.argument];
      } catch (error) {
        if (!(error instanceof LinuxError)) throw error;
        return error.errno;
      }
    };
    expect(found()).toEqual(taken);
  });
});
