import { Failure } from '../base/failure.ts';
import type { Target } from '../config/config.ts';
import type { Profile } from '../profile/profile.ts';
import { OutputTail } from './output-tail.ts';
import type { GatePorts } from './ports.ts';
import { functionsLimited, functionsReliedOn, type Project } from './project.ts';
import type { MeasureRequest, MeasureSinks } from './request.ts';

/**
 * Measures one target. Throws Failure (`guest`): guest-signal or guest-exit when it did not end as the configuration
 * expects, with the end of what it wrote; and whatever the measurement throws.
 */
export async function runTarget(
  project: Project,
  target: Target,
  ports: Pick<GatePorts, 'measure' | 'files' | 'progress' | 'note'>,
  moreChains: readonly string[] = [],
): Promise<Profile> {
  const tail = new OutputTail();
  const { progress } = ports;
  const sinks: MeasureSinks = {
    stdout: (bytes) => tail.stdout(bytes),
    stderr: (bytes) => tail.stderr(bytes),
    ...(progress === undefined ? {} : { progress: (state) => progress({ ...state, target: target.name }) }),
  };
  const measurement = await ports
    .measure(requestFor(project, target, ports, moreChains), sinks)
    .catch((error) => {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(error.kind, error.code, error.message, { ...error.facts, target: target.name });
    });
  const { exit, profile, notes } = measurement;
  for (const text of notes) ports.note?.(target.name, text);
  const facts = { target: target.name, output: tail.lines() };
  if (exit.kind === 'signal') {
    throw new Failure('guest', 'guest-signal', `${target.command[0]} died by ${printSignal(exit.signal)}`, {
      ...facts,
      signal: exit.signal,
    });
  }
  if (exit.status !== target.expectExit || profile === undefined) {
    const message = `${target.command[0]} exited with status ${exit.status}, expected ${target.expectExit}`;
    throw new Failure('guest', 'guest-exit', message, {
      ...facts,
      status: exit.status,
      expected: target.expectExit,
    });
  }
  return profile;
}

function requestFor(
  project: Project,
  target: Target,
  { files }: Pick<GatePorts, 'files'>,
  moreChains: readonly string[],
): MeasureRequest {
  const { config, directory } = project;
  const functions = [...new Set([...functionsReliedOn(target), ...functionsLimited(config.limits)])];
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
    depth: config.depth,
    functions,
    chains: [...new Set(['run', ...functions, ...moreChains])],
    ...(config.fuel === undefined ? {} : { fuel: config.fuel }),
    writes: 'discard',
    sourceRoot: directory,
    target: target.name,
  };
}

/** Linux's numbers on x86-64 (signal(7)). */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  31: 'SIGSYS',
};

export function printSignal(signal: number): string {
  const name = SIGNALS[signal];
  return name === undefined ? `signal ${signal}` : `signal ${signal} (${name})`;
}
