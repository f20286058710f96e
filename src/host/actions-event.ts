import * as z from 'zod/mini';
import type { TriggerEvent } from '../action/ports.ts';
import { Failure } from '../base/failure.ts';

const repository = z.object({ full_name: z.string() });

const pullRequestPayload = z.object({
  pull_request: z.object({
    number: z.int(),
    // GitHub sends null for the head repository once the fork was deleted.
    head: z.object({ sha: z.string(), repo: z.nullable(repository) }),
    base: z.object({ ref: z.string(), repo: repository }),
  }),
});

const pushPayload = z.object({
  ref: z.string(),
  before: z.string(),
  repository: z.object({ default_branch: z.string() }),
});

const workflowRunPayload = z.object({
  workflow_run: z.object({ head_repository: z.nullable(repository) }),
  repository,
});

const issueCommentPayload = z.object({ issue: z.object({ pull_request: z.optional(z.unknown()) }) });

/** What started the workflow, from the event's name and its payload. Throws Failure where the two do not agree. */
export function readEvent(name: string, json: string, commit: string): TriggerEvent {
  const payload = parseJson(name, json);
  switch (name) {
    case 'pull_request':
    case 'pull_request_target': {
      const { pull_request: pull } = expect(name, pullRequestPayload, payload);
      const fork = pull.head.repo?.full_name !== pull.base.repo.full_name;
      const kind = name === 'pull_request' ? 'pull-request' : 'pull-request-target';
      return { kind, number: pull.number, commit: pull.head.sha, fork, base: pull.base.ref };
    }
    case 'push':
      return { kind: 'push', commit, base: baseOfPush(expect(name, pushPayload, payload)) };
    case 'workflow_run': {
      const { workflow_run: run, repository: own } = expect(name, workflowRunPayload, payload);
      return { kind: 'workflow-run', commit, fork: run.head_repository?.full_name !== own.full_name };
    }
    case 'issue_comment': {
      const { issue } = expect(name, issueCommentPayload, payload);
      return { kind: 'issue-comment', commit, onPullRequest: issue.pull_request !== undefined };
    }
    default:
      return { kind: 'other', name, commit };
  }
}

/** A branch is compared with where it left the default branch; the default branch with itself before the push. */
function baseOfPush({ ref, before, repository }: z.output<typeof pushPayload>): string | undefined {
  const isFirst = /^0+$/.test(before);
  return ref === `refs/heads/${repository.default_branch}` && !isFirst ? before : undefined;
}

function parseJson(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw malformed(name, 'it is not JSON');
  }
}

function expect<T>(name: string, schema: z.ZodMiniType<T>, payload: unknown): T {
  const result = z.safeParse(schema, payload);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw malformed(name, `"${issue.path.join('.')}" is not as GitHub sends it`);
  }
  return result.data;
}

function malformed(name: string, reason: string): Failure {
  return new Failure(
    'environment',
    'event-malformed',
    `the payload of event "${name}" cannot be used: ${reason}`,
    {
      event: name,
    },
  );
}
