#!/usr/bin/env node
import { keepCompiledCode } from '../host/kept/compile-cache.ts';
import { serially } from '../pipeline/quietly.ts';
import { reserveAhead } from '../pipeline/reserve-ahead.ts';
import { VERSION } from '../profile/version.ts';
import { measuringQuietly } from '../worker/measure.ts';
import { startCli } from './start.ts';

const keepsCode = true;
const helpers = async () => {
  const { helperProcesses } = await import('../host/helper-processes.ts');
  return helperProcesses({ keepsCode });
};

keepCompiledCode();
void startCli({
  measure: (options) => async (request, sinks) => {
    const reserved = reserveAhead();
    const { measureHere, codeStores } = await import('../worker/engine.ts');
    const measure = measureHere({
      ...options,
      reserved,
      codeStore: codeStores.disk(),
      keepsHashes: true,
      helpers,
    });
    return measure(request, sinks);
  },
  measureAll: (jobs) => async (requests, listener) => {
    const { measureInProcesses } = await import('./gate-host.ts');
    const alone = serially(measuringQuietly({ keepsCode, helpers }));
    return measureInProcesses({ jobs, keepsCode, alone })(requests, listener);
  },
  version: VERSION,
});
