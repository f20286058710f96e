import { measureInProcesses } from '../host/measure-all.ts';
import { serially } from '../pipeline/quietly.ts';
import { measureQuietly } from '../worker/measure.ts';
import { hostGate } from './host-gate.ts';
import { startAction } from './start.ts';

void startAction(hostGate(measureInProcesses({ alone: serially(measureQuietly) })));
