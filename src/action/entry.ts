import { hostMeasuring } from '../host/measuring.ts';
import { measureWith } from '../pipeline/measure.ts';
import { VERSION } from '../profile/version.ts';
import { hostGate } from './host-gate.ts';
import { startAction } from './start.ts';

void startAction(hostGate(measureWith(hostMeasuring(VERSION))));
