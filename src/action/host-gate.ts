import { runBuildInStep } from '../host/actions-build.ts';
import { files } from '../host/files.ts';
import { mergeBaseOf } from '../host/merge-base.ts';
import type { TargetProgress } from '../pipeline/ports.ts';
import type { Measure } from '../pipeline/request.ts';
import { gateOver } from './gate.ts';
import { noteLine } from './note-line.ts';
import type { ActionPorts } from './ports.ts';

/** The gate on this machine, around the given measurement. */
export function hostGate(measure: Measure): ActionPorts['gate'] {
  return gateOver({
    measure,
    files,
    build: runBuildInStep,
    mergeBaseOf,
    progress: announceTargets(),
    note: (target, text) => {
      process.stdout.write(noteLine(target, text));
    },
  });
}

/** A log keeps every line, so it gets one for each target and pass instead of a counter. */
function announceTargets(): (state: TargetProgress) => void {
  let last = '';
  return ({ target, phase, pass, passes }) => {
    const line = `Measuring ${target}: pass ${pass} of ${passes} (${phase})\n`;
    if (line !== last) {
      process.stdout.write(line);
      last = line;
    }
  };
}
