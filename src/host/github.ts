import { getOctokit } from '@actions/github';
import type { CommentService, PostedComment } from '../comment/ports.ts';
import { gitHubFailure, isTransient } from './github-failure.ts';

export interface GitHubAccess {
  readonly token: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Pauses before each further try of a read that failed for no reason of ours, in milliseconds. */
  readonly retryDelays?: readonly number[];
}

type Octokit = ReturnType<typeof getOctokit>;

/** A comment is not worth a hanging job. */
const REQUEST_TIMEOUT = 20_000;
const RETRY_DELAYS = [1_000, 3_000];

/** GitHub's API at GITHUB_API_URL, as the owner of the token. */
export function gitHubComments(access: GitHubAccess): CommentService {
  const octokit = getOctokit(access.token);
  retryReads(octokit, access.retryDelays ?? RETRY_DELAYS);
  const [owner, repo] = access.repository.split('/');
  const here = { owner, repo };
  return {
    async list(pullRequest) {
      return await asking('list the comments', async () => {
        const comments = await octokit.paginate(octokit.rest.issues.listComments, {
          ...here,
          issue_number: pullRequest,
          per_page: 100,
        });
        return comments.map(posted);
      });
    },
    async create(pullRequest, body) {
      return await asking('create the comment', async () => {
        const { data } = await octokit.rest.issues.createComment({
          ...here,
          issue_number: pullRequest,
          body,
        });
        return posted(data);
      });
    },
    async update(comment, body) {
      return await asking('update the comment', async () => {
        const { data } = await octokit.rest.issues.updateComment({ ...here, comment_id: comment, body });
        return posted(data);
      });
    },
    async self() {
      // GET /user answers 403 to the workflow's own token and to every other application's; `viewer` knows them all.
      return await asking('ask who the token belongs to', async () => {
        const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('query { viewer { login } }');
        return viewer.login;
      });
    },
    async pullRequestOf(commit) {
      return await asking('look for the pull request of the commit', async () => {
        const found = await octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
          ...here,
          commit_sha: commit,
          per_page: 100,
        });
        // The endpoint names every pull request that contains the commit; ours is about its state at this commit.
        const open = found.filter((pull) => pull.state === 'open' && pull.head.sha === commit);
        return open.map((pull) => pull.number).sort((a, b) => a - b)[0];
      });
    },
  };
}

async function asking<T>(task: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw gitHubFailure(task, error);
  }
}

/** Only what changes nothing is asked again: a POST that seemed to fail may have created its comment. */
function retryReads(octokit: Octokit, delays: readonly number[]): void {
  octokit.hook.wrap('request', async (request, options) => {
    const reads = options.method === 'GET' || options.url.endsWith('/graphql');
    for (let attempt = 0; ; attempt++) {
      try {
        return await request({
          ...options,
          request: { ...options.request, signal: AbortSignal.timeout(REQUEST_TIMEOUT) },
        });
      } catch (error) {
        if (!reads || attempt >= delays.length || !isTransient(error)) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, delays[attempt]));
      }
    }
  });
}

function posted(comment: {
  readonly id: number;
  readonly body?: string;
  readonly user: { readonly login: string } | null;
}): PostedComment {
  return { id: comment.id, body: comment.body ?? '', author: comment.user?.login };
}
