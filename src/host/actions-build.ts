import { spawn } from 'node:child_process';
import { Failure } from '../base/failure.ts';

/**
 * Runs a build command as a `run` step of the job would. Its output goes to stdout, both streams in one: the runner reads
 * stdout and stderr independently, so only there do the lines stay between our words that switch commands off and on.
 * Throws Failure (`environment`): build-failed, build-not-started.
 */
export function runBuildInStep(command: string, directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-e', '-c', command], {
      cwd: directory,
      env: buildEnvironment(process.env),
      stdio: ['ignore', 1, 1],
    });
    child.on('error', (error) => {
      const message = `cannot start the build in ${directory}: ${error.message}`;
      reject(new Failure('environment', 'build-not-started', message, { directory }));
    });
    child.on('close', (status, signal) => {
      if (status === 0) {
        resolve();
        return;
      }
      const how = signal === null ? `exited with status ${status}` : `was ended by ${signal}`;
      const message = `the build command ${JSON.stringify(command)} ${how}`;
      reject(new Failure('environment', 'build-failed', message, { command }));
    });
  });
}

/**
 * The runner gives an action more than it gives a `run` step: its inputs (the token is one), tokens for artifacts, caches
 * and identity, and the files through which a step sets outputs, variables and the path of the steps after it.
 */
export function buildEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isOfTheAction(name)) {
      kept[name] = value;
    }
  }
  return kept;
}

const COMMAND_FILES: ReadonlySet<string> = new Set([
  'GITHUB_OUTPUT',
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
]);

function isOfTheAction(name: string): boolean {
  return name.startsWith('INPUT_') || name.startsWith('ACTIONS_') || COMMAND_FILES.has(name);
}
