import { hostBounding } from '../host/bounding.ts';
import { measureInProcesses } from '../host/measure-all.ts';
import { hostMeasuring } from '../host/measuring.ts';
import { measureWith } from '../pipeline/measure.ts';
import { quietly, serially } from '../pipeline/quietly.ts';
import { boundLoopsWith } from '../pipeline/run-bounds.ts';
import { VERSION } from '../profile/version.ts';
import type { CliPorts } from './ports.ts';
import { startCli } from './start.ts';

const measure: CliPorts['measure'] = (options) =>
  measureWith({ ...hostMeasuring(VERSION), ...options }, boundLoopsWith(hostBounding));

void startCli({
  measure,
  measureAll: (jobs) => measureInProcesses({ jobs, alone: serially(quietly(measure({}))) }),
  version: VERSION,
});
