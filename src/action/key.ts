import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import type { CommentKey } from '../comment/marker.ts';
import type { Inputs } from './inputs.ts';

/**
 * The same for every run of the same step, on whatever runner; different for another configuration, directory, command or
 * choice of targets, whose report must not replace this one's.
 */
export function commentKey(
  inputs: Pick<Inputs, 'source' | 'workingDirectory' | 'targets'>,
  workspace: string,
): CommentKey {
  const { source } = inputs;
  const identity = [
    source.kind,
    source.kind === 'config'
      ? relative(workspace, resolve(inputs.workingDirectory, source.path))
      : source.command,
    relative(workspace, inputs.workingDirectory),
    [...inputs.targets].sort(),
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16) as CommentKey;
}
