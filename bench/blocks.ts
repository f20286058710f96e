// Scores the schedule (MACS) on measured basic blocks: node bench/blocks.ts MACHINE CSV [ROWS]
// A row is a block's machine code in hexadecimal and the measured cycles of 100 repetitions, as in BHive's samples.
import { readFileSync } from 'node:fs';
import { builtInMachine } from '../src/machines/catalog.ts';
import { boundBlocks } from '../src/pipeline/blocks.ts';
import { kendallTau, meanRelativeError } from './correlation.ts';

const [name, file, rows] = process.argv.slice(2);
if (name === undefined || file === undefined) {
  console.error('usage: node bench/blocks.ts MACHINE CSV [ROWS]');
  process.exit(2);
}
const lines = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .slice(0, rows === undefined ? undefined : Number(rows));
const measured = lines.map((line) => Number(line.split(',')[1]) / 100);
const predicted = boundBlocks(lines.join('\n'), file, await builtInMachine(name)).map(({ cycles }) => cycles);
const error = (100 * meanRelativeError(predicted, measured)).toFixed(2);
console.log(
  `${name}: ${lines.length} blocks, MAPE ${error} %, Kendall's tau ${kendallTau(predicted, measured).toFixed(4)}`,
);
