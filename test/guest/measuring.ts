import { readFileSync } from 'node:fs';
import { preparedOnDemand } from '../../scripts/prepare-handlers.ts';
import type { HandlerLibrary, PreparedHandlers } from '../../src/emulator/ports.ts';
import { hostMeasuring } from '../../src/host/measuring.ts';
import type { MeasurePorts } from '../../src/pipeline/ports.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../src/translate/limits.ts';

/** Of the usual forms. */
export const ENCODINGS = readFileSync(new URL('../../scripts/usual-forms.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** What lies beside the bundle, from today's sources. Each set is made once, as long as making what one run needs of it takes. */
export function handlersFor(limits: EngineLimits): HandlerLibrary {
  const makers = preparedOnDemand(ENCODINGS, limits);
  const made = new Map<string, PreparedHandlers | undefined>();
  return (key) => {
    if (!made.has(key)) made.set(key, makers.get(key)?.());
    return made.get(key);
  };
}

export const usualHandlers: HandlerLibrary = handlersFor(ENGINE_LIMITS);

/** This machine, as the bundle measures on it: with handlers for the usual forms. */
export function testMeasuring(): MeasurePorts {
  return { ...hostMeasuring('test'), prepared: usualHandlers };
}
