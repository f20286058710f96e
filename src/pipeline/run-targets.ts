import { Failure } from '../base/failure.ts';
import { RUN_CHAIN } from '../base/run-chain.ts';
import type { Target } from '../config/config.ts';
import type { Profile } from '../profile/profile.ts';
import type { GatePorts, QuietMeasurement, RunKind } from './ports.ts';
import { printSignal } from './print-signal.ts';
import { functionsLimited, functionsReliedOn, type Project } from './project.ts';
import type { MeasureRequest } from './request.ts';

/** One target to measure, and whose longest chains: RUN_CHAIN or names of functions. */
export interface Run {
  readonly project: Project;
  readonly target: Target;
  readonly what: RunKind;
  readonly chains: readonly string[];
}

/**
 * Measures targets. The results are in the order of the runs: a Failure (`guest`: guest-signal or guest-exit, with the end
 * of what the program wrote) where it did not end as the configuration expects, or whatever the measurement failed with.
 */
export async function runTargets(
  runs: readonly Run[],
  ports: Pick<GatePorts, 'measureAll' | 'files' | 'progress' | 'finished' | 'ran' | 'note'>,
): Promise<readonly (Profile | Failure)[]> {
  const { progress } = ports;
  const over = new Set<number>();
  let told = 0;
  const measured = await ports.measureAll(
    runs.map((run) => requestFor(run, ports)),
    {
      ...(progress === undefined
        ? {}
        : { progress: (at, state) => progress({ ...state, target: runs[at].target.name }) }),
      finished: (at) => {
        ports.finished?.(runs[at].target.name);
        over.add(at);
        for (; over.has(told); told++) ports.ran?.(runs[told].target.name, runs[told].what);
      },
    },
  );
  for (const [at, result] of measured.entries()) {
    const { target, what } = runs[at];
    // A run for chains is one that was told of before.
    if (!(result instanceof Failure) && what !== 'chains')
      for (const text of result.notes) ports.note?.(target.name, text);
  }
  return measured.map((result, at) => profileOrFailure(runs[at].target, result));
}

function profileOrFailure(target: Target, result: QuietMeasurement | Failure): Profile | Failure {
  if (result instanceof Failure)
    return new Failure(result.kind, result.code, result.message, { ...result.facts, target: target.name });
  const { exit, profile, output } = result;
  const facts = { target: target.name, output };
  if (exit.kind === 'signal') {
    return new Failure('guest', 'guest-signal', `${target.command[0]} died by ${printSignal(exit)}`, {
      ...facts,
      signal: exit.signal,
      ...(exit.fullStack !== undefined && { fullStack: exit.fullStack }),
    });
  }
  if (exit.status !== target.expectExit || profile === undefined) {
    const message = `${target.command[0]} exited with status ${exit.status}, expected ${target.expectExit}`;
    return new Failure('guest', 'guest-exit', message, {
      ...facts,
      status: exit.status,
      expected: target.expectExit,
    });
  }
  return profile;
}

/** The chains that a baseline holds: the run's, and of each function that the configuration names. */
export function chainsRecorded({ config }: Project, target: Target): readonly string[] {
  return [RUN_CHAIN, ...functionsMeasured(config, target)];
}

/** The functions that the configuration names, for this target or for all. */
export function functionsMeasured(config: Project['config'], target: Target): readonly string[] {
  return [...new Set([...functionsReliedOn(target), ...functionsLimited(config.limits)])];
}

function requestFor(
  { project, target, what, chains }: Run,
  { files }: Pick<GatePorts, 'files'>,
): MeasureRequest {
  const { config, directory } = project;
  // A run for chains need not count again what the run before it counted.
  const counts = what !== 'chains';
  return {
    program: target.command[0],
    args: target.command.slice(1),
    workingDirectory: directory,
    env: target.env,
    stdin:
      target.stdin === undefined
        ? { kind: 'empty' }
        : { kind: 'file', path: files.resolve(directory, target.stdin) },
    isa: config.isa,
    depth: counts ? config.depth : 0,
    listsCalls: counts,
    functions: counts ? functionsMeasured(config, target) : [],
    chains,
    ...((target.children ?? config.children) === 'measure' && { measuresChildren: true }),
    ...(config.fuel === undefined ? {} : { fuel: config.fuel }),
    ...(config.machine === undefined || !counts
      ? {}
      : {
          bounds: {
            machine: config.machine,
            isa: config.isa,
            functions: functionsMeasured(config, target),
          },
        }),
    writes: 'discard',
    sourceRoot: directory,
    target: target.name,
  };
}
