#!/usr/bin/env node
import { keepCompiledCode } from '../host/kept/compile-cache.ts';
import { serially } from '../pipeline/quietly.ts';
import { reserveAhead } from '../pipeline/reserve-ahead.ts';
import { VERSION } from '../profile/version.ts';
import { measureQuietly } from '../worker/measure.ts';
import { startCli } from './start.ts';

keepCompiledCode();
void startCli({
  measure: (options) => async (request, sinks) => {
    const reserved = reserveAhead();
    const { measureHere, codeStores } = await import('../worker/engine.ts');
    return measureHere({ ...options, reserved, codeStore: codeStores.disk() })(request, sinks);
  },
  measureAll: (jobs) => async (requests, listener) => {
    const { measureInProcesses } = await import('./gate-host.ts');
    return measureInProcesses({ jobs, alone: serially(measureQuietly) })(requests, listener);
  },
  version: VERSION,
});
