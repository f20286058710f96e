import { Failure } from '../base/failure.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { RUN_CHAIN } from '../base/run-chain.ts';
import type { ChildrenPolicy } from '../config/config.ts';
import type { MeasureRequest } from '../pipeline/request.ts';
import type { Profile } from '../profile/profile.ts';
import { writeProfile } from '../profile/write.ts';
import { plain } from '../report/escape.ts';
import { measureSummary } from '../report/summary.ts';
import { hardwareOf } from './hardware.ts';
import type { CliPorts } from './ports.ts';
import { ProgressLine } from './progress.ts';
import { sayDeath } from './say-failure.ts';

export interface MeasureCommand {
  readonly command: readonly string[] | undefined;
  readonly functions: readonly string[];
  readonly depth: number;
  readonly isa: IsaLevel;
  readonly children: ChildrenPolicy;
  /** Loops are bounded for it. */
  readonly machine?: string;
  /** How often to run it on this machine itself; needs `machine`. */
  readonly hardwareRuns?: number;
  /** A file, or `-` for stdout. */
  readonly json?: string;
  /** A file, or `-` for stdout. */
  readonly html?: string;
  readonly fuel?: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whose longest chains to follow; absent: those of `functions`. */
  readonly chains?: readonly string[];
  /** Where to tell how the engine spent its effort. */
  readonly engineStats?: 'stderr' | { readonly file: string };
}

/**
 * Runs a program as if it stood alone on the command line: its stdin, stdout, stderr and exit status are passed
 * through, 128 + n when a signal ended it. Throws Failure.
 */
export async function measureCommand(options: MeasureCommand, ports: CliPorts): Promise<number> {
  const { terminal } = ports;
  const [program, ...args] = options.command ?? [];
  if (program === undefined || program === '') {
    throw new Failure(
      'usage',
      'no-program',
      'measure needs a program after "--": ilp-gate measure [OPTIONS] -- PROGRAM [ARG]...',
    );
  }
  if (options.json !== undefined && options.json === options.html)
    throw new Failure(
      'usage',
      'one-place-for-two',
      `--json and --html cannot both go to ${options.json === '-' ? 'stdout' : options.json}`,
    );
  if (options.hardwareRuns !== undefined && options.machine === undefined)
    throw new Failure(
      'usage',
      'hardware-without-machine',
      '--hardware shows what loops take beside their bounds, so it needs --machine NAME ("ilp-gate machines" lists them)',
    );
  // To be wrong before the program runs.
  if (options.machine !== undefined) {
    const { refuseKsr } = await import('./bounds-run.ts');
    await refuseKsr(options.machine, ports);
  }
  const request = requestFor(options, program, args, ports);
  const progress = new ProgressLine(terminal);
  const guestStdout = options.json === '-' || options.html === '-' ? terminal.stderr : terminal.stdout;
  let engineReport: EngineReport | undefined;
  const measure = ports.measure(
    options.engineStats === undefined
      ? {}
      : {
          engineStats: (report, statistics) => {
            engineReport = { report, json: `${JSON.stringify(statistics, undefined, 1)}\n` };
          },
        },
  );
  let measurement: Awaited<ReturnType<typeof measure>>;
  try {
    measurement = await measure(
      request,
      progress.around({
        stdout: (bytes) => guestStdout.call(terminal, bytes),
        stderr: (bytes) => terminal.stderr(bytes),
      }),
    );
  } finally {
    progress.clear();
    await tell(engineReport, options, ports);
  }
  if (progress.midLine) terminal.stderr('\n');
  const { exit, profile, uncalled = [], notes } = measurement;
  for (const note of notes) terminal.stderr(`ilp-gate: ${plain(note)}\n`);
  if (exit.kind === 'signal') {
    terminal.stderr(sayDeath(program, exit, 'no profile is written'));
    return 128 + exit.signal;
  }
  if (profile !== undefined) await report(profile, uncalled, options, ports);
  return exit.status;
}

interface EngineReport {
  readonly report: string;
  readonly json: string;
}

async function tell(
  engine: EngineReport | undefined,
  { engineStats }: MeasureCommand,
  { terminal, files, workingDirectory }: CliPorts,
): Promise<void> {
  if (engine === undefined || engineStats === undefined) return;
  if (engineStats === 'stderr') terminal.stderr(engine.report);
  else await files.writeAll([{ path: files.resolve(workingDirectory, engineStats.file), text: engine.json }]);
}

function requestFor(
  options: MeasureCommand,
  program: string,
  args: readonly string[],
  ports: CliPorts,
): MeasureRequest {
  return {
    program,
    args,
    workingDirectory: ports.workingDirectory,
    env: options.env,
    stdin: { kind: 'inherit' },
    isa: options.isa,
    depth: options.depth,
    listsCalls: options.json !== undefined || options.html !== undefined,
    functions: options.functions,
    chains: options.chains?.map((name) => (name === 'run' ? RUN_CHAIN : name)) ?? options.functions,
    ...(options.chains !== undefined && { insistsOnChains: true }),
    ...(options.machine === undefined
      ? {}
      : {
          bounds: {
            machine: options.machine,
            isa: options.isa,
            functions: options.functions,
            ...hardwareOf(options),
          },
        }),
    ...(options.children === 'measure' && { measuresChildren: true }),
    ...(options.fuel === undefined ? {} : { fuel: options.fuel }),
    writes: 'keep',
    sourceRoot: ports.workingDirectory,
  };
}

async function report(
  profile: Profile,
  uncalled: readonly string[],
  { json, html }: MeasureCommand,
  { terminal, files, workingDirectory }: CliPorts,
) {
  terminal.stderr(measureSummary(profile, terminal.stderrPaint));
  if (profile.bounds !== undefined) {
    const { boundsSummary } = await import('../report/bounds-summary.ts');
    const bounds = boundsSummary(profile, terminal.stderrPaint);
    if (bounds !== undefined) terminal.stderr(`\n${bounds}`);
  }
  for (const name of uncalled) terminal.stderr(`ilp-gate: ${plain(name)} was not called\n`);
  const outputs = [
    ...(json === undefined ? [] : [{ to: json, text: writeProfile(profile) }]),
    ...(html === undefined ? [] : [{ to: html, text: await htmlReport(profile) }]),
  ];
  for (const { text } of outputs.filter(({ to }) => to === '-')) terminal.stdout(text);
  const written = outputs.filter(({ to }) => to !== '-');
  if (written.length > 0)
    await files.writeAll(
      written.map(({ to, text }) => ({ path: files.resolve(workingDirectory, to), text })),
    );
}

async function htmlReport(profile: Profile): Promise<string> {
  const { profileReport } = await import('../report/html/profile-report.ts');
  return profileReport(profile);
}
