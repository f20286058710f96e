import { Failure } from '../base/failure.ts';
import { type BlockResult, boundBlocks } from '../pipeline/blocks.ts';
import { machineNamed } from '../pipeline/machine.ts';
import type { CliPorts } from './ports.ts';

interface BlocksCommand {
  readonly machine: string;
  /** A file of blocks. */
  readonly blocks: string;
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

export async function blockBoundsCommand(options: BlocksCommand, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  const machine = await machineNamed(options.machine, workingDirectory, files);
  const text = await files.read(files.resolve(workingDirectory, options.blocks));
  if (text === undefined)
    throw new Failure('environment', 'blocks-missing', `there is no file ${options.blocks}`, {
      file: options.blocks,
    });
  const blocks = boundBlocks(text, options.blocks, machine);
  const json = `${JSON.stringify({ machine: machine.name, blocks })}\n`;
  if (options.json === undefined) terminal.stdout(table(blocks));
  else if (options.json === '-') terminal.stdout(json);
  else await files.writeAll([{ path: files.resolve(workingDirectory, options.json), text: json }]);
  return 0;
}

function table(blocks: readonly BlockResult[]): string {
  const rows = blocks.map(
    ({ cycles, bottleneck, unknown }) =>
      `${cycles.toFixed(2).padStart(9)}  ${bottleneck}${unknown === undefined ? '' : `  (unknown: ${unknown.join(', ')})`}`,
  );
  return `${['   cycles  limited by', ...rows].join('\n')}\n`;
}
