import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GateResult } from '../../src/action/ports.ts';
import { startAction } from '../../src/action/start.ts';
import { Failure } from '../../src/base/failure.ts';

/** The action with everything real but the gate, whose result (or failure, or output) a test scripts. */
export interface Script {
  readonly result?: Partial<GateResult>;
  readonly failure?: {
    readonly kind: 'config' | 'guest' | 'environment';
    readonly code: string;
    readonly message: string;
  };
  /** What the build or the guest prints. */
  readonly prints?: string;
}

startAction(async (request) => {
  const script: Script = JSON.parse(readFileSync('script.json', 'utf8'));
  process.stdout.write(script.prints ?? '');
  if (script.failure !== undefined) {
    throw new Failure(script.failure.kind, script.failure.code, script.failure.message);
  }
  const reportPath = join(request.outputDirectory, 'report.md');
  const markdown = script.result?.markdown ?? 'Passed: nothing changed.';
  writeFileSync(reportPath, markdown);
  const profilePath = join(request.outputDirectory, 'sum.json');
  copyFileSync('script.json', profilePath);
  return {
    verdict: 'unchanged',
    passed: true,
    changed: false,
    regressions: 0,
    headline: `Passed: ${basename(request.workingDirectory)}`,
    markdown,
    annotations: [],
    totals: { instructions: 1000, cycles: 250, ilp: 4 },
    reportPath,
    profilePaths: [profilePath],
    ...script.result,
  };
});
