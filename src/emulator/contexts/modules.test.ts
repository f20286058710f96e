import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { haveTools } from '../../elf/fixtures/tools.ts';
import { parseImage } from '../../elf/parse.ts';
import { ModuleMap } from './modules.ts';

/** A file with a local function and its cold part, of a name that others have, too. */
const source = (file: string) => `
.file "${file}.c"
.text
.type work, @function
work: test %edi, %edi
  jne work.cold
  ret
.size work, .-work
.globl ${file}
.type ${file}, @function
${file}: call work
  ret
.size ${file}, .-${file}
.section .text.unlikely, "ax"
.type work.cold, @function
work.cold: xor %edi, %edi
  jmp work
.size work.cold, .-work.cold
`;

describe.skipIf(!haveTools('gcc'))('functions of one name in several files', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'modules-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('have cold parts of their own', () => {
    const files = ['one', 'two'].map((file) => {
      const path = join(directory, `${file}.s`);
      writeFileSync(path, source(file));
      return path;
    });
    const path = join(directory, 'program');
    execFileSync('gcc', ['-nostdlib', '-static', '-Wl,-e,one', '-o', path, ...files]);
    const image = parseImage(path, readFileSync(path));
    const map = new ModuleMap([{ path, image, base: 0, start: 0, end: 2 ** 32 }]);
    const at = (name: string, file: string): number =>
      image.functions.find((symbol) => symbol.name === name && symbol.file === `${file}.c`)!.address;
    const enters = ['one', 'two'].map((from) =>
      ['one', 'two'].map((to) => map.entersFunction(at('work.cold', from), at('work', to))),
    );
    expect(enters).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});
