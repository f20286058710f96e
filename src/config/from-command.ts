import { Failure } from '../base/failure.ts';
import {
  type Config,
  DEFAULT_BASELINE_DIRECTORY,
  DEFAULT_CHILDREN,
  DEFAULT_DEPTH,
  DEFAULT_ISA,
} from './config.ts';
import { splitWords } from './words.ts';

/**
 * The configuration of one command without a file: one target named after the program, every default as it is.
 * Throws Failure (kind `config`, command-invalid).
 */
export function configFromCommand(command: string): Config {
  const split = splitWords(command);
  const [program, ...args] = split.kind === 'words' ? split.words : [];
  if (split.kind === 'refused' || program === undefined || program === '') {
    const problem = split.kind === 'refused' ? split.problem : 'it names no program';
    throw new Failure(
      'config',
      'command-invalid',
      `the command ${JSON.stringify(command)} cannot be run: ${problem}`,
      { command },
    );
  }
  return {
    targets: [
      {
        name: nameAfter(program),
        command: [program, ...args],
        functions: [],
        env: {},
        expectExit: 0,
        limits: {},
      },
    ],
    limits: {},
    depth: DEFAULT_DEPTH,
    children: DEFAULT_CHILDREN,
    isa: DEFAULT_ISA,
    baseline: DEFAULT_BASELINE_DIRECTORY,
    base: 'baseline',
  };
}

function nameAfter(program: string): string {
  const base = program.slice(program.lastIndexOf('/') + 1);
  const safe = base.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return safe.slice(0, 100) || 'command';
}
