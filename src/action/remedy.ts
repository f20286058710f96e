import type { Failure } from '../base/failure.ts';
import { remedyFor } from '../report/remedies.ts';

/** What to do about a failure, in terms of a workflow where that differs from the command line. */
export function remedyInWorkflow(failure: Failure): string | undefined {
  switch (failure.code) {
    case 'config-missing':
      return 'Commit an ilp-gate.yml, name another file in input "config", or set input "working-directory".';
    case 'unsafe-event':
      return 'Run the workflow on "pull_request" instead: forks then get the report in the job summary.';
    case 'measurement-died':
      return 'Most likely memory ran out: measure fewer targets in one job, or on a runner with more memory.';
    case 'config-invalid':
    case 'config-unknown-key':
      // The message says it all, and the command line's help is out of reach.
      return undefined;
    default:
      return remedyFor(failure);
  }
}
