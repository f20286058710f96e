import { hostMeasuring } from '../host/measuring.ts';
import { measureWith } from '../pipeline/measure.ts';
import { VERSION } from '../profile/version.ts';
import { startCli } from './start.ts';

void startCli({
  measure: (options) => measureWith({ ...hostMeasuring(VERSION), ...options }),
  version: VERSION,
});
