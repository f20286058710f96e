import { DEFAULT_CONFIG_FILE } from '../config/config.ts';
import { exitStatus, type GateResult } from '../gate/result.ts';
import { check } from '../pipeline/check.ts';
import { diffFiles } from '../pipeline/diff.ts';
import type { GatePorts, TargetProgress } from '../pipeline/ports.ts';
import { loadProject } from '../pipeline/project.ts';
import { update } from '../pipeline/update.ts';
import { plain } from '../report/escape.ts';
import { headline } from '../report/headline.ts';
import { verdictReport } from '../report/html/verdict-report.ts';
import { jsonReport } from '../report/json.ts';
import { markdownReport } from '../report/markdown.ts';
import { NO_PAINT } from '../report/ports.ts';
import { textReport } from '../report/text.ts';
import { updateReport } from '../report/update.ts';
import type { Format } from './choices.ts';
import type { CliPorts } from './ports.ts';
import { ProgressLine } from './progress.ts';

export interface ReportOptions {
  readonly format: Format;
  /** A file; absent: stdout. */
  readonly output?: string;
}

export interface TargetOptions {
  readonly config?: string;
  /** Empty: all. */
  readonly targets: readonly string[];
  /** Most programs measured at a time; absent: as the machine allows. */
  readonly jobs?: number;
}

export async function checkCommand(options: ReportOptions & TargetOptions, ports: CliPorts): Promise<number> {
  const project = await loadProject(
    options.config ?? DEFAULT_CONFIG_FILE,
    ports.workingDirectory,
    ports.files,
  );
  const { result } = await withProgress(options, ports, (gatePorts) =>
    check(project, options.targets, gatePorts),
  );
  await show(result, options, ports);
  return exitStatus(result);
}

export async function updateCommand(options: TargetOptions, ports: CliPorts): Promise<number> {
  const project = await loadProject(
    options.config ?? DEFAULT_CONFIG_FILE,
    ports.workingDirectory,
    ports.files,
  );
  const updated = await withProgress(options, ports, (gatePorts) =>
    update(project, options.targets, gatePorts),
  );
  ports.terminal.stdout(updateReport(updated, ports.terminal.stdoutPaint));
  return 0;
}

export async function diffCommand(
  options: ReportOptions & { readonly base: string; readonly head: string; readonly config?: string },
  ports: CliPorts,
): Promise<number> {
  const { files, workingDirectory } = ports;
  const project =
    options.config === undefined ? undefined : await loadProject(options.config, workingDirectory, files);
  const result = await diffFiles(
    { base: options.base, head: options.head, workingDirectory },
    files,
    project,
  );
  await show(result, options, ports);
  return exitStatus(result);
}

async function withProgress<T>(
  { jobs }: TargetOptions,
  ports: CliPorts,
  work: (gatePorts: GatePorts) => Promise<T>,
): Promise<T> {
  const line = new ProgressLine(ports.terminal);
  try {
    return await work({
      ...ports,
      measureAll: ports.measureAll(jobs),
      // Measuring processes send it only where somebody watches.
      ...(ports.terminal.watched ? { progress: (state: TargetProgress) => line.show(state) } : {}),
      finished: (target) => line.drop(target),
      note: (target, text) => {
        line.clear();
        ports.terminal.stderr(`ilp-gate: ${plain(target)}: ${plain(text)}\n`);
      },
    });
  } finally {
    line.clear();
  }
}

async function show(result: GateResult, { format, output }: ReportOptions, ports: CliPorts): Promise<void> {
  const { terminal, files } = ports;
  const report = render(result, format, output === undefined ? terminal.stdoutPaint : NO_PAINT);
  if (output === undefined) return terminal.stdout(report);
  await files.writeAll([{ path: files.resolve(ports.workingDirectory, output), text: report }]);
  terminal.stderr(`${headline(result)}\n`);
}

function render(result: GateResult, format: Format, paint: typeof NO_PAINT): string {
  switch (format) {
    case 'text':
      return textReport(result, paint);
    case 'markdown':
      return markdownReport(result);
    case 'json':
      return jsonReport(result);
    case 'html':
      return verdictReport(result);
  }
}
