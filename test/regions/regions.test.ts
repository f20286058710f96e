import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseImage } from '../../src/elf/parse.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { commandOf } from '../reference/program.ts';
import { dumpRegion } from './dump.ts';
import { regionsOf } from './regions.ts';

/**
 * Each *.s here is a program whose label `region` begins a region; the *.txt beside it is what that region becomes.
 * A change of generated code shows in review as a change of these. UPDATE=1 writes them anew.
 */
describe.skipIf(isMissing('as', 'ld'))('generated code is what was reviewed', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const here = import.meta.dirname;

  for (const name of readdirSync(here).filter((file) => file.endsWith('.s')))
    it(name, () => {
      const [object, program] = ['o', 'elf'].map((extension) =>
        join(workshop.directory, `${name}.${extension}`),
      );
      execFileSync('as', ['-o', object, join(here, name)]);
      execFileSync('ld', ['-Ttext=0x401000', '-Tdata=0x403000', '-Tbss=0x404000', '-o', program, object]);
      const image = parseImage(program, readFileSync(program));
      const entry = image.functions.find((symbol) => symbol.name === 'region')!.address;
      const { made, code, exit } = regionsOf({
        command: commandOf(program, []),
        directory: process.cwd(),
        kind: 'lanes',
        limits: { hotEntries: 50, warmEntries: 0, patience: 0, missesPerTelling: 1 },
      });
      expect(exit).toMatchObject({ kind: 'exit', status: 0 });
      const last = made.findLast(({ region }) => region.entry === entry);
      const text = dumpRegion(last!, code);
      const file = join(here, name.replace(/\.s$/, '.txt'));
      if (process.env.UPDATE === '1') writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, 'utf8'));
    });
});
