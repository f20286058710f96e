import type { MeasureQuietly } from '../pipeline/ports.ts';
import { quietly } from '../pipeline/quietly.ts';

let measure: Promise<MeasureQuietly> | undefined;

/** Measures on this machine; what it takes is loaded with the first request. */
export const measureQuietly: MeasureQuietly = async (request, progress) => {
  measure ??= import('./engine.ts').then(({ measureHere }) => quietly(measureHere()));
  return (await measure)(request, progress);
};
