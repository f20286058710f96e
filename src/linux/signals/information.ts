import { USER_ID } from '../fs/initial.ts';
import type { Process, ProcessEnd, SignalInfo } from '../state.ts';
import { SIGCHLD, SIGCONT } from './sets.ts';

/** What a handler with SA_SIGINFO is told: siginfo_t (uapi/asm-generic/siginfo.h), 128 bytes. */
export const INFORMATION_SIZE = 128;
/** Where the part of it begins that depends on the sender. */
const PAYLOAD = 16;

/** si_code. */
const SI_USER = 0;
export const SI_KERNEL = 0x80;
const SI_TIMER = -2;
const SI_MESGQ = -3;
const SI_TKILL = -6;
const SYS_SECCOMP = 1;

function payload(length: number, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}

/** From kill, or the kernel acting in the sender's name: which process of which user. */
export function fromProcess({ id }: Process, signal: number, code = SI_USER): SignalInfo {
  return {
    signal,
    code,
    payload: payload(8, (view) => {
      view.setInt32(0, id, true);
      view.setInt32(4, USER_ID, true);
    }),
  };
}

/** From tkill and tgkill. */
export function fromThread(process: Process, signal: number): SignalInfo {
  return fromProcess(process, signal, SI_TKILL);
}

/** CLD_*, and what si_status is. */
function changeOf(change: ChildChange): readonly [number, number] {
  switch (change.kind) {
    case 'exit':
      return [1, change.status];
    case 'signal':
      return [2, change.signal];
    case 'stopped':
      return [5, change.signal];
    case 'continued':
      return [6, SIGCONT];
  }
}

/** What a parent hears of its child. */
export type ChildChange = ProcessEnd | NonNullable<Process['news']>;

/** A child has ended, stopped or goes on; also what waitid tells. */
export function fromChild({ id }: Process, signal: number, change: ChildChange): SignalInfo {
  const [code, status] = changeOf(change);
  return {
    signal,
    code,
    payload: payload(12, (view) => {
      view.setInt32(0, id, true);
      view.setInt32(4, USER_ID, true);
      view.setInt32(8, status, true);
    }),
  };
}

/** From a filter of seccomp: the call that it did not let through, whose address stays 0. */
export function fromSandbox(signal: number, call: number, architecture: number): SignalInfo {
  const fill = (view: DataView) => {
    view.setInt32(8, call, true);
    view.setUint32(12, architecture, true);
  };
  return { signal, code: SYS_SECCOMP, payload: payload(16, fill) };
}

/** From the kernel, which says nothing more. */
export function fromKernel(signal: number): SignalInfo {
  return { signal, code: SI_KERNEL, payload: new Uint8Array(0) };
}

/** An instruction's doing: si_addr. */
export function fromFault(signal: number, code: number, address: bigint): SignalInfo {
  return { signal, code, payload: payload(8, (view) => view.setBigUint64(0, address, true)) };
}

/** A message has come to a queue (mq_notify). */
export function fromQueue({ id }: Process, signal: number, value: bigint): SignalInfo {
  const fill = (view: DataView) => {
    view.setInt32(0, id, true);
    view.setInt32(4, USER_ID, true);
    view.setBigUint64(8, value, true);
  };
  return { signal, code: SI_MESGQ, payload: payload(16, fill) };
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

/** The timer has expired again before anybody took its signal. */
export function setOverrun({ payload: { buffer } }: SignalInfo, overrun: number): void {
  new DataView(buffer).setInt32(4, overrun, true);
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

/** struct signalfd_siginfo: the same in other places. */
export function signalRecord({ signal, code, payload: rest }: SignalInfo): Uint8Array {
  const from = new DataView(new ArrayBuffer(INFORMATION_SIZE));
  new Uint8Array(from.buffer).set(rest.subarray(0, INFORMATION_SIZE - PAYLOAD));
  const record = new DataView(new ArrayBuffer(128));
  record.setUint32(0, signal, true);
  record.setInt32(8, code, true);
  const isTimer = code === SI_TIMER;
  const isChild = code > 0 && signal === SIGCHLD;
  const word = (at: number) => from.getUint32(at, true);
  record.setUint32(12, isTimer ? 0 : word(0), true);
  record.setUint32(16, isTimer ? 0 : word(4), true);
  record.setUint32(24, isTimer ? word(0) : 0, true);
  record.setUint32(32, isTimer ? word(4) : 0, true);
  record.setInt32(40, isChild ? word(8) : 0, true);
  const hasValue = code === SI_QUEUE || code === SI_MESGQ || isTimer;
  record.setInt32(44, hasValue ? word(8) : 0, true);
  record.setBigUint64(48, hasValue ? from.getBigUint64(8, true) : 0n, true);
  return new Uint8Array(record.buffer);
}

const SI_QUEUE = -1;
