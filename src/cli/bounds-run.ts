import { Failure } from '../base/failure.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { KSR1 } from '../machines/catalog.ts';
import { machineNamed } from '../pipeline/machine.ts';
import type { Profile } from '../profile/profile.ts';
import { boundsSummary } from '../report/bounds-summary.ts';
import { plain } from '../report/escape.ts';
import { hardwareOf } from './hardware.ts';
import type { CliPorts } from './ports.ts';
import { ProgressLine } from './progress.ts';
import { sayDeath } from './say-failure.ts';

interface RunCommand {
  readonly machine: string;
  /** What M and MA may use. */
  readonly isa: IsaLevel;
  /** Only the loops of these; empty: of all. */
  readonly functions: readonly string[];
  /** How often to run it on this machine itself; absent: not at all. */
  readonly hardwareRuns?: number;
  readonly fuel?: number;
  readonly env: Readonly<Record<string, string>>;
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

/**
 * Runs a program and bounds its loops. The table is what this is for, so the program's stdout goes to stderr, and what it
 * writes to files is thrown away. Gives 3 where the program did not end with status 0.
 */
export async function runBoundsCommand(
  { json, functions, machine, isa, env, fuel, ...hardware }: RunCommand,
  [program, ...args]: readonly string[],
  ports: CliPorts,
): Promise<number> {
  const { terminal, files, workingDirectory } = ports;
  if (program === undefined || program === '')
    throw new Failure(
      'usage',
      'no-program',
      'there is no program after "--": ilp-gate bounds [OPTIONS] -- PROGRAM [ARG]...',
    );
  await refuseKsr(machine, ports);
  const progress = new ProgressLine(terminal);
  let measurement: Awaited<ReturnType<ReturnType<CliPorts['measure']>>>;
  try {
    measurement = await ports.measure({})(
      {
        program,
        args,
        workingDirectory,
        env,
        stdin: { kind: 'inherit' },
        isa,
        depth: 0,
        listsCalls: false,
        functions: [],
        chains: [],
        bounds: { machine, isa, functions, ...hardwareOf(hardware) },
        ...(fuel === undefined ? {} : { fuel }),
        writes: 'discard',
        sourceRoot: workingDirectory,
      },
      progress.around({
        stdout: (bytes) => terminal.stderr(bytes),
        stderr: (bytes) => terminal.stderr(bytes),
      }),
    );
  } finally {
    progress.clear();
  }
  if (progress.midLine) terminal.stderr('\n');
  const { exit, profile, notes } = measurement;
  for (const note of notes) terminal.stderr(`ilp-gate: ${plain(note)}\n`);
  if (exit.kind === 'signal') {
    terminal.stderr(sayDeath(program, exit, 'there are no bounds'));
    return 3;
  }
  if (profile === undefined) {
    terminal.stderr(`ilp-gate: ${plain(program)} was not measured; there are no bounds\n`);
    return 3;
  }
  const shown = only(functions, profile);
  if (functions.length > 0 && shown.loops?.length === 0)
    terminal.stderr(`ilp-gate: ${functions.map(plain).join(', ')}: no loop of that was executed\n`);
  if (json === undefined) terminal.stdout(boundsSummary(shown, terminal.stdoutPaint) ?? '');
  else {
    const text = `${JSON.stringify(runJson(shown, notes), undefined, 1)}\n`;
    if (json === '-') terminal.stdout(text);
    else await files.writeAll([{ path: files.resolve(workingDirectory, json), text }]);
  }
  if (exit.status === 0) return 0;
  terminal.stderr(`ilp-gate: ${plain(program)} exited with status ${exit.status}\n`);
  return 3;
}

/** Loops of compiled code have no bounds on the paper's machine. */
export async function refuseKsr(machine: string, { files, workingDirectory }: CliPorts): Promise<void> {
  if (machine === KSR1)
    throw new Failure(
      'usage',
      'no-ksr-code',
      'a program is machine code of another processor: MAC and MACS on ksr1 come from a two-column listing of KSR assembly code only',
    );
  await machineNamed(machine, workingDirectory, files);
}

function only(functions: readonly string[], profile: Profile): Profile {
  if (functions.length === 0 || profile.loops === undefined) return profile;
  const wanted = new Set(functions);
  return { ...profile, loops: profile.loops.filter((each) => wanted.has(each.function)) };
}

function runJson({ loops, bounds }: Profile, notes: readonly string[]): object {
  return {
    machine: bounds?.machine,
    loops,
    bounds,
    ...(notes.length === 0 ? {} : { notes }),
  };
}
