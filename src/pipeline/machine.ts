import { Failure } from '../base/failure.ts';
import { builtInMachine, MACHINE_NAMES, ownMachine } from '../machines/catalog.ts';
import type { Machine } from '../machines/machine.ts';
import type { TextFiles } from './ports.ts';

/** A machine by its name, or from the user's own file where `name` is a path (it has a slash or ends in .json). */
export async function machineNamed(name: string, directory: string, files: TextFiles): Promise<Machine> {
  if (MACHINE_NAMES.includes(name) || !/[/\\]|\.json$/.test(name)) return builtInMachine(name);
  const text = await files.read(files.resolve(directory, name));
  if (text === undefined)
    throw new Failure('config', 'machine-missing', `there is no machine file ${name}`, { file: name });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure('config', 'bad-machine', `${name} is not JSON: ${(error as Error).message}`, {
      file: name,
    });
  }
  return ownMachine(json, name);
}
