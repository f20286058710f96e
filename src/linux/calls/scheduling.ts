import { PAGE_SIZE } from '../../guest/layout.ts';
import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { processOf } from '../processes.ts';
import type { KernelState, Scheduling } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { putTimespec } from './durations.ts';

/** Policies and priorities: what a process sets it reads back, and nothing else comes of it. */

const FIFO = 1;
const ROUND_ROBIN = 2;
const DEADLINE = 6;
/** SCHED_OTHER, SCHED_BATCH, SCHED_IDLE. */
const ORDINARY: readonly number[] = [0, 3, 5];
const RESET_ON_FORK = 0x4000_0000;
const MOST_PRIORITY = 99;

const isRealTime = (policy: number): boolean => policy === FIFO || policy === ROUND_ROBIN;

/** The process of a number, or the one that has a thread of that number. */
function stateOf(system: System, id: bigint): KernelState {
  if (int(id) < 0) fail('EINVAL');
  return system.state.threads.has(int(id)) ? system.state : processOf(system, int(id)).state;
}

function setPolicy(state: KernelState, policyBits: number, priority: number): number {
  const policy = policyBits & ~RESET_ON_FORK;
  if (isRealTime(policy)) return fail(priority < 1 || priority > MOST_PRIORITY ? 'EINVAL' : 'EPERM');
  if (policy === DEADLINE) return fail('EPERM');
  if (!ORDINARY.includes(policy) || priority !== 0) return fail('EINVAL');
  state.scheduling = { ...state.scheduling, policy };
  return 0;
}

function setNice(state: KernelState, wanted: number): number {
  const nice = Math.max(-20, Math.min(19, wanted));
  // RLIMIT_NICE is 0.
  if (nice < state.scheduling.nice) fail('EACCES');
  state.scheduling = { ...state.scheduling, nice };
  return 0;
}

function setScheduler(system: System, [id, policy, parameters]: Args): number {
  const priority = system.user.i32(size(parameters));
  if (int(policy) < 0) fail('EINVAL');
  return setPolicy(stateOf(system, id), int(policy), priority);
}

function setParameters(system: System, [id, parameters]: Args): number {
  const priority = system.user.i32(size(parameters));
  const state = stateOf(system, id);
  return setPolicy(state, state.scheduling.policy, priority);
}

function getParameters(system: System, [id, parameters]: Args): number {
  if (size(parameters) === 0) fail('EINVAL');
  stateOf(system, id);
  system.user.putI32(size(parameters), 0);
  return 0;
}

/** struct sched_attr: size, policy, flags, nice, priority, then what only deadlines have. */
const ATTRIBUTES_SIZE = 48;

function getAttributes(system: System, [id, address, length, flags]: Args): number {
  if (uint(length) < ATTRIBUTES_SIZE || uint(length) > PAGE_SIZE || uint(flags) !== 0) fail('EINVAL');
  const { policy, nice } = stateOf(system, id).scheduling;
  const view = new DataView(new ArrayBuffer(ATTRIBUTES_SIZE));
  view.setUint32(0, ATTRIBUTES_SIZE, true);
  view.setUint32(4, policy, true);
  view.setInt32(16, nice, true);
  system.user.write(size(address), new Uint8Array(view.buffer));
  return 0;
}

function setAttributes(system: System, [id, address, flags]: Args): number {
  const { user } = system;
  const length = user.i32(size(address));
  if (uint(flags) !== 0) fail('EINVAL');
  if (length !== 0 && length < ATTRIBUTES_SIZE) fail('E2BIG');
  const state = stateOf(system, id);
  const before: Scheduling = state.scheduling;
  setPolicy(state, user.i32(size(address) + 4), user.i32(size(address) + 20));
  try {
    return setNice(state, user.i32(size(address) + 16));
  } catch (problem) {
    state.scheduling = before;
    throw problem;
  }
}

/** PRIO_PROCESS, PRIO_PGRP, PRIO_USER. Everybody is the same user. */
function chosen(system: System, which: number, who: number): readonly KernelState[] {
  const { process, shared } = system.state;
  const living = [...shared.processes.values()].flatMap(({ state }) => state ?? []);
  switch (which) {
    case 0:
      return [stateOf(system, BigInt(who))];
    case 1:
      return living.filter((each) => each.process.group === (who === 0 ? process.group : who));
    case 2:
      return living;
    default:
      return fail('EINVAL');
  }
}

/** Nice values travel as 20 - nice. */
function getPriority(system: System, [which, who]: Args): number {
  const found = chosen(system, int(which), int(who));
  if (found.length === 0) fail('ESRCH');
  return Math.max(...found.map(({ scheduling }) => 20 - scheduling.nice));
}

function setPriority(system: System, [which, who, nice]: Args): number {
  const found = chosen(system, int(which), int(who));
  if (found.length === 0) fail('ESRCH');
  for (const state of found) setNice(state, int(nice));
  return 0;
}

function limit(policy: bigint, ofRealTime: number): number {
  if (isRealTime(int(policy))) return ofRealTime;
  return ORDINARY.includes(int(policy)) || int(policy) === DEADLINE ? 0 : fail('EINVAL');
}

/** What SCHED_OTHER's interval seems to be. */
const TIME_SLICE = 4_000_000n;
/** IOPRIO_CLASS_RT is root's. */
const REAL_TIME_CLASS = 1;
const LAST_CLASS = 3;

export const SCHEDULING_CALLS: readonly SyscallRow[] = [
  row(140, 'getpriority', 2, getPriority),
  row(141, 'setpriority', 3, setPriority),
  row(142, 'sched_setparam', 2, setParameters),
  row(143, 'sched_getparam', 2, getParameters),
  row(144, 'sched_setscheduler', 3, setScheduler),
  row(145, 'sched_getscheduler', 1, (system, [id]) => stateOf(system, id).scheduling.policy),
  row(146, 'sched_get_priority_max', 1, (_system, [policy]) => limit(policy, MOST_PRIORITY)),
  row(147, 'sched_get_priority_min', 1, (_system, [policy]) => limit(policy, 1)),
  row(148, 'sched_rr_get_interval', 2, (system, [id, address]) => {
    stateOf(system, id);
    putTimespec(system, size(address), TIME_SLICE);
    return 0;
  }),
  row(251, 'ioprio_set', 3, (_system, [, , priority]) => {
    const kind = int(priority) >> 13;
    if (kind > LAST_CLASS || kind < 0) fail('EINVAL');
    return kind === REAL_TIME_CLASS ? fail('EPERM') : 0;
  }),
  row(252, 'ioprio_get', 2, (_system, [which]) => (int(which) < 1 || int(which) > 3 ? fail('EINVAL') : 0)),
  row(314, 'sched_setattr', 3, setAttributes),
  row(315, 'sched_getattr', 4, getAttributes),
];
