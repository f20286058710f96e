import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printBlock } from '../../src/ir/printer.ts';
import { verifyBlock } from '../../src/ir/verify.ts';
import { CodeReader } from '../../src/x86/decode.ts';
import { liftBlock } from '../../src/x86/lift/block.ts';
import { VARIABLES } from '../../src/x86/state.ts';
import { assembleTexts } from '../reference/assemble.ts';
import { hasNativeOracle } from './native/runner.ts';

/** Each file is assembly, a line of dashes and the lifted block. `vitest -u` writes the block anew, for review. */
const FOLDER = new URL('./blocks/', import.meta.url);
const SEPARATOR = '---\n';
const ADDRESS = 0x1000;

describe.skipIf(!hasNativeOracle())('lifted blocks', () => {
  const files = readdirSync(FOLDER).sort();
  const sources = files.map((file) => readFileSync(new URL(file, FOLDER), 'utf8').split(SEPARATOR)[0]);
  const codes = assembleTexts(sources);

  files.forEach((file, i) => {
    it(`${file.replace('.txt', '').replaceAll('-', ' ')} is lifted as reviewed`, async () => {
      const code = new CodeReader((address) => codes[i].subarray(address - ADDRESS, address - ADDRESS + 15));
      const block = liftBlock(code, ADDRESS, { top: 0, limit: 100 });
      expect(verifyBlock(block, VARIABLES)).toEqual([]);
      const text = `${sources[i]}${SEPARATOR}${printBlock(block, VARIABLES)}`;
      await expect(text).toMatchFileSnapshot(new URL(file, FOLDER).pathname);
    });
  });
});
