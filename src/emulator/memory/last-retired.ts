import { CLOCK, FUEL, LAST_EXECUTED } from '../../guest/layout.ts';

/** Instructions that the guest has retired by now, where FUEL is up to date. Of 64 bits, so that V8 need not make a big integer of each. */
export const executedNow = (view: DataView): bigint =>
  BigInt.asIntN(64, view.getBigInt64(CLOCK, true) - view.getBigInt64(FUEL, true));

/** LAST_STEP is from now on that of the instruction that retired just now. */
export function noteLast(view: DataView): void {
  view.setBigInt64(LAST_EXECUTED, executedNow(view), true);
}

/** Whether LAST_STEP is the step of the last retired instruction, or nothing has retired yet. */
export function knowsLast(view: DataView): boolean {
  const executed = executedNow(view);
  return executed === 0n || view.getBigInt64(LAST_EXECUTED, true) === executed;
}
