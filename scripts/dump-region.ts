/** Shows regions of a program's code as the engine makes them: `npm run dump-region`, see CONTRIBUTING.md. */
import { parseArgs } from 'node:util';
import { lineTable } from '../src/elf/dwarf/line-table.ts';
import { imageTools } from '../src/host/image-tools.ts';
import { inputFrom } from '../src/host/input.ts';
import { followBranchHints } from '../src/host/v8.ts';
import { commandOf } from '../test/reference/program.ts';
import { dumpRegion } from '../test/regions/dump.ts';
import { regionsOf } from '../test/regions/regions.ts';
import { splitCommand } from './split-command.ts';

const USAGE = `npm run dump-region -- [options] ADDRESS|FUNCTION -- PROGRAM [ARG]...

  Prints the regions that begin at the address, or in the function, as they were made last.
  Without ADDRESS or FUNCTION: a list of all, with their sizes and how often they were made.

  --hot N      entries after which a block is translated (default: as usual)
  --tags       the code that follows chains, not the code that counts
  --all        each time that they were made, not the last alone
`;

function main(): number {
  const { own, program } = splitCommand(process.argv.slice(2));
  const { values, positionals } = parseArgs({
    args: [...own],
    allowPositionals: true,
    options: {
      hot: { type: 'string' },
      tags: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
    },
  });
  if (program.length === 0 || positionals.length > 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  followBranchHints();
  const { made, pass, code } = regionsOf({
    command: commandOf(program[0], program.slice(1)),
    directory: process.cwd(),
    kind: values.tags ? 'tags' : 'lanes',
    input: inputFrom(0),
    ...(values.hot !== undefined && { limits: { hotEntries: Number(values.hot) } }),
  });
  const { modules } = pass;
  const nameOf = (entry: number): string => modules.nameAt(entry) ?? '';
  const [wanted] = positionals;
  if (wanted === undefined) {
    const times = new Map<number, number>();
    for (const { region } of made) times.set(region.entry, (times.get(region.entry) ?? 0) + 1);
    for (const [entry, count] of times) {
      const { region, bytes } = made.findLast((each) => each.region.entry === entry)!;
      process.stdout.write(
        `0x${entry.toString(16)} ${region.blocks.length} blocks, ${bytes.length} bytes, made ${count} times ${nameOf(entry)}\n`,
      );
    }
    return 0;
  }
  const lines = new Map<object, ReturnType<typeof lineTable>>();
  const lineOf = (address: number): string | undefined => {
    const module = modules.at(address);
    if (module === undefined) return undefined;
    const table = lines.get(module.image) ?? lineTable(module.image, imageTools.inflate);
    lines.set(module.image, table);
    const found = table.lookup(address - module.base);
    return found && `${found.file}:${found.line}`;
  };
  const isWanted = (entry: number): boolean =>
    /^0x/i.test(wanted) ? entry === Number(wanted) : modules.isWithin(entry, wanted);
  const chosen = made.filter(
    ({ region }, i) =>
      isWanted(region.entry) &&
      (values.all || made.findLastIndex((each) => each.region.entry === region.entry) === i),
  );
  for (const region of chosen) process.stdout.write(`${dumpRegion(region, { ...code, lineOf })}\n`);
  if (chosen.length === 0)
    process.stderr.write(`no region begins in ${wanted}: was it executed often enough?\n`);
  return chosen.length === 0 ? 1 : 0;
}

// Whoever reads may have seen enough.
process.stdout.on('error', () => process.exit());
process.exitCode = main();
