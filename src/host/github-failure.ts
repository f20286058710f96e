import { Failure } from '../base/failure.ts';
import type { GitHubFailureCode } from '../comment/ports.ts';

/** What Octokit throws: a status where GitHub answered, 500 where nothing did. */
interface HttpProblem {
  readonly status: number;
  readonly message: string;
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>;
  };
}

/** Worth another try: the server, or the way to it, failed. */
export function isTransient(error: unknown): boolean {
  return isHttpProblem(error) && error.status >= 500;
}

/** The stable code and the one sentence for whatever a request to GitHub threw. */
export function gitHubFailure(task: string, error: unknown): Failure {
  if (!isHttpProblem(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure('github-unavailable', `could not ${task}: ${firstLine(reason)}`);
  }
  const answer = error.response === undefined ? 'no answer' : `HTTP ${error.status}`;
  return failure(codeOf(error), `could not ${task}: GitHub gave ${answer} (${firstLine(error.message)})`, {
    status: error.status,
  });
}

function codeOf(problem: HttpProblem): GitHubFailureCode {
  if (isRateLimit(problem)) {
    return 'github-rate-limited';
  }
  switch (problem.status) {
    case 401:
      return 'github-bad-credentials';
    case 403:
      return 'github-forbidden';
    case 404:
    case 410:
      return 'github-not-found';
    default:
      return problem.status >= 500 ? 'github-unavailable' : 'github-rejected';
  }
}

/** Primary limits say so in a header, secondary ones in `retry-after` or in the message; both may use 403. */
function isRateLimit({ status, message, response }: HttpProblem): boolean {
  if (status === 429) {
    return true;
  }
  return (
    status === 403 &&
    (String(response?.headers['x-ratelimit-remaining']) === '0' ||
      response?.headers['retry-after'] !== undefined ||
      /rate limit/i.test(message))
  );
}

function isHttpProblem(error: unknown): error is HttpProblem {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Octokit appends the documentation's address after " - "; GraphQL errors span lines. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0].replace(/(?: - https?:\S+)?\.?$/, '');
}

function failure(code: GitHubFailureCode, message: string, facts: { status?: number } = {}): Failure {
  return new Failure('environment', code, message, facts);
}
