import { runBuildInStep } from '../host/actions-build.ts';
import { files } from '../host/files.ts';
import { mergeBaseOf } from '../host/merge-base.ts';
import type { MeasureAll } from '../pipeline/ports.ts';
import { gateOver } from './gate.ts';
import { noteLine, ranLine } from './log-lines.ts';
import type { ActionPorts } from './ports.ts';

/** The gate on this machine, around the given measurement. */
export function hostGate(measureAll: MeasureAll): ActionPorts['gate'] {
  return gateOver({
    measureAll,
    files,
    build: runBuildInStep,
    mergeBaseOf,
    // A log keeps every line, so it gets one for each run instead of a counter.
    ran: (target, what) => {
      process.stdout.write(ranLine(target, what));
    },
    note: (target, text) => {
      process.stdout.write(noteLine(target, text));
    },
  });
}
