import { profileOf } from '../analysis/profile-of.ts';
import { printStatistics } from '../emulator/code/print-statistics.ts';
import { shareExecutions } from '../emulator/thread-shares.ts';
import { traceLoops } from '../emulator/traces.ts';
import type { ThreadRecord } from '../observation/observation.ts';
import type { AnalyseLoops } from './counted-run.ts';
import { forkFunctions } from './fork-functions.ts';
import { changed, guestOf } from './guest.ts';
import { observeWithHelpers } from './helpers.ts';
import { levelNote } from './level-note.ts';
import type { MeasurePorts } from './ports.ts';
import type { Measure, MeasureProgress } from './request.ts';

const SILENT = { stdout: () => {}, stderr: () => {} };

/** Several threads, each of which could be measured. */
const isDivisible = (threads: readonly ThreadRecord[] | undefined): boolean =>
  threads?.every(({ cycles }) => cycles !== undefined) === true;

/** Runs and measures programs with the emulator: command -> Image -> Observation -> Profile. */
export function measureWith(ports: MeasurePorts, analyseLoops?: AnalyseLoops): Measure {
  return async (request, sinks) => {
    const { input, close } = ports.openInput(request.stdin);
    let pass: Omit<MeasureProgress, 'instructions'> = { phase: 'counting', pass: 1, passes: 1 };
    const counts = request.bounds !== undefined && analyseLoops !== undefined;
    const notes: string[] = [];
    try {
      const { guest, digestsOfDisk, requireUnchanged } = guestOf(request, ports, {
        input,
        output: sinks,
        progress: (instructions) => sinks.progress?.({ ...pass, instructions }),
      });
      const {
        observation,
        images: observed,
        otherImages,
        changes,
        uncalled,
      } = await observeWithHelpers(
        ports.helpers,
        {
          guest,
          hasher: ports.hasher,
          prepared: ports.prepared,
          reserved: ports.reserved,
          collectGarbage: ports.collectGarbage,
          hostPages: ports.hostPages,
          codeStore: ports.codeStore,
          depth: request.depth,
          listsCalls: request.listsCalls,
          functions: request.functions,
          chains: request.chains,
          counts,
          ...(request.measuresChildren === true && { measuresChildren: true }),
          ...(request.insistsOnChains !== true && {
            onChainTooLong: (failure) => notes.push(failure.message),
          }),
          onPass: (started) => {
            pass = started;
            sinks.progress?.({ ...pass, instructions: 0 });
          },
          ...(ports.engineStats !== undefined && {
            engineStats: {
              clock: ports.clock,
              hear: (statistics) => ports.engineStats?.(printStatistics(statistics), statistics),
            },
          }),
        },
        { request, input, digestsOfDisk },
      );
      const { exit, executions, unmeasured, threads } = observation;
      const aboveLevel = levelNote(observation);
      if (aboveLevel !== undefined) notes.push(aboveLevel);
      if (unmeasured !== undefined)
        notes.push(
          `the numbers leave out ${unmeasured.processes === 1 ? 'a child process' : `${unmeasured.processes} child processes`} with ${unmeasured.instructions} instructions; "children: measure" (--children measure) takes them in`,
        );
      if (threads?.some(({ cycles }) => cycles === undefined))
        notes.push(
          `the program starts ${threads.length - 1} threads, too many to measure each: the whole run and its first thread's calls are measured`,
        );
      // Before what the program wrote can be read.
      const found =
        counts && executions !== undefined
          ? await analyseLoops({
              observation: { ...observation, executions },
              images: observed,
              request,
              trace: (requests) => {
                pass = { phase: 'loops', pass: 1, passes: 1 };
                return traceLoops({ guest: { ...guest, output: SILENT }, requests });
              },
              divide: isDivisible(threads)
                ? () => {
                    pass = { phase: 'threads', pass: 1, passes: 1 };
                    const forks = forkFunctions(observation.modules, observed);
                    return shareExecutions({ guest: { ...guest, output: SILENT }, forks });
                  }
                : undefined,
              note: (text) => notes.push(text),
            })
          : {};
      requireUnchanged();
      if (input.hasChanged()) throw changed('standard input');
      if (request.writes === 'keep') {
        const { inside, outside } = changes;
        ports.commit(inside);
        if (outside.length > 0)
          notes.push(
            `what the program wrote outside of its working directory is not kept: ${outside.slice(0, 3).join(', ')}${outside.length > 3 ? ', ...' : ''}`,
          );
      }
      if (exit.kind === 'signal') return { exit, notes };
      const profile = profileOf(observation, {
        ...(request.target !== undefined && { target: request.target }),
        command: [request.program, ...request.args],
        images: observed,
        otherImages,
        ...(request.measuresChildren === true && { measuresChildren: true }),
        sourceRoot: request.sourceRoot,
        imageTools: ports.imageTools,
        tool: ports.version,
        note: (text) => notes.push(text),
      });
      return { exit, profile: { ...profile, ...found }, uncalled, notes };
    } finally {
      close();
    }
  };
}
