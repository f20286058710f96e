import { machineNamed } from '../pipeline/machine.ts';
import { boundObject, objectJson } from '../pipeline/object-bounds.ts';
import { degreesFromSources } from '../pipeline/object-sources.ts';
import type { BoundsFormat } from './choices.ts';
import { objectMacstat } from './object-macstat.ts';
import { objectTable } from './object-table.ts';
import type { CliPorts } from './ports.ts';

interface ObjectCommand {
  readonly machine: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Only these; empty: all. */
  readonly functions: readonly string[];
  readonly format: BoundsFormat;
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

/** MAC and MACS of the loops of a file of machine code. */
export async function objectBoundsCommand(options: ObjectCommand, ports: CliPorts): Promise<number> {
  const { files, code, workingDirectory, terminal } = ports;
  const { file, bytes, functions, format, json } = options;
  const machine = await machineNamed(options.machine, workingDirectory, files);
  const found = boundObject({
    path: file,
    bytes,
    functions,
    machine,
    sourceRoot: workingDirectory,
    imageTools: code.imageTools,
  });
  const bounds = await degreesFromSources(found, workingDirectory, ports);
  if (json !== undefined) {
    const text = `${JSON.stringify(objectJson(machine, bounds), undefined, 1)}\n`;
    if (json === '-') terminal.stdout(text);
    else await files.writeAll([{ path: files.resolve(workingDirectory, json), text }]);
    return 0;
  }
  terminal.stdout(format === 'macstat' ? objectMacstat(bounds) : objectTable(machine, bounds));
  return 0;
}
