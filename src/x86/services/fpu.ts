import type { Service } from '../service.ts';
import { FPU_FUNCTION_SERVICES } from './fpu-functions.ts';
import { FPU_STATE_SERVICES } from './fpu-state.ts';
import { maskedStore } from './masked-store.ts';
import { loadMxcsr } from './mxcsr.ts';
import { XSAVE_SERVICES } from './xsave.ts';

/** Services of x87 and SSE instructions, by name. */
export const FPU_SERVICES: readonly (readonly [string, Service])[] = [
  ...FPU_STATE_SERVICES,
  ...FPU_FUNCTION_SERVICES,
  ...XSAVE_SERVICES,
  ['ldmxcsr', loadMxcsr],
  ['masked-store', maskedStore],
];
