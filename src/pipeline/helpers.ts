import type { HelpTask } from '../emulator/helpers.ts';
import { observe, observeTogether } from '../emulator/observe.ts';
import { observeParts } from '../emulator/observe-parts.ts';
import type { Observed, ObserveOptions } from '../emulator/parted-run.ts';
import { guestOf } from './guest.ts';
import type { Help, HelperProcesses, KeptInput, MeasurePorts } from './ports.ts';
import type { MeasureRequest } from './request.ts';

interface Told {
  /** What other processes are told of the run, beside its input. */
  readonly request: MeasureRequest;
  readonly input: KeptInput;
  /** Of what this process was told of the disk by now. */
  readonly digestsOfDisk: () => ReadonlyMap<string, string>;
}

/**
 * Observes a run, with other processes where there are any. What they found counts only if they have seen the same files. Nobody helps
 * where it is asked how the engine spends its effort.
 */
export async function observeWithHelpers(
  helpers: MeasurePorts['helpers'],
  options: ObserveOptions,
  { request, input, digestsOfDisk }: Told,
): Promise<Observed> {
  if (helpers === undefined || options.engineStats !== undefined) return observe(options);
  let processes: HelperProcesses | undefined;
  try {
    return await observeTogether(options, async () => {
      const others = await helpers();
      processes = others;
      const { most, taken, from, fromAhead } = others;
      // Answers are asked for when this process has run its own passes, and so been told all of the disk.
      let known: ReadonlyMap<string, string> | undefined;
      const ask = async (task: HelpTask, told: Uint8Array) => {
        const { answer, end } = await others.start({ request, input: told, task });
        return {
          dismiss: end,
          answer: async () => {
            const found = await answer;
            if (found === undefined || !begins(told, input.kept())) return undefined;
            known ??= digestsOfDisk();
            return hasAll(known, found.disk) ? found.result : undefined;
          },
        };
      };
      return {
        most,
        taken,
        from,
        fromAhead,
        ask: (task) => ask(task, input.kept()),
        askAhead: (task) => ask(task, input.ahead()),
      };
    });
  } finally {
    processes?.close();
  }
}

/** Whether some bytes begin with those that were read. */
function begins(all: Uint8Array, read: Uint8Array): boolean {
  for (let i = 0; i < read.length; i++) if (all[i] !== read[i]) return false;
  return true;
}

function hasAll(all: ReadonlyMap<string, string>, some: ReadonlyMap<string, string>): boolean {
  return [...some].every(([question, answer]) => all.get(question) === answer);
}

/** Helps another process: measures parts of the run that it observes. */
export function helpWith(ports: MeasurePorts): Help {
  return async ({ request, input, task }, between) => {
    const { guest, digestsOfDisk } = guestOf(request, ports, {
      input: { read: (offset, most) => input.subarray(offset, offset + most) },
      output: { stdout: () => {}, stderr: () => {} },
      progress: between,
    });
    const { prepared, reserved, collectGarbage, hostPages, codeStore } = ports;
    const { depth, listsCalls, functions, chains } = request;
    const run = {
      guest,
      prepared,
      reserved,
      collectGarbage,
      hostPages,
      codeStore,
      depth,
      listsCalls,
      functions,
      chains,
    };
    return { result: observeParts(run, task), disk: digestsOfDisk() };
  };
}
