import type { MeasureRequest, MeasureSinks } from '../../src/pipeline/request.ts';

/** The program alone in its directory, on x86-64, as far as nothing else is asked for: calls to depth 2, no chains, nothing written. */
export function requestOf(
  program: string,
  directory: string,
  differing: Partial<MeasureRequest> = {},
): MeasureRequest {
  return {
    program,
    args: [],
    env: {},
    workingDirectory: directory,
    stdin: { kind: 'empty' },
    isa: 'x86-64',
    depth: 2,
    listsCalls: true,
    functions: [],
    chains: [],
    writes: 'discard',
    sourceRoot: directory,
    ...differing,
  };
}

/** Nobody reads what it prints. */
export const SILENT: MeasureSinks = { stdout: () => {}, stderr: () => {} };
