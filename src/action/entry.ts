import { hostBounding } from '../host/bounding.ts';
import { measureInProcesses } from '../host/measure-all.ts';
import { hostMeasuring } from '../host/measuring.ts';
import { measureWith } from '../pipeline/measure.ts';
import { quietly, serially } from '../pipeline/quietly.ts';
import { boundLoopsWith } from '../pipeline/run-bounds.ts';
import { VERSION } from '../profile/version.ts';
import { hostGate } from './host-gate.ts';
import { startAction } from './start.ts';

const alone = serially(quietly(measureWith(hostMeasuring(VERSION), boundLoopsWith(hostBounding))));

void startAction(hostGate(measureInProcesses({ alone })));
