import type { AlternateStack } from '../state.ts';
import type { System } from '../system.ts';

const SS_ONSTACK = 1;
export const SS_DISABLE = 2;
export const SS_AUTODISARM = 2 ** 31;

export const NO_STACK: AlternateStack = { address: 0n, flags: SS_DISABLE, size: 0n };

/** Whether the stack pointer counts as on the alternate stack (include/linux/sched/signal.h, on_sig_stack). */
export function isOn(stack: AlternateStack, rsp: bigint): boolean {
  return (stack.flags & SS_AUTODISARM) === 0 && holds(stack, rsp);
}

/** Whether it is there, as __on_sig_stack has it. */
export function holds(stack: AlternateStack, rsp: bigint): boolean {
  return rsp > stack.address && rsp - stack.address <= stack.size;
}

/** The flags that the guest sees with its stack pointer there. */
export function visibleFlags(stack: AlternateStack, rsp: bigint): number {
  const kept = stack.flags & SS_AUTODISARM;
  if (stack.size === 0n) return (SS_DISABLE | kept) >>> 0;
  return ((isOn(stack, rsp) ? SS_ONSTACK : 0) | kept) >>> 0;
}

/** stack_t: address, flags, size. */
export function stackRecord(stack: AlternateStack, rsp: bigint): Uint8Array<ArrayBuffer> {
  const flags = BigInt(visibleFlags(stack, rsp));
  return new Uint8Array(BigUint64Array.of(stack.address, flags, stack.size).buffer);
}

/** Where a handler that asks for the alternate stack begins on it; undefined where it stays on the stack it is on. */
export function alternateTop(system: System, rsp: bigint): bigint | undefined {
  const { alternateStack } = system.state.signals;
  if (alternateStack.size === 0n || isOn(alternateStack, rsp)) return undefined;
  return alternateStack.address + alternateStack.size;
}

/** Of the kernel's interface; a processor with larger registers needs more, and says so in AT_MINSIGSTKSZ. */
const MINSIGSTKSZ = 2048n;

/** What sigaltstack makes of the guest's record; its errors are ENOMEM and EINVAL. */
export function stackOf(record: Uint8Array): AlternateStack | 'EINVAL' | 'ENOMEM' {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const flags = view.getUint32(8, true);
  const kept = (flags & SS_AUTODISARM) >>> 0;
  const mode = (flags & ~SS_AUTODISARM) >>> 0;
  if (mode === SS_DISABLE) return { ...NO_STACK, flags: (SS_DISABLE | kept) >>> 0 };
  if (mode !== 0 && mode !== SS_ONSTACK) return 'EINVAL';
  const size = view.getBigUint64(16, true);
  return size < MINSIGSTKSZ ? 'ENOMEM' : { address: view.getBigUint64(0, true), flags: kept, size };
}
