import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiDescription, type Operation, readApiDescription } from './openapi.ts';

/** A small GitHub on the loopback: it remembers comments and pull requests, and holds every exchange against GitHub's own description. */
export interface GitHubServer {
  readonly url: string;
  readonly comments: StoredComment[];
  readonly pullRequests: StoredPullRequest[];
  /** `METHOD path` of every request, in order. */
  readonly requests: string[];
  /** What was wrong with a request, or with an answer of this server; a test that finds any here has failed. */
  readonly problems: string[];
  /** What the token may do to pull requests. */
  access: 'write' | 'read';
  /** Who the token belongs to. */
  viewer: string;
  /** Takes the place of the usual answer, first match first, `times` times. */
  readonly faults: Fault[];
  reset(): void;
  close(): Promise<void>;
}

interface StoredComment {
  readonly id: number;
  readonly pullRequest: number;
  readonly author: string;
  body: string;
}

interface StoredPullRequest {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly head: string;
  /** Commits below the head. */
  readonly history?: readonly string[];
}

interface Fault {
  readonly request: RegExp;
  times: number;
  readonly answer:
    | {
        readonly kind: 'status';
        readonly status: number;
        readonly message: string;
        readonly headers?: Record<string, string>;
      }
    | { readonly kind: 'hang-up' };
}

export const TOKEN = 'ghs_a-token-of-the-tests';
const REPOSITORY = '/repos/octo/numbers/';

export async function startGitHub(): Promise<GitHubServer> {
  const api = readApiDescription();
  const state = {
    url: '',
    comments: [] as StoredComment[],
    pullRequests: [] as StoredPullRequest[],
    requests: [] as string[],
    problems: [] as string[],
    faults: [] as Fault[],
    access: 'write' as 'write' | 'read',
    viewer: 'github-actions[bot]',
    reset() {
      for (const list of [state.comments, state.pullRequests, state.requests, state.problems, state.faults]) {
        list.length = 0;
      }
      state.access = 'write';
      state.viewer = 'github-actions[bot]';
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    serve(api, state, request, response).catch((error) => {
      state.problems.push(`the fake server failed: ${error.stack}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

async function serve(
  api: ApiDescription,
  state: GitHubServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', state.url);
  const method = request.method ?? '';
  const text = await readAll(request);
  state.requests.push(`${method} ${url.pathname}`);
  const fault = state.faults.find((it) => it.times > 0 && it.request.test(`${method} ${url.pathname}`));
  if (fault !== undefined) {
    fault.times--;
  }
  if (fault?.answer.kind === 'hang-up') {
    request.socket.destroy();
    return;
  }

  const body = text === '' ? undefined : JSON.parse(text);
  let answer: Answer;
  if (request.headers.authorization !== `token ${TOKEN}`) {
    answer = refusal(401, 'Bad credentials');
  } else if (fault?.answer.kind === 'status') {
    answer = { ...refusal(fault.answer.status, fault.answer.message), headers: fault.answer.headers ?? {} };
  } else if (method === 'POST' && url.pathname === '/graphql') {
    answer = answerGraphQl(state, body);
  } else {
    const operation = api.match(method, url.pathname);
    if (operation === undefined) {
      state.problems.push(`GitHub has no ${method} ${url.pathname}`);
      answer = refusal(404, 'Not Found');
    } else {
      const problems = operation.requestProblems(url.searchParams, body);
      state.problems.push(...problems.map((it) => `${operation.id}: ${it}`));
      answer =
        problems.length > 0
          ? refusal(422, problems.join('; '))
          : answerRest(api, state, operation, url, body);
      state.problems.push(
        ...operation.answerProblems(answer.status, answer.body).map((it) => `${operation.id}: ${it}`),
      );
    }
  }
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

/** The one query that the action asks; the workflow's own token is an application's, as is its `viewer`. */
function answerGraphQl(state: GitHubServer, body: { query: string }): Answer {
  if (body.query.replaceAll(/\s+/g, ' ').trim() !== 'query { viewer { login } }') {
    state.problems.push(`unexpected GraphQL: ${body.query}`);
  }
  return { status: 200, body: { data: { viewer: { login: state.viewer } } } };
}

function answerRest(
  api: ApiDescription,
  state: GitHubServer,
  operation: Operation,
  url: URL,
  body: unknown,
): Answer {
  if (!url.pathname.startsWith(REPOSITORY)) {
    return refusal(404, 'Not Found');
  }
  const { issue_number: issue, comment_id: comment, commit_sha: commit } = operation.parameters;
  const mayWrite = state.access === 'write';
  switch (operation.id) {
    case 'issues/list-comments': {
      if (!isPullRequest(state, issue)) {
        return refusal(404, 'Not Found');
      }
      const all = state.comments.filter((it) => it.pullRequest === Number(issue));
      return page(
        url,
        all.map((it) => renderComment(api, it)),
      );
    }
    case 'issues/create-comment': {
      if (!mayWrite) {
        return refusal(403, 'Resource not accessible by integration');
      }
      if (!isPullRequest(state, issue)) {
        return refusal(404, 'Not Found');
      }
      const { body: content } = body as { body: string };
      if (content.length > 65_536) {
        return refusal(422, 'Body is too long (maximum is 65536 characters)');
      }
      const id = Math.max(1000, ...state.comments.map((it) => it.id)) + 1;
      const created = { id, pullRequest: Number(issue), author: state.viewer, body: content };
      state.comments.push(created);
      return { status: 201, body: renderComment(api, created) };
    }
    case 'issues/update-comment': {
      const stored = state.comments.find((it) => it.id === Number(comment));
      if (stored === undefined) {
        return refusal(404, 'Not Found');
      }
      if (!mayWrite) {
        return refusal(403, 'Resource not accessible by integration');
      }
      stored.body = (body as { body: string }).body;
      return { status: 200, body: renderComment(api, stored) };
    }
    case 'repos/list-pull-requests-associated-with-commit': {
      const found = state.pullRequests.filter((it) => it.head === commit || it.history?.includes(commit));
      return page(
        url,
        found.map((it) => renderPullRequest(api, it)),
      );
    }
    default:
      state.problems.push(`the action should not need ${operation.id}`);
      return refusal(404, 'Not Found');
  }
}

function isPullRequest(state: GitHubServer, number: string): boolean {
  return state.pullRequests.some((it) => it.number === Number(number));
}

/** Pages as GitHub makes them: 30 by default, 100 at most, the next one named in a Link header. */
function page(url: URL, all: readonly unknown[]): Answer {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const number = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(number + 1));
  const headers: Record<string, string> = number * size < all.length ? { link: `<${next}>; rel="next"` } : {};
  return { status: 200, body: all.slice((number - 1) * size, number * size), headers };
}

function renderComment(api: ApiDescription, stored: StoredComment): unknown {
  const comment = api.example('issue-comment') as { user: object };
  const bot = stored.author.endsWith('[bot]');
  return {
    ...comment,
    id: stored.id,
    body: stored.body,
    user: { ...comment.user, login: stored.author, type: bot ? 'Bot' : 'User' },
  };
}

function renderPullRequest(api: ApiDescription, stored: StoredPullRequest): unknown {
  const [pull] = api.example('pull-request-simple-items') as { head: object }[];
  const head = { ...pull.head, sha: stored.head };
  // GitHub's own example of a requested team lacks a property that its schema requires.
  return { ...pull, number: stored.number, state: stored.state, head, requested_teams: [] };
}

function refusal(status: number, message: string): Answer {
  return {
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
