import { Failure } from '../base/failure.ts';
import type { Machine } from './machine.ts';
import { readKsr, readMachine } from './read.ts';
import type { KsrMachine } from './schema.ts';

type Load = () => Promise<{ readonly default: unknown }>;

/** The machines that come with the tool. */
const FILES: Readonly<Record<string, Load>> = {
  ivybridge: () => import('./ivybridge.json', { with: { type: 'json' } }),
  haswell: () => import('./haswell.json', { with: { type: 'json' } }),
  broadwell: () => import('./broadwell.json', { with: { type: 'json' } }),
  skylake: () => import('./skylake.json', { with: { type: 'json' } }),
  'icelake-server': () => import('./icelake-server.json', { with: { type: 'json' } }),
  sapphirerapids: () => import('./sapphirerapids.json', { with: { type: 'json' } }),
  zen2: () => import('./zen2.json', { with: { type: 'json' } }),
  zen3: () => import('./zen3.json', { with: { type: 'json' } }),
  zen4: () => import('./zen4.json', { with: { type: 'json' } }),
  zen5: () => import('./zen5.json', { with: { type: 'json' } }),
};

export const MACHINE_NAMES: readonly string[] = Object.keys(FILES);

/** The paper's machine, which has no x86 code to bound. */
export const KSR1 = 'ksr1';

export async function ksr1(): Promise<KsrMachine> {
  return readKsr((await import('./ksr1.json', { with: { type: 'json' } })).default, KSR1);
}

export async function builtInMachine(name: string): Promise<Machine> {
  return readMachine(await machineFile(name), name, machineFile);
}

/** A machine of the user's own file, which may extend one that comes with the tool. */
export async function ownMachine(json: unknown, where: string): Promise<Machine> {
  return readMachine(json, where, machineFile);
}

async function machineFile(name: string): Promise<unknown> {
  if (name === KSR1)
    throw new Failure(
      'config',
      'no-x86',
      'ksr1 has no x86 instructions: bounds of machine code need another machine',
    );
  const load = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (load === undefined)
    throw new Failure(
      'config',
      'unknown-machine',
      `there is no machine ${JSON.stringify(name)}; there are: ${MACHINE_NAMES.join(', ')}`,
      {
        name,
        machines: MACHINE_NAMES,
      },
    );
  return (await load()).default;
}
