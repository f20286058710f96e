import type { Failure } from '../../src/base/failure.ts';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import type { Observed } from '../../src/emulator/parted-run.ts';
import type { CodeStore, HandlerLibrary } from '../../src/emulator/ports.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Executions, Observation } from '../../src/observation/observation.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import type { Answer, Question } from '../reference/observe.ts';
import { commandOf } from '../reference/program.ts';

/** What the emulator measures, asked in the reference's words. */
export interface FastRun extends Answer {
  readonly executions?: Executions;
  readonly processes?: Observation['processes'];
  readonly unmeasured?: Observation['unmeasured'];
  readonly status: number;
  readonly stdout: string;
  /** Name of the function at an entry address. */
  readonly nameOf: (entry: number) => string | undefined;
}

/** Measures a program with generated code. */
export function measureFast(
  program: string,
  args: readonly string[],
  question: Question & { readonly listsCalls?: boolean; readonly measuresChildren?: boolean },
  limits: Partial<EngineLimits> = {},
  onChainTooLong?: (failure: Failure) => void,
  counts = false,
  quantum?: number,
  prepared?: HandlerLibrary,
  codeStore?: CodeStore,
  isa: IsaLevel = 'x86-64',
): FastRun {
  let stdout = '';
  const observed = observe({
    guest: {
      command: commandOf(program, args),
      isa,
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output: {
        stdout: (bytes) => {
          stdout += Buffer.from(bytes).toString('latin1');
        },
        stderr: () => {},
      },
      parseImage,
      ...(quantum !== undefined && { quantum }),
    },
    hasher: { sha256: () => '' },
    ...question,
    limits,
    counts,
    ...(onChainTooLong && { onChainTooLong }),
    ...(prepared && { prepared }),
    ...(codeStore && { codeStore }),
  });
  const { run, functions, chains, threads, exit, executions, processes, unmeasured } = observed.observation;
  if (exit.kind !== 'exit') throw new Error(`the program died by signal ${exit.signal}`);
  const counted = executions && { executions };
  return {
    run,
    functions,
    chains,
    ...(threads && { threads }),
    ...(processes && { processes }),
    ...(unmeasured && { unmeasured }),
    status: exit.status,
    stdout,
    nameOf: namer(observed),
    ...counted,
  };
}

/** Programs are made anew by every test file, libraries never change. */
const DISK = frozenDisk(hostDisk());

function namer({ observation, images }: Observed): FastRun['nameOf'] {
  return (entry) => {
    const at = observation.modules.findIndex(({ start, end }) => entry >= start && entry < end);
    const { base } = observation.modules[at];
    return images[at].functions.find(({ address }) => address + base === entry)?.name;
  };
}
