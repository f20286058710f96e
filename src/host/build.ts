import { spawn } from 'node:child_process';
import { Failure } from '../base/failure.ts';

/**
 * Runs a build command with the shell, its output on our stderr: stdout is the report's.
 * Throws Failure (`environment`): build-failed, build-not-started.
 */
export function runBuild(command: string, directory: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('/bin/sh', ['-e', '-c', command], { cwd: directory, stdio: ['ignore', 2, 2] });
    child.on('error', (error) => {
      fail(
        new Failure(
          'environment',
          'build-not-started',
          `cannot start the build in ${directory}: ${error.message}`,
          { directory },
        ),
      );
    });
    child.on('close', (status, signal) => {
      if (status === 0) return done();
      const how = signal === null ? `exited with status ${status}` : `was ended by ${signal}`;
      const facts = { command, ...(status === null ? {} : { status }) };
      fail(
        new Failure(
          'environment',
          'build-failed',
          `the build command ${JSON.stringify(command)} ${how}`,
          facts,
        ),
      );
    });
  });
}
