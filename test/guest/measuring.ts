import { readFileSync } from 'node:fs';
import { preparedFiles } from '../../scripts/prepare-handlers.ts';
import type { PreparedHandlers } from '../../src/emulator/ports.ts';
import { hostMeasuring } from '../../src/host/measuring.ts';
import type { MeasurePorts } from '../../src/pipeline/ports.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../src/translate/limits.ts';

/** Of the usual forms. */
export const ENCODINGS = readFileSync(new URL('../../scripts/usual-forms.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** What lies beside the bundle, from today's sources. */
export function handlersFor(limits: EngineLimits): PreparedHandlers {
  const { wasm, json } = preparedFiles(ENCODINGS, limits);
  const module = new WebAssembly.Module(wasm);
  return { ...JSON.parse(json), module: () => module };
}

let usual: PreparedHandlers | undefined;

/** Made once in a process, as long as making what one run needs of them takes. */
export function usualHandlers(): PreparedHandlers {
  usual ??= handlersFor(ENGINE_LIMITS);
  return usual;
}

/** This machine, as the bundle measures on it: with handlers for the usual forms. */
export function testMeasuring(): MeasurePorts {
  return { ...hostMeasuring('test'), prepared: usualHandlers };
}
