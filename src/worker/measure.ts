import type { MeasureQuietly } from '../pipeline/ports.ts';
import { quietly } from '../pipeline/quietly.ts';
import { reserveAhead } from '../pipeline/reserve-ahead.ts';

async function load(): Promise<MeasureQuietly> {
  const reserved = reserveAhead();
  const { measureHere, codeStores } = await import('./engine.ts');
  return quietly(measureHere({ reserved, codeStore: codeStores.memory() }));
}

let measure: Promise<MeasureQuietly> | undefined;

/** Measures on this machine; what it takes is loaded with the first request. */
export const measureQuietly: MeasureQuietly = async (request, progress) => {
  measure ??= load();
  return (await measure)(request, progress);
};
