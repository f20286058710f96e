import { serveJobs } from '../host/worker-child.ts';
import { measureQuietly } from './measure.ts';

serveJobs(measureQuietly);
