import { parseImage } from '../../src/elf/parse.ts';
import { CodeSpace } from '../../src/emulator/code/code-space.ts';
import type { Pass } from '../../src/emulator/pass/pass.ts';
import { World } from '../../src/emulator/world.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Command } from '../../src/linux/loader.ts';
import type { Input, Output } from '../../src/linux/ports.ts';
import type { GuestExit } from '../../src/observation/observation.ts';
import type { MadeRegion } from '../../src/translate/instruments.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../src/translate/limits.ts';
import type { Code } from './dump.ts';

export interface RegionsOptions {
  readonly command: Command;
  readonly directory: string;
  readonly kind: 'lanes' | 'tags';
  readonly limits?: Partial<EngineLimits>;
  readonly named?: readonly string[];
  readonly input?: Input;
  readonly output?: Output;
}

export interface Regions {
  /** In the order in which they were made, with how often each was made before. */
  readonly made: readonly MadeRegion[];
  readonly pass: Pass;
  readonly code: Code;
  readonly exit: GuestExit;
}

const SILENT: Output = { stdout: () => {}, stderr: () => {} };

/** Runs a program and keeps every region that is made for it. */
export function regionsOf(options: RegionsOptions): Regions {
  const { command, directory, kind, limits, named = [] } = options;
  const made: MadeRegion[] = [];
  const space = new CodeSpace(
    named,
    { ...ENGINE_LIMITS, ...limits },
    {
      onRegion: (region) => made.push(region),
    },
  );
  if (kind === 'tags') space.followChains();
  const world = new World({
    guest: {
      command,
      isa: 'x86-64',
      directory,
      disk: frozenDisk(hostDisk()),
      input: options.input ?? emptyInput(),
      output: options.output ?? SILENT,
      parseImage,
    },
    space,
    named: [],
    depth: 3,
    firstDepth: 0,
  });
  const pass = world.main;
  const exit = world.run();
  const read = (address: number, length: number) => space.guest.bytes.slice(address, address + length);
  return { made, pass, code: { read }, exit };
}
