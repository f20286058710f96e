import { Failure } from '../base/failure.ts';

/** Where the command was started. Throws Failure `working-directory-missing` where that was removed since. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const message = 'The working directory has been removed. Change to one that is there, and start again.';
    throw new Failure('environment', 'working-directory-missing', message);
  }
}
