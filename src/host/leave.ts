import { accessSync, constants } from 'node:fs';

/** In Node since 22.15. */
const { execve } = process as {
  readonly execve?: (file: string, args: readonly string[], env: Readonly<Record<string, string>>) => never;
};

const SHELL = '/bin/sh';

/**
 * Ends the process, once all that it wrote is written, without waiting for V8: it would finish what it compiles of
 * functions that nobody calls any more, and take down its heap (0.1 s after a short run of sqlite3, up to 0.4 s). Node has no
 * other way to leave its threads behind than to become another program, which ends with the same status.
 * To be called when nobody else waits for the end. A Node that was asked to tell about itself at its end does so.
 */
export function leaveAtOnce(): void {
  if (execve === undefined || isObserved() || !canRun(SHELL)) return;
  process.once('exit', (status) => {
    execve.call(process, SHELL, [SHELL, '-c', `exit ${status}`], {});
  });
}

/** Profiles, coverage and reports are written when Node ends. */
function isObserved(): boolean {
  const { NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  return process.execArgv.length > 0 || Boolean(NODE_OPTIONS) || Boolean(NODE_V8_COVERAGE);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
