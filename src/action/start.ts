import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { actionsRunner, runnerContext } from '../host/actions.ts';
import { uploadArtifact } from '../host/artifact.ts';
import { gitHubComments } from '../host/github.ts';
import type { ActionPorts } from './ports.ts';
import { failWith, runAction } from './run.ts';

/** Runs the action as the runner's step, around the given gate. */
export async function startAction(gate: ActionPorts['gate']): Promise<void> {
  const runner = actionsRunner();
  try {
    await runAction({
      runner,
      context: runnerContext(),
      gate,
      comments: (token, repository) => gitHubComments({ token, repository }),
      upload: uploadArtifact,
      files: {
        isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
        makeDirectory: (parent, prefix) => mkdtempSync(join(parent, prefix)),
      },
    });
  } catch (error) {
    failWith(runner, error);
  }
}
