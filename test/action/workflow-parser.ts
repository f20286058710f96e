import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

type WorkflowParser = Pick<
  typeof import('@actions/workflow-parser'),
  'parseWorkflow' | 'NoOperationTraceWriter'
> &
  Pick<typeof import('@actions/workflow-parser/actions/index'), 'parseAction' | 'convertActionTemplate'>;

/** GitHub's parser of workflows and actions. It imports JSON without the attribute that Node asks for, so it is bundled first. */
export async function loadWorkflowParser(): Promise<WorkflowParser> {
  const home = mkdtempSync(join(tmpdir(), 'ilp-gate-parser-'));
  try {
    const outfile = join(home, 'parser.mjs');
    await build({
      stdin: {
        contents: `
          export { parseWorkflow, NoOperationTraceWriter } from '@actions/workflow-parser';
          export { parseAction, convertActionTemplate } from '@actions/workflow-parser/actions/index';`,
        resolveDir: import.meta.dirname,
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(home, { recursive: true });
  }
}
