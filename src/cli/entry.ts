#!/usr/bin/env node
import { keepCompiledCode } from '../host/kept/compile-cache.ts';
import { serially } from '../pipeline/quietly.ts';
import { reserveAhead } from '../pipeline/reserve-ahead.ts';
import { VERSION } from '../profile/version.ts';
import { measuringQuietly } from '../worker/measure.ts';
import { startCli } from './start.ts';

const helpers = (keepsCode: boolean) => async () => {
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
      helpers: helpers(true),
    });
    return measure(request, sinks);
  },
  measureAll: (jobs) => async (requests, listener) => {
    const { measureInProcesses } = await import('./gate-host.ts');
    return measureInProcesses({ jobs, alone: serially(measuringQuietly(helpers(false))) })(
      requests,
      listener,
    );
  },
  version: VERSION,
});
