import { keepCompiledCode } from '../host/kept/compile-cache.ts';
import { mayUseKeptCode, serveJobs } from '../host/worker-child.ts';
import { helping, measuringQuietly } from './measure.ts';

const usesKeptCode = mayUseKeptCode();
if (usesKeptCode) keepCompiledCode();
serveJobs(measuringQuietly({ keepsCode: usesKeptCode }), helping(usesKeptCode));
