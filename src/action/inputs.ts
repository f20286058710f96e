import { resolve } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { CommentMode } from '../comment/decide.ts';
import { DEFAULT_CONFIG_FILE } from '../config/config.ts';
import type { GateRequest, RunnerContext } from './ports.ts';

export interface Inputs {
  readonly source: GateRequest['source'];
  /** Absolute. */
  readonly workingDirectory: string;
  readonly targets: readonly string[];
  readonly updateBaseline: boolean;
  readonly comment: CommentMode;
  /** '' where there is none. */
  readonly token: string;
  /** '' uploads nothing. */
  readonly artifactName: string;
}

const COMMENT_MODES: readonly CommentMode[] = ['always', 'on-change', 'never'];

/** Reads and checks all inputs of action.yml. Throws Failure (`config`) that names the input and what it must be. */
export function readInputs(
  input: (name: string) => string,
  context: Pick<RunnerContext, 'workspace'>,
  isDirectory: (path: string) => boolean,
): Inputs {
  const directory = resolve(context.workspace, input('working-directory') || '.');
  if (!isDirectory(directory)) {
    throw invalid(
      'working-directory',
      input('working-directory'),
      'a directory of the checked-out repository',
    );
  }
  const targets = input('targets')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  const command = input('command').trim();
  if (command !== '' && targets.length > 0) {
    throw conflict('command', 'targets', 'a command is the only target');
  }
  return {
    source: readSource(input('config').trim(), command),
    workingDirectory: directory,
    targets,
    updateBaseline: readBoolean('update-baseline', input('update-baseline')),
    comment: readCommentMode(input('comment')),
    token: input('github-token').trim(),
    artifactName: readArtifactName(input('artifact-name').trim()),
  };
}

function readSource(config: string, command: string): GateRequest['source'] {
  if (command === '') {
    return { kind: 'config', path: config || DEFAULT_CONFIG_FILE };
  }
  if (config !== '') {
    throw conflict('command', 'config', 'a command is measured without a configuration');
  }
  return { kind: 'command', command };
}

function readBoolean(name: string, value: string): boolean {
  switch (value.trim().toLowerCase()) {
    case 'true':
      return true;
    case '':
    case 'false':
      return false;
    default:
      throw invalid(name, value, '"true" or "false"');
  }
}

function readCommentMode(value: string): CommentMode {
  const mode = COMMENT_MODES.find((known) => known === (value.trim() || 'always'));
  if (mode === undefined) {
    throw invalid('comment', value, '"always", "on-change" or "never"');
  }
  return mode;
}

/** The characters that the artifact service refuses, so that artifacts can be unpacked on every file system. */
function readArtifactName(value: string): string {
  if (/[":<>|*?\r\n\\/]/.test(value)) {
    throw invalid('artifact-name', value, 'a name without any of " : < > | * ? \\ / and line breaks');
  }
  return value;
}

function invalid(name: string, value: string, expected: string): Failure {
  return new Failure('config', 'input-invalid', `input "${name}" is "${value}"; it must be ${expected}`, {
    input: name,
    value,
  });
}

function conflict(one: string, other: string, why: string): Failure {
  return new Failure(
    'config',
    'inputs-conflict',
    `inputs "${one}" and "${other}" exclude each other: ${why}`,
    {
      inputs: [one, other],
    },
  );
}
