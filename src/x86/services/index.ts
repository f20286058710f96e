import type { Service } from '../service.ts';
import { FPU_SERVICES } from './fpu.ts';
import { nestedEnter } from './nested-enter.ts';
import { PROCESSOR_SERVICES } from './processor.ts';
import { STRING_SERVICES } from './string.ts';

/** Instructions that run outside generated code, by the name in the block's terminator. */
export const SERVICES: ReadonlyMap<string, Service> = new Map([
  ...STRING_SERVICES,
  ...PROCESSOR_SERVICES,
  ...FPU_SERVICES,
  ['nested-enter', nestedEnter],
]);
