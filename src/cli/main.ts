import { CommanderError } from 'commander';
import { Failure } from '../base/failure.ts';
import { splitAtDashes } from './options.ts';
import type { CliPorts } from './ports.ts';
import { buildProgram } from './program.ts';
import { sayFailure } from './say-failure.ts';

/**
 * The command line. `argv` is without the interpreter and the script. Returns the exit status and never throws.
 * `measure` keeps 125 and 126 for itself, as env(1) and timeout(1) do, because its other statuses are the guest's.
 */
export async function main(argv: readonly string[], ports: CliPorts): Promise<number> {
  const { own, command } = splitAtDashes(argv);
  const named = own.find((each) => !each.startsWith('-'));
  const isMeasure = named === 'measure';
  let status = 0;
  try {
    if (command !== undefined && !isMeasure && named !== 'bounds' && own.length > 0) {
      throw new Failure('usage', 'unexpected-program', 'only measure and bounds take a program after "--"');
    }
    const program = buildProgram(command, ports, (result) => {
      status = result;
    });
    if (own.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(own, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said what it had to say.
      return error.exitCode === 0 ? 0 : isMeasure ? 125 : 2;
    }
    ports.terminal.stderr(sayFailure(error));
    const isGuest = error instanceof Failure && error.kind === 'guest';
    if (isMeasure) return isGuest ? 126 : 125;
    return isGuest ? 3 : 2;
  }
}
