import { PROCESS_ID, USER_ID } from '../fs/initial.ts';
import type { SignalInfo } from '../state.ts';

/** What a handler with SA_SIGINFO is told: siginfo_t (uapi/asm-generic/siginfo.h), 128 bytes. */
export const INFORMATION_SIZE = 128;
/** Where the part of it begins that depends on the sender. */
const PAYLOAD = 16;

/** si_code. */
export const SI_USER = 0;
export const SI_KERNEL = 0x80;
const SI_TIMER = -2;
const SI_TKILL = -6;

function payload(length: number, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}

/** From kill, tgkill or the kernel acting in the sender's name: which process of which user. */
export function fromProcess(signal: number, code: typeof SI_USER | typeof SI_TKILL = SI_USER): SignalInfo {
  return {
    signal,
    code,
    payload: payload(8, (view) => {
      view.setInt32(0, PROCESS_ID, true);
      view.setInt32(4, USER_ID, true);
    }),
  };
}

export function fromThread(signal: number): SignalInfo {
  return fromProcess(signal, SI_TKILL);
}

/** From the kernel, which says nothing more. */
export function fromKernel(signal: number): SignalInfo {
  return { signal, code: SI_KERNEL, payload: new Uint8Array(0) };
}

/** An instruction's doing: si_addr. */
export function fromFault(signal: number, code: number, address: bigint): SignalInfo {
  return { signal, code, payload: payload(8, (view) => view.setBigUint64(0, address, true)) };
}

/** A timer of timer_create: its number, how often it expired besides, and the value that the guest gave. */
export function fromTimer(signal: number, timer: number, overrun: number, value: bigint): SignalInfo {
  return {
    signal,
    code: SI_TIMER,
    payload: payload(16, (view) => {
      view.setInt32(0, timer, true);
      view.setInt32(4, overrun, true);
      view.setBigUint64(8, value, true);
    }),
  };
}

/** As the guest composed it, for rt_sigqueueinfo. */
export function fromRecord(signal: number, record: Uint8Array): SignalInfo {
  const code = new DataView(record.buffer, record.byteOffset).getInt32(8, true);
  return { signal, code, payload: record.slice(PAYLOAD) };
}

export function informationRecord({ signal, code, payload: rest }: SignalInfo): Uint8Array<ArrayBuffer> {
  const record = new Uint8Array(INFORMATION_SIZE);
  const view = new DataView(record.buffer);
  view.setInt32(0, signal, true);
  view.setInt32(8, code, true);
  record.set(rest.subarray(0, INFORMATION_SIZE - PAYLOAD), PAYLOAD);
  return record;
}
