import { Command, Option } from 'commander';
import { Failure } from '../base/failure.ts';
import { ISA_LEVELS, type IsaLevel } from '../base/isa-level.ts';
import {
  CHILDREN_POLICIES,
  type ChildrenPolicy,
  DEFAULT_CHILDREN,
  DEFAULT_DEPTH,
  DEFAULT_ISA,
} from '../config/config.ts';
import { BOUNDS_FORMATS, type BoundsFormat, DEFAULT_MACHINE, FORMATS, type Format } from './choices.ts';
import {
  BOUNDS_HELP,
  CHECK_HELP,
  DIFF_HELP,
  GENERAL_HELP,
  MACHINES_HELP,
  MEASURE_HELP,
  UPDATE_HELP,
} from './help.ts';
import type { MeasureCommand } from './measure.ts';
import { collect, collectEnv, collectUnroll, wholeNumber } from './options.ts';
import type { CliPorts } from './ports.ts';

/** The commands and their options; what does them is loaded when it runs. `finish` hears the exit status of the one that ran. */
export function buildProgram(
  guestCommand: readonly string[] | undefined,
  ports: CliPorts,
  finish: (status: number) => void,
): Command {
  const program = new Command('ilp-gate')
    .description('Says whether a change made native code slower on an ideal machine, and why.')
    .version(ports.version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ports.terminal.stdout(text),
      writeErr: (text) => ports.terminal.stderr(text),
      outputError: (text, write) => write(`ilp-gate: ${text.replace(/^error: /, '')}`),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .showHelpAfterError('  See "ilp-gate --help".')
    .addHelpText('after', GENERAL_HELP);

  program
    .command('measure')
    .summary('run a program and measure it')
    .description(
      'Runs a program and measures its instructions, ideal-machine cycles and ILP, and longest chains on demand.',
    )
    .usage('[options] -- PROGRAM [ARG]...')
    .option(
      '--function <name>',
      'measure every outermost call of this function, wherever it happens (repeatable)',
      collect,
    )
    .option(
      '--depth <k>',
      'measure calls down to this depth: main is 1, -1 is all',
      wholeNumber(-1),
      DEFAULT_DEPTH,
    )
    .option(
      '--chain <name>',
      'follow the longest chain of this function, or of the "run" (repeatable; default: of each --function)',
      collect,
    )
    .addOption(
      new Option('--isa <level>', 'what the processor claims to be').choices(ISA_LEVELS).default(DEFAULT_ISA),
    )
    .addOption(
      new Option('--children <how>', 'whether processes that the program starts count')
        .choices(CHILDREN_POLICIES)
        .default(DEFAULT_CHILDREN),
    )
    .option(
      '--machine <name>',
      'bound the loops for this machine ("ilp-gate machines" lists them) or a file of your own',
    )
    .option(
      '--hardware [runs]',
      'with --machine: run it on this machine too, under perf, and show what its loops take there (default: 3 runs)',
      wholeNumber(1),
    )
    .option('--fuel <n>', 'stop with an error after this many instructions', wholeNumber(1))
    .option('--env <name=value>', 'set an environment variable for the program (repeatable)', collectEnv)
    .option('--json <file>', 'write the profile there; "-" is stdout')
    .option('--html <file>', 'write a report to open in a browser there; "-" is stdout')
    .option('--engine-stats [file]', 'report how the emulator spent its time: on stderr, or as JSON there')
    .addHelpText('after', MEASURE_HELP)
    .allowExcessArguments(true)
    .action(async (flags: MeasureFlags, { args }: Command) => {
      if (args.length > 0) throw programBeforeDashes(args, guestCommand);
      const { measureCommand } = await import('./measure.ts');
      finish(await measureCommand(measureOptions(flags, guestCommand), ports));
    });

  const forConfig = (command: Command): Command =>
    command
      .option('--config <file>', 'the configuration (default: "ilp-gate.yml")')
      .option('--target <name>', 'only this target (repeatable)', collect)
      .option(
        '--jobs <n>',
        'measure at most this many programs at a time (default: one for each core)',
        wholeNumber(1),
      );
  const forReport = (command: Command): Command =>
    command
      .addOption(new Option('--format <format>', 'of the report').choices(FORMATS).default('text'))
      .option('--output <file>', 'write the report there instead of stdout');

  forReport(forConfig(program.command('check')))
    .summary('compare the targets with their baselines')
    .description('Builds and measures the targets of a configuration and compares them with their baselines.')
    .addHelpText('after', CHECK_HELP)
    .action(async ({ target, ...options }: CheckFlags) => {
      const { checkCommand } = await import('./gate-commands.ts');
      finish(await checkCommand({ ...options, targets: target ?? [] }, ports));
    });

  forConfig(program.command('update'))
    .summary('write the baselines')
    .description('Builds and measures the targets of a configuration and writes their baselines.')
    .addHelpText('after', UPDATE_HELP)
    .action(async ({ target, ...options }: ConfigFlags) => {
      const { updateCommand } = await import('./gate-commands.ts');
      finish(await updateCommand({ ...options, targets: target ?? [] }, ports));
    });

  forReport(program.command('diff'))
    .summary('compare two profiles')
    .description('Compares two stored profiles.')
    .argument('<BASE.json>')
    .argument('<HEAD.json>')
    .option('--config <file>', 'take the limits from this configuration')
    .addHelpText('after', DIFF_HELP)
    .action(async (base: string, head: string, options: ReportFlags & { readonly config?: string }) => {
      const { diffCommand } = await import('./gate-commands.ts');
      finish(await diffCommand({ ...options, base, head }, ports));
    });

  program
    .command('bounds')
    .summary('bound what loops take on a machine')
    .description(
      'Bounds the cycles that loops take on a model of a machine: of a program that is run, of a source file, an object file, a program or a library, of a listing, or of blocks of machine code.',
    )
    .usage('[options] (FILE | --blocks FILE | -- PROGRAM [ARG]...)')
    .argument(
      '[FILE]',
      'a source file of C, C++ or Fortran, an object file, static library, program or shared library; with --machine ksr1 a listing',
    )
    .option(
      '--machine <name>',
      'a machine ("ilp-gate machines" lists them) or a file of your own',
      DEFAULT_MACHINE,
    )
    .addOption(
      new Option('--isa <level>', 'what instructions a source may be compiled to: for M and MA')
        .choices(ISA_LEVELS)
        .default(DEFAULT_ISA),
    )
    .option('--blocks <file>', 'one block a line: its machine code in hexadecimal, up to a comma')
    .option('--function <name>', 'only the loops of this function (repeatable)', collect)
    .option('-I, --include <directory>', 'of a source: where to look for headers (repeatable)', collect)
    .option('-D, --define <name=value>', 'of a source: a macro, 1 without a value (repeatable)', collect)
    .addOption(new Option('--format <format>', 'of the text').choices(BOUNDS_FORMATS).default('text'))
    .option(
      '--unroll <k>',
      'of a listing: source iterations in one of the compiled loop; K, or LABEL=K (repeatable)',
      collectUnroll,
    )
    .option('--source <file>', 'of a listing: the source that it was compiled from, for M and MA')
    .option(
      '--counts <file>',
      'of a listing: how often its loops were executed, by label; JSON or LABEL,COUNT',
    )
    .option(
      '--hardware [runs]',
      'of a program: run it on this machine too, under perf, and show what its loops take there (default: 3 runs)',
      wholeNumber(1),
    )
    .option('--fuel <n>', 'of a program: stop with an error after this many instructions', wholeNumber(1))
    .option('--env <name=value>', 'of a program: set an environment variable (repeatable)', collectEnv)
    .option('--json <file>', 'write the result there; "-" is stdout')
    .addHelpText('after', BOUNDS_HELP)
    .action(
      async (
        file: string | undefined,
        { function: functions, include, define, env, hardware, ...options }: BoundsFlags,
      ) => {
        const { boundsCommand } = await import('./bounds.ts');
        finish(
          await boundsCommand(
            {
              ...options,
              ...hardwareRuns(hardware),
              env: env ?? {},
              include: include ?? [],
              define: define ?? [],
              functions: functions ?? [],
              ...(file === undefined ? {} : { file }),
              ...(guestCommand === undefined ? {} : { command: guestCommand }),
            },
            ports,
          ),
        );
      },
    );

  program
    .command('machines')
    .summary('list the machine models, or explain one')
    .description('Lists the machine models that bounds are computed for, or explains one with its sources.')
    .argument('[NAME]', 'a machine or a file of your own')
    .addHelpText('after', MACHINES_HELP)
    .action(async (name: string | undefined) => {
      const { machinesCommand } = await import('./machines.ts');
      finish(await machinesCommand(name, ports));
    });

  for (const command of program.commands)
    command.showHelpAfterError(`  See "ilp-gate ${command.name()} --help".`);
  return program;
}

function programBeforeDashes(args: readonly string[], guestCommand: readonly string[] | undefined): Failure {
  const whole = [...args, ...(guestCommand ?? [])].join(' ');
  const message = `unexpected ${JSON.stringify(args[0])}: the program and its arguments go after "--", as in: ilp-gate measure -- ${whole}`;
  return new Failure('usage', 'program-before-dashes', message);
}

interface ConfigFlags {
  readonly config?: string;
  readonly target?: readonly string[];
  readonly jobs?: number;
}

interface ReportFlags {
  readonly format: Format;
  readonly output?: string;
}

interface BoundsFlags {
  readonly machine: string;
  readonly isa: IsaLevel;
  readonly function?: readonly string[];
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly format: BoundsFormat;
  readonly blocks?: string;
  readonly unroll?: ReadonlyMap<string | undefined, number>;
  readonly counts?: string;
  readonly source?: string;
  readonly hardware?: true | number;
  readonly fuel?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly json?: string;
}

type CheckFlags = ConfigFlags & ReportFlags;

interface MeasureFlags {
  readonly children: ChildrenPolicy;
  readonly function?: readonly string[];
  readonly depth: number;
  readonly chain?: readonly string[];
  readonly isa: IsaLevel;
  readonly machine?: string;
  readonly hardware?: true | number;
  readonly fuel?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly json?: string;
  readonly html?: string;
  readonly engineStats?: true | string;
}

/** An odd number, so that the middle one was measured. */
const HARDWARE_RUNS = 3;

function hardwareRuns(asked: true | number | undefined): { readonly hardwareRuns?: number } {
  return asked === undefined ? {} : { hardwareRuns: asked === true ? HARDWARE_RUNS : asked };
}

function measureOptions(flags: MeasureFlags, command: readonly string[] | undefined): MeasureCommand {
  const { function: functions, chain, env, engineStats, hardware, ...same } = flags;
  return {
    ...same,
    ...hardwareRuns(hardware),
    command,
    ...(engineStats === undefined
      ? {}
      : { engineStats: engineStats === true ? 'stderr' : { file: engineStats } }),
    functions: functions ?? [],
    env: env ?? {},
    ...(chain === undefined ? {} : { chains: chain }),
  };
}
