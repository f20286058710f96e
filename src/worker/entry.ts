import { keepCompiledCode } from '../host/compile-cache.ts';
import { serveJobs } from '../host/worker-child.ts';
import { measureQuietly } from './measure.ts';

keepCompiledCode();
serveJobs(measureQuietly);
