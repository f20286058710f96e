import { parseImage } from '../../src/elf/parse.ts';
import { printStatistics } from '../../src/emulator/code/print-statistics.ts';
import type { EngineStatistics } from '../../src/emulator/code/statistics.ts';
import { observe } from '../../src/emulator/observe.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { commandOf } from '../reference/program.ts';

const DISK = frozenDisk(hostDisk());

/** Statistics of a measurement, by a clock that says how often it was asked. */
export function statisticsOf(program: string, limits: Partial<EngineLimits>, chains: readonly string[] = []) {
  let asked = 0;
  let heard: EngineStatistics | undefined;
  const { observation } = observe({
    guest: {
      command: commandOf(program, []),
      isa: 'x86-64',
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output: { stdout: () => {}, stderr: () => {} },
      parseImage,
    },
    hasher: { sha256: () => '' },
    depth: 3,
    functions: [],
    chains,
    limits,
    engineStats: {
      clock: () => asked++,
      hear: (statistics) => {
        heard = statistics;
      },
    },
  });
  return { observation, passes: heard!.passes, text: printStatistics(heard!) };
}

/** The modules that are compiled while something is done. */
export function modulesOf(work: () => void): Buffer[] {
  const { Module } = WebAssembly;
  const built: Buffer[] = [];
  WebAssembly.Module = class extends Module {
    constructor(bytes: Uint8Array<ArrayBuffer>) {
      super(bytes);
      built.push(Buffer.from(bytes));
    }
  };
  try {
    work();
  } finally {
    WebAssembly.Module = Module;
  }
  return built;
}
