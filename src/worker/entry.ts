import { hostBounding } from '../host/bounding.ts';
import { hostMeasuring } from '../host/measuring.ts';
import { serveJobs } from '../host/worker-child.ts';
import { measureWith } from '../pipeline/measure.ts';
import { quietly } from '../pipeline/quietly.ts';
import { boundLoopsWith } from '../pipeline/run-bounds.ts';
import { VERSION } from '../profile/version.ts';

serveJobs(quietly(measureWith(hostMeasuring(VERSION), boundLoopsWith(hostBounding))));
