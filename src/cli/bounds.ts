import { Failure } from '../base/failure.ts';
import type { IsaName } from '../config/config.ts';
import { type BlockResult, boundBlocks } from '../pipeline/blocks.ts';
import { machineNamed } from '../pipeline/machine.ts';
import { isSource } from '../pipeline/source-bounds.ts';
import { boundsOfSource } from './bounds-source.ts';
import type { CliPorts } from './ports.ts';

export const DEFAULT_MACHINE = 'skylake';

export interface BoundsCommand {
  readonly machine: string;
  /** A source file. */
  readonly file?: string;
  /** A file of blocks. */
  readonly blocks?: string;
  readonly isa: IsaName;
  readonly functions: readonly string[];
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

/** Says what it is asked to bound, and leaves the rest to that one's own file. */
export async function boundsCommand(options: BoundsCommand, ports: CliPorts): Promise<number> {
  const { blocks, file, ...same } = options;
  if (blocks !== undefined && file !== undefined)
    throw new Failure('usage', 'two-inputs', 'bounds takes a file or --blocks, not both');
  if (blocks !== undefined) return boundsOfBlocks({ ...same, blocks }, ports);
  if (file === undefined)
    throw new Failure('usage', 'nothing-to-bound', 'bounds needs a source file, or --blocks FILE');
  if (isSource(file)) return boundsOfSource({ ...same, file }, ports);
  throw new Failure(
    'usage',
    'unknown-input',
    `${file} is not a source file by its name (.c, .cpp, .f90, ...)`,
    { file },
  );
}

async function boundsOfBlocks(
  options: BoundsCommand & { readonly blocks: string },
  { files, workingDirectory, terminal }: CliPorts,
): Promise<number> {
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
