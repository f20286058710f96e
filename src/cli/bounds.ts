import { Failure } from '../base/failure.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { KSR1 } from '../machines/catalog.ts';
import { isKsrListing } from '../pipeline/ksr.ts';
import { isMachineCode } from '../pipeline/object-bounds.ts';
import { isSource } from '../pipeline/source-bounds.ts';
import { blockBoundsCommand } from './bounds-blocks.ts';
import { listingBoundsCommand } from './bounds-listing.ts';
import { objectBoundsCommand } from './bounds-object.ts';
import { runBoundsCommand } from './bounds-run.ts';
import { boundsOfSource } from './bounds-source.ts';
import type { BoundsFormat } from './choices.ts';
import type { CliPorts } from './ports.ts';

export interface BoundsCommand {
  /** Everything behind `--`. */
  readonly command?: readonly string[];
  readonly machine: string;
  /** What is bounded: its contents tell what it is. */
  readonly file?: string;
  /** A file of blocks. */
  readonly blocks?: string;
  /** Instructions that a source is compiled to. */
  readonly isa: IsaLevel;
  /** Only these functions; empty: all. */
  readonly functions: readonly string[];
  /** Of a source: directories of headers, and macros. */
  readonly include: readonly string[];
  readonly define: readonly string[];
  readonly format: BoundsFormat;
  /** Of a listing: a file of counts, degrees of unrolling by label. */
  readonly counts?: string;
  readonly unroll?: ReadonlyMap<string | undefined, number>;
  /** Of a listing: the file that was compiled. */
  readonly source?: string;
  /** Of a program that is run: runs on this machine itself, most instructions, and its environment. */
  readonly hardwareRuns?: number;
  readonly fuel?: number;
  readonly env: Readonly<Record<string, string>>;
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

export async function boundsCommand(options: BoundsCommand, ports: CliPorts): Promise<number> {
  const { file, blocks, machine, command } = options;
  if (command !== undefined) {
    if (file !== undefined || blocks !== undefined)
      throw new Failure(
        'usage',
        'file-and-program',
        `bounds takes a program after "--" or ${file === undefined ? '--blocks FILE' : 'a file'}, not both`,
      );
    return runBoundsCommand(options, command, ports);
  }
  if (file !== undefined && blocks !== undefined)
    throw new Failure('usage', 'file-and-blocks', 'bounds takes a file or --blocks FILE, not both');
  if (blocks !== undefined) return blockBoundsCommand({ ...options, blocks }, ports);
  if (file === undefined)
    throw new Failure(
      'usage',
      'nothing-to-bound',
      'bounds needs a file or a program: ilp-gate bounds FILE, or ilp-gate bounds -- PROGRAM [ARG]...',
    );
  if (isSource(file)) return boundsOfSource({ ...options, file }, ports);
  const bytes = await ports.code.readBytes(ports.files.resolve(ports.workingDirectory, file));
  if (bytes === undefined)
    throw new Failure('environment', 'file-missing', `there is no file ${file}`, { file });
  if (isMachineCode(bytes)) {
    if (machine === KSR1)
      throw new Failure(
        'usage',
        'no-ksr-code',
        `${file} is machine code of another processor: MAC and MACS on ksr1 come from a two-column listing of KSR assembly code only`,
        { file },
      );
    return objectBoundsCommand({ ...options, file, bytes }, ports);
  }
  const text = new TextDecoder().decode(bytes);
  if (machine === KSR1) return listingBoundsCommand({ ...options, file, text }, ports);
  if (isKsrListing(text))
    throw new Failure(
      'usage',
      'ksr-listing',
      `${file} is a listing of KSR assembly code: it is bounded with --machine ksr1`,
      { file },
    );
  throw new Failure(
    'usage',
    'not-machine-code',
    `${file} is neither machine code (an object file, static library, program or shared library) nor a source file by its name (.c, .cpp, .f90, ...)`,
    { file },
  );
}
