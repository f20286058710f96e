import { helperProcesses } from '../host/helper-processes.ts';
import { measureInProcesses } from '../host/measure-all.ts';
import { serially } from '../pipeline/quietly.ts';
import { measuringQuietly } from '../worker/measure.ts';
import { hostGate } from './host-gate.ts';
import { startAction } from './start.ts';

void startAction(
  hostGate(
    measureInProcesses({
      keepsCode: false,
      alone: serially(
        measuringQuietly({ keepsCode: false, helpers: async () => helperProcesses({ keepsCode: false }) }),
      ),
    }),
  ),
);
