import type { FloatFault } from '../../ir/node.ts';

/** Exception bits as in the x87 status word and MXCSR (SDM volume 1, 8.1.3 and 10.2.3). */
export const INVALID = 0x01;
export const DENORMAL = 0x02;
export const DIVIDE_BY_ZERO = 0x04;
export const OVERFLOW = 0x08;
export const UNDERFLOW = 0x10;
export const INEXACT = 0x20;
/** Faults by the exception that causes them, in the order in which Linux looks for them (fpu__exception_code). */
export const FLOAT_FAULTS: readonly (readonly [exceptions: number, fault: FloatFault])[] = [
  [INVALID, 'float-invalid'],
  [DIVIDE_BY_ZERO, 'float-divide-by-zero'],
  [OVERFLOW, 'float-overflow'],
  [UNDERFLOW | DENORMAL, 'float-underflow'],
  [INEXACT, 'float-inexact'],
];
/** x87 only: the invalid operation was a stack overflow or underflow. */
export const STACK_FAULT = 0x40;
/** Condition code C1, at its place in the status word: the result was rounded away from zero. */
export const ROUNDED_UP = 0x200;
