import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as core from '@actions/core';
import type { Annotation, Runner, RunnerContext } from '../action/ports.ts';
import { readEvent } from './actions-event.ts';

/** The runner that started this process: inputs and context come as variables, everything else leaves through stdout and files. */
export function actionsRunner(): Runner {
  return {
    input: (name) => core.getInput(name),
    output: (name, value) => core.setOutput(name, value),
    log: (line) => core.info(line),
    notice: (line) => core.notice(line),
    warning: (line) => core.warning(line),
    secret: (value) => core.setSecret(value),
    annotate,
    summary,
    fail: (message) => core.setFailed(message),
    group: (title, work) => core.group(title, work),
    unattended,
  };
}

/** What the runner says about itself and the event. Throws Failure for an event file that makes no sense. */
export function runnerContext(): RunnerContext {
  const name = process.env.GITHUB_EVENT_NAME ?? '';
  const path = process.env.GITHUB_EVENT_PATH;
  const payload = path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '{}';
  const server = process.env.GITHUB_SERVER_URL ?? 'https://github.com';
  const repository = process.env.GITHUB_REPOSITORY ?? '';
  const run = process.env.GITHUB_RUN_ID;
  return {
    event: readEvent(name, payload, process.env.GITHUB_SHA ?? ''),
    repository,
    workspace: process.env.GITHUB_WORKSPACE ?? process.cwd(),
    temporary: process.env.RUNNER_TEMP ?? '/tmp',
    runUrl: run === undefined ? undefined : `${server}/${repository}/actions/runs/${run}`,
  };
}

function annotate(annotation: Annotation): void {
  const { level, message, title, place } = annotation;
  const properties = place === undefined ? { title } : { title, file: place.file, startLine: place.line };
  const issue = { error: core.error, warning: core.warning, notice: core.notice }[level];
  issue(message, properties);
}

function summary(markdown: string): void {
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (path) {
    appendFileSync(path, `${markdown.trimEnd()}\n`);
  }
}

/**
 * Runs something whose output is not ours (the user's build): the runner shows its lines and obeys none of them until it
 * sees the random word again.
 */
async function unattended<T>(title: string, work: () => Promise<T>): Promise<T> {
  const word = `ilp-gate-${crypto.randomUUID()}`;
  return await core.group(title, async () => {
    core.info(`::stop-commands::${word}`);
    try {
      return await work();
    } finally {
      // On a line of its own, whatever was printed last: glued to other text it would not be seen, nor anything after it.
      core.info(`\n::${word}::`);
    }
  });
}
