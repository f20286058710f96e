import { Failure } from '../base/failure.ts';
import { KSR1 } from '../machines/catalog.ts';
import { type BlockResult, boundBlocks } from '../pipeline/blocks.ts';
import { machineNamed } from '../pipeline/machine.ts';
import { boundListingCommand, type ListingFormat } from './bounds-listing.ts';
import type { CliPorts } from './ports.ts';

export const DEFAULT_MACHINE = 'skylake';

export interface BoundsCommand {
  readonly machine: string;
  /** A listing of KSR assembly code. */
  readonly file?: string;
  readonly format: ListingFormat;
  readonly counts?: string;
  readonly unroll?: ReadonlyMap<string | undefined, number>;
  /** A file of blocks. */
  readonly blocks?: string;
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

export async function boundsCommand(options: BoundsCommand, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  if (options.file !== undefined && options.machine === KSR1) {
    const text = await files.read(files.resolve(workingDirectory, options.file));
    if (text === undefined)
      throw new Failure('environment', 'file-missing', `there is no file ${options.file}`, {
        file: options.file,
      });
    return boundListingCommand(text, { ...options, file: options.file }, ports);
  }
  if (options.machine === KSR1 && options.blocks === undefined)
    throw new Failure(
      'usage',
      'no-listing',
      'bounds on ksr1 needs a listing of KSR assembly code: ilp-gate bounds --machine ksr1 FILE',
    );
  if (options.blocks === undefined)
    throw new Failure('usage', 'no-blocks', 'bounds needs a file of blocks: ilp-gate bounds --blocks FILE');
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
