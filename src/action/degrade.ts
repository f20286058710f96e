import type { Failure } from '../base/failure.ts';
import type { GitHubFailureCode } from '../comment/ports.ts';
import type { TriggerEvent } from './ports.ts';

/** What the log says once instead of failing: a comment or an artifact is a courtesy, the verdict is not. */
export interface Degraded {
  readonly level: 'notice' | 'warning';
  readonly line: string;
}

const SUMMARY_HAS_IT = 'The report is in the job summary.';

export function withoutToken(): Degraded {
  return { level: 'notice', line: `No comment: input "github-token" is empty. ${SUMMARY_HAS_IT}` };
}

export function withoutComment(failure: Failure, event: TriggerEvent): Degraded {
  switch (failure.code as GitHubFailureCode) {
    case 'github-forbidden':
      return event.kind === 'pull-request' && event.fork
        ? {
            level: 'notice',
            line: `No comment: the token of a pull request from a fork may only read. ${SUMMARY_HAS_IT}`,
          }
        : {
            level: 'warning',
            line: `No comment: the token may not write to pull requests; give the job "permissions: pull-requests: write" (Dependabot's runs may only read). ${SUMMARY_HAS_IT}`,
          };
    case 'github-bad-credentials':
      return {
        level: 'warning',
        line: `No comment: GitHub does not accept input "github-token"; it may have expired. ${SUMMARY_HAS_IT}`,
      };
    case 'github-not-found':
      return {
        level: 'warning',
        line: `No comment: with this token GitHub shows no such pull request; give the job "permissions: pull-requests: write". ${SUMMARY_HAS_IT}`,
      };
    case 'github-rate-limited':
      return { level: 'warning', line: `No comment: the token's rate limit is used up. ${SUMMARY_HAS_IT}` };
    case 'github-rejected':
    case 'github-unavailable':
      return { level: 'warning', line: `No comment: ${failure.message}. ${SUMMARY_HAS_IT}` };
  }
}

export function withoutArtifact(failure: Failure): Degraded {
  switch (failure.code) {
    case 'artifact-unavailable':
      return { level: 'notice', line: `No artifact: ${failure.message}. The outputs name the files.` };
    case 'artifact-name-taken':
      return {
        level: 'warning',
        line: `No artifact: the run has one named "${failure.facts.name}"; give each job a name in input "artifact-name".`,
      };
    default:
      return { level: 'warning', line: `No artifact: ${failure.message}. The outputs name the files.` };
  }
}
