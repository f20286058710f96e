import { Failure } from '../base/failure.ts';

export interface ArtifactRequest {
  readonly name: string;
  /** Absolute paths, all below `root`. */
  readonly files: readonly string[];
  readonly root: string;
}

/**
 * Uploads the files as one artifact of the workflow run and returns its id. Throws Failure (`environment`):
 * artifact-unavailable where there is no service, artifact-name-taken and artifact-refused where it did not take them.
 */
export async function uploadArtifact(request: ArtifactRequest): Promise<number> {
  if (!process.env.ACTIONS_RUNTIME_TOKEN || !process.env.ACTIONS_RESULTS_URL) {
    throw new Failure('environment', 'artifact-unavailable', 'this runner offers no artifact service');
  }
  try {
    // Loading the client takes longer than everything else that the action loads, and most runs of a fork need none.
    const { DefaultArtifactClient } = await import('@actions/artifact');
    const { id } = await new DefaultArtifactClient().uploadArtifact(
      request.name,
      [...request.files],
      request.root,
    );
    if (id === undefined) {
      throw new Error('the service named no id');
    }
    return id;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error))
      .split('\n', 1)[0]
      .replace(/\.$/, '');
    const code = /\(409\)|already exists/.test(reason) ? 'artifact-name-taken' : 'artifact-refused';
    const { name } = request;
    throw new Failure('environment', code, `the artifact service did not take "${name}": ${reason}`, {
      name,
    });
  }
}
