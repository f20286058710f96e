import { Failure } from '../base/failure.ts';
import { publishComment } from '../comment/publish.ts';
import { fenced, plain } from '../report/escape.ts';
import { planAnnotations } from './annotations.ts';
import { type Degraded, withoutArtifact, withoutComment, withoutToken } from './degrade.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { commentKey } from './key.ts';
import type { ActionPorts, GateResult, Runner } from './ports.ts';
import { remedyInWorkflow } from './remedy.ts';
import { refusalOf } from './trust.ts';

/** One run of the action. Throws Failure for what must fail the step; a regression is no exception. */
export async function runAction(ports: ActionPorts): Promise<void> {
  const { runner, context } = ports;
  const refusal = refusalOf(context.event);
  if (refusal !== undefined) {
    throw refusal;
  }
  const inputs = readInputs(runner.input, context, ports.files.isDirectory);
  if (inputs.token !== '') {
    runner.secret(inputs.token);
  }
  const outputDirectory = ports.files.makeDirectory(context.temporary, 'ilp-gate-');
  const result = await runner.unattended('Build, run and compare', () =>
    ports.gate({
      source: inputs.source,
      workingDirectory: inputs.workingDirectory,
      targets: inputs.targets,
      updateBaseline: inputs.updateBaseline,
      base: 'base' in context.event ? context.event.base : undefined,
      outputDirectory,
    }),
  );

  runner.log(plain(result.headline));
  runner.summary(result.markdown);
  annotate(ports, result);
  setOutputs(runner, result);
  const artifact = await upload(ports, inputs, result, outputDirectory);
  const comment = await comments(ports, inputs, result, artifact);
  runner.output('comment-id', comment ?? '');
  if (!result.passed) {
    runner.fail(result.headline);
  }
}

function annotate({ runner, context }: ActionPorts, result: GateResult): void {
  const { shown, dropped } = planAnnotations(result.annotations, context.workspace);
  for (const annotation of shown) {
    runner.annotate(annotation);
  }
  if (dropped > 0) {
    runner.log(`${dropped} more annotations are only in the report: GitHub shows ten of a level.`);
  }
}

function setOutputs(runner: Runner, result: GateResult): void {
  runner.output('verdict', result.verdict);
  runner.output('regressions', result.regressions);
  runner.output('instructions', result.totals?.instructions ?? '');
  runner.output('cycles', result.totals?.cycles ?? '');
  runner.output('ilp', result.totals?.ilp ?? '');
  runner.output('report', result.reportPath);
  runner.output('profile', result.profilePaths.join('\n'));
}

async function upload(
  { runner, upload }: ActionPorts,
  inputs: Inputs,
  result: GateResult,
  root: string,
): Promise<number | undefined> {
  if (inputs.artifactName === '') {
    return undefined;
  }
  const { reportPath, pagePath, profilePaths } = result;
  const files = [reportPath, ...(pagePath === undefined ? [] : [pagePath]), ...profilePaths];
  return await orDegrade(runner, withoutArtifact, () =>
    runner.group('Upload the artifact', () => upload({ name: inputs.artifactName, files, root })),
  );
}

/** Returns the comment's id where there is one after this. */
async function comments(
  ports: ActionPorts,
  inputs: Inputs,
  result: GateResult,
  artifact: number | undefined,
): Promise<number | undefined> {
  const { runner, context } = ports;
  const { event } = context;
  if (inputs.comment === 'never' || inputs.updateBaseline) {
    return undefined;
  }
  if (event.kind !== 'pull-request' && event.kind !== 'push') {
    runner.log('No comment: the event belongs to no pull request.');
    return undefined;
  }
  if (inputs.token === '') {
    say(runner, withoutToken());
    return undefined;
  }
  const service = ports.comments(inputs.token, context.repository);
  return await orDegrade(
    runner,
    (failure) => withoutComment(failure, event),
    async () => {
      const pullRequest =
        event.kind === 'pull-request' ? event.number : await service.pullRequestOf(event.commit);
      if (pullRequest === undefined) {
        runner.log(`No comment: no open pull request has commit ${event.commit.slice(0, 7)} as its head.`);
        return undefined;
      }
      const published = await publishComment(service, {
        mode: inputs.comment,
        pullRequest,
        changed: result.changed,
        content: {
          key: commentKey(inputs, context.workspace),
          report: result.markdown,
          footer: footer(event.commit, context.runUrl, artifact),
        },
      });
      runner.log(
        published.kind === 'silent'
          ? `No comment on pull request ${pullRequest}: nothing changed.`
          : `Comment ${published.id} on pull request ${pullRequest}: ${published.kind}.`,
      );
      return published.kind === 'silent' ? undefined : published.id;
    },
  );
}

function footer(commit: string, runUrl: string | undefined, artifact: number | undefined): string {
  const parts = [`Commit ${commit.slice(0, 7)}`];
  if (runUrl !== undefined) {
    parts.push(`[workflow run](${runUrl})`);
    if (artifact !== undefined) {
      parts.push(`[report and profiles](${runUrl}/artifacts/${artifact})`);
    }
  }
  return `<sub>${parts.join(' · ')}</sub>`;
}

async function orDegrade<T>(
  runner: Runner,
  degrade: (failure: Failure) => Degraded,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) {
      throw error;
    }
    say(runner, degrade(error));
    return undefined;
  }
}

function say(runner: Runner, { level, line }: Degraded): void {
  runner[level](line);
}

/** Turns whatever was thrown into one message and the step's failure. */
export function failWith(runner: Runner, error: unknown): void {
  runner.output('verdict', 'error');
  if (!(error instanceof Failure)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    runner.fail(`ILP Gate failed by a mistake of its own; please report it with this text. ${detail}`);
    return;
  }
  const remedy = remedyInWorkflow(error) ?? '';
  const message = plain(error.message);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
  runner.fail(`${sentence} ${remedy}`.trimEnd());
  runner.summary(`### ⚠️ Nothing was measured\n\n${fenced([error.message])}\n\n${remedy}`);
}
