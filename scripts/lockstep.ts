/** Runs a program in translated code and in the interpreter side by side: `npm run lockstep`, see CONTRIBUTING.md. */
import { parseArgs } from 'node:util';
import { inputFrom } from '../src/host/input.ts';
import { OPTIMISATIONS } from '../src/translate/limits.ts';
import { lockstep } from '../test/lockstep/lockstep.ts';
import { commandOf } from '../test/reference/program.ts';
import { dumpRegion } from '../test/regions/dump.ts';
import { splitCommand } from './split-command.ts';

const USAGE = `npm run lockstep -- [options] -- PROGRAM [ARG]...

  Executes the program in regions and, one instruction at a time, in the interpreter. After each slice registers, flags,
  memory, steps, and contexts of both are compared. Prints the first difference with the region where it arose.

  --slice N        instructions of the first slice (default: 1000)...
  --growth F       ...and how much longer each is than the one before (default: 1.2)
  --hot N          entries after which a block is translated (default: 1)
  --depth K        deepest contexts (default: 3)
  --tags           compare the code that follows chains, not the code that counts
  --without LIST   optimisations to leave out: ${OPTIMISATIONS.join(', ')}
`;

function main(): number {
  const { own, program } = splitCommand(process.argv.slice(2));
  const { values } = parseArgs({
    args: [...own],
    options: {
      slice: { type: 'string', default: '1000' },
      growth: { type: 'string', default: '1.2' },
      hot: { type: 'string', default: '1' },
      depth: { type: 'string', default: '3' },
      tags: { type: 'boolean', default: false },
      without: { type: 'string', default: '' },
    },
  });
  if (program.length === 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const outcome = lockstep({
    command: commandOf(program[0], program.slice(1)),
    directory: process.cwd(),
    input: inputFrom(0),
    kind: values.tags ? 'tags' : 'lanes',
    depth: Number(values.depth),
    limits: {
      hotEntries: Number(values.hot),
      without: OPTIMISATIONS.filter((each) => values.without.split(/ *, */).includes(each)),
    },
    slice: (n) => Math.floor(Number(values.slice) * Number(values.growth) ** n),
  });
  if (outcome.kind === 'same') {
    const { instructions, slices, regions } = outcome;
    process.stdout.write(
      `the same after each of ${slices} slices: ${instructions} instructions, ${regions} regions\n`,
    );
    return 0;
  }
  const { difference, from, to, address, region, code } = outcome;
  process.stdout.write(
    [
      `${difference.what} differs: ${difference.values[0]} in regions, ${difference.values[1]} interpreted`,
      `between instructions ${from} and ${to}, from 0x${address.toString(16)} on`,
      region === undefined ? 'no region begins there' : dumpRegion(region, code),
      '',
    ].join('\n'),
  );
  return 1;
}

process.exitCode = main();
