import { Failure } from '../base/failure.ts';
import type { TriggerEvent } from './ports.ts';

/*
 * Threat model
 *
 * Who may be hostile: whoever opens a pull request. They choose the code, the configuration with its `build` command, the
 * names of functions and files, the debug information, and what the program and the build print.
 * What is worth having: the job's token (write access to comments, perhaps more), the runner's artifact and cache tokens,
 * secrets in the environment, and a reviewer's trust in the comment.
 *
 * 1. `build` is a shell command and runs on the runner with the job's rights, as `run: make` would. So the code must never
 *    be less trusted than the job. GitHub sees to that for `pull_request` from forks: read-only token, no secrets; there
 *    the report goes to the job summary. It does not for the events below, which run in the base repository's context with
 *    its secrets. The action refuses them where code from elsewhere can be checked out.
 * 2. The build gets the environment of a `run` step: neither our inputs (one is the token) nor the runner's own tokens, nor
 *    the files that set outputs and variables for later steps (host/actions-build.ts). This keeps honest builds from
 *    leaking what they never asked for. It is no wall: the build runs as the same user and could read the runner's memory;
 *    the wall is point 1.
 * 3. The measured program runs in the emulator: no network, no process; it can read the files that the job can read, and
 *    what it writes is thrown away.
 * 4. What the build prints passes with workflow commands switched off under a random word. Foreign names go through the
 *    runner's own escaping in annotations and errors, and through report/escape.ts in log lines and Markdown.
 * 5. A comment is edited only when the marker is its first line and its author is the token's own account.
 */

/** Why this event must not run the gate, or undefined where it may. */
export function refusalOf(event: TriggerEvent): Failure | undefined {
  switch (event.kind) {
    case 'pull-request-target':
      return refuse('pull_request_target');
    case 'workflow-run':
      return event.fork ? refuse('workflow_run') : undefined;
    case 'issue-comment':
      return event.onPullRequest ? refuse('issue_comment') : undefined;
    case 'pull-request':
    case 'push':
    case 'other':
      return undefined;
  }
}

function refuse(event: string): Failure {
  return new Failure(
    'config',
    'unsafe-event',
    `Event "${event}" gives the code of a pull request this repository's secrets and a token that may write, and the gate builds that code`,
    { event },
  );
}
