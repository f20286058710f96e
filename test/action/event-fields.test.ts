import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const file = require.resolve('@octokit/openapi/generated/api.github.com.json');
const { components } = JSON.parse(readFileSync(file, 'utf8'));

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
}

/** What actions-event.ts reads of each payload, by GitHub's own description of its webhooks. */
test.each([
  ['webhook-pull-request-opened', 'pull_request.number', 'integer'],
  ['webhook-pull-request-synchronize', 'pull_request.number', 'integer'],
  ['webhook-pull-request-synchronize', 'pull_request.head.sha', 'string'],
  ['webhook-pull-request-synchronize', 'pull_request.head.repo', 'object'],
  ['webhook-pull-request-synchronize', 'pull_request.head.repo.full_name', 'string'],
  ['webhook-pull-request-synchronize', 'pull_request.base.ref', 'string'],
  ['webhook-pull-request-synchronize', 'pull_request.base.repo.full_name', 'string'],
  ['webhook-push', 'ref', 'string'],
  ['webhook-push', 'before', 'string'],
  ['webhook-push', 'repository.default_branch', 'string'],
  ['webhook-workflow-run-completed', 'workflow_run.head_repository', 'object'],
  ['webhook-workflow-run-completed', 'workflow_run.head_repository.full_name', 'string'],
  ['webhook-workflow-run-completed', 'repository.full_name', 'string'],
  ['webhook-issue-comment-created', 'issue', 'object'],
])('%s always has %s: %s', (name, path, type) => {
  let schema: Schema = components.schemas[name];
  for (const key of path.split('.')) {
    const parts = partsOf(schema);
    expect(parts.some((part) => part.required?.includes(key))).toBe(true);
    schema = parts.find((part) => part.properties?.[key] !== undefined)!.properties![key];
  }
  expect(partsOf(schema).map((part) => part.type)).toContain(type);
});

/** A schema and all that it is made of. */
function partsOf(schema: Schema): readonly Schema[] {
  const resolved: Schema =
    schema.$ref === undefined
      ? schema
      : components.schemas[schema.$ref.slice('#/components/schemas/'.length)];
  return [resolved, ...(resolved.allOf ?? []).flatMap(partsOf)];
}
