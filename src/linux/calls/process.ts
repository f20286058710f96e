import { type Args, int, size, uint } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { fail } from '../errno.ts';
import { MOST_DESCRIPTORS } from '../open-file.ts';
import { ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC } from '../persona.ts';
import { processOf } from '../processes.ts';
import type { KernelState, Limit } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { putTimespec } from './durations.ts';

const ARCH_SET_GS = 0x1001;
const ARCH_SET_FS = 0x1002;
const ARCH_GET_FS = 0x1003;
const ARCH_GET_GS = 0x1004;
/** TASK_SIZE_MAX: a segment base must be a user address. */
const LAST_BASE = 2 ** 47 - 4096;

function archControl(system: System, [code, address]: Args): number {
  switch (int(code)) {
    case ARCH_SET_FS:
    case ARCH_SET_GS:
      if (size(address) >= LAST_BASE) fail('EPERM');
      if (int(code) === ARCH_SET_FS) system.state.fsBase = address;
      else system.state.gsBase = address;
      system.setBase = int(code) === ARCH_SET_FS ? 'fs' : 'gs';
      return 0;
    case ARCH_GET_FS:
      system.user.putI64(size(address), system.state.fsBase);
      return 0;
    case ARCH_GET_GS:
      system.user.putI64(size(address), system.state.gsBase);
      return 0;
    // Among them ARCH_CET_STATUS, by which glibc asks for shadow stacks.
    default:
      return fail('EINVAL');
  }
}

const INFINITE = 2n ** 64n - 1n;
const RESOURCES = 16;

/** getrlimit(2)'s resources: what is not here is unlimited. */
const DEFAULT_LIMITS: Readonly<Record<number, Limit>> = {
  3: { soft: 8n << 20n, hard: INFINITE },
  4: { soft: 0n, hard: INFINITE },
  6: { soft: 4096n, hard: 4096n },
  7: { soft: BigInt(MOST_DESCRIPTORS), hard: BigInt(MOST_DESCRIPTORS) },
  8: { soft: 64n << 10n, hard: 64n << 10n },
  13: { soft: 0n, hard: 0n },
  14: { soft: 0n, hard: 0n },
};

function limitOf(state: KernelState, resource: number): Limit {
  if (resource >= RESOURCES) fail('EINVAL');
  return state.limits.get(resource) ?? DEFAULT_LIMITS[resource] ?? { soft: INFINITE, hard: INFINITE };
}

function getLimit(system: System, resource: number, address: number): number {
  const { soft, hard } = limitOf(system.state, resource);
  system.user.write(address, new Uint8Array(BigUint64Array.of(soft, hard).buffer));
  return 0;
}

/** Kept so that the guest reads back what it set; nothing is enforced. */
function setLimit(system: System, state: KernelState, resource: number, address: number): number {
  const old = limitOf(state, resource);
  const soft = system.user.u64(address);
  const hard = system.user.u64(address + 8);
  if (soft > hard) fail('EINVAL');
  if (hard > old.hard) fail('EPERM');
  state.limits.set(resource, { soft, hard });
  return 0;
}

function limits(system: System, [process, resource, wanted, old]: Args): number {
  const { state } = processOf(system, int(process));
  const before = limitOf(state, uint(resource));
  if (size(wanted) !== 0) setLimit(system, state, uint(resource), size(wanted));
  if (size(old) !== 0)
    system.user.write(size(old), new Uint8Array(BigUint64Array.of(before.soft, before.hard).buffer));
  return 0;
}

/** struct rusage: user time, and the rest 0. RUSAGE_CHILDREN is -1. */
function usage(system: System, [who, address]: Args): number {
  if (int(who) < -1 || int(who) > 1) fail('EINVAL');
  const record = new BigInt64Array(18);
  const time = int(who) === -1 ? system.state.process.childInstructions : system.instructions();
  record[0] = time / 1_000_000_000n;
  record[1] = (time % 1_000_000_000n) / 1000n;
  system.user.write(size(address), new Uint8Array(record.buffer));
  return 0;
}

const PR_SET_NAME = 15;
const PR_GET_NAME = 16;
/** PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_TIMERSLACK, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE. */
const HARMLESS_OPTIONS = [1, 4, 8, 29, 38, 41];
/** PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_CAPBSET_READ, PR_GET_TIMERSLACK, PR_GET_NO_NEW_PRIVS and PR_GET_THP_DISABLE. */
const CONSTANT_OPTIONS: Readonly<Record<number, number>> = { 3: 1, 7: 0, 23: 0, 30: 50_000, 39: 0, 42: 0 };
const NAME_SIZE = 16;

function processControl(system: System, [option, argument]: Args): number {
  const code = int(option);
  if (code === PR_SET_NAME) {
    const { program } = system.state;
    const bytes = system.user.path(size(argument)).slice(0, NAME_SIZE - 1);
    system.state.program = { ...program, name: bytes };
    return 0;
  }
  if (code === PR_GET_NAME) {
    const name = new Uint8Array(NAME_SIZE);
    name.set(toBytes(system.state.program.name));
    system.user.write(size(argument), name);
    return 0;
  }
  if (HARMLESS_OPTIONS.includes(code)) return 0;
  return CONSTANT_OPTIONS[code] ?? fail('EINVAL');
}

const RSEQ_UNREGISTER = 1;
const RSEQ_SIZE = 32;

/**
 * Restartable sequences (kernel/rseq.c), which glibc registers as it starts: every kernel of the last years has them, so
 * that refusing would make start-up longer than it is on hardware. With one thread on one processor nothing is ever
 * restarted; the area says processor 0.
 */
function restartableSequences(system: System, [address, length, flags, signature]: Args): number {
  const wanted = { address: size(address), length: uint(length), signature: uint(signature) };
  const known = system.state.restartable;
  const isUnregister = (int(flags) & RSEQ_UNREGISTER) !== 0;
  if ((int(flags) & ~RSEQ_UNREGISTER) !== 0) fail('EINVAL');
  if (known !== undefined || isUnregister) {
    if (known?.address !== wanted.address || known.length !== wanted.length) fail('EINVAL');
    if (known.signature !== wanted.signature) fail('EPERM');
    if (!isUnregister) fail('EBUSY');
    system.state.restartable = undefined;
    return 0;
  }
  if (wanted.length < RSEQ_SIZE || wanted.address % RSEQ_SIZE !== 0) fail('EINVAL');
  // cpu_id_start and cpu_id; node_id and mm_cid behind the fields that are the program's.
  system.user.requireWritable(wanted.address, wanted.length);
  system.user.putI64(wanted.address, 0n);
  system.user.putI64(wanted.address + 20, 0n);
  system.state.restartable = wanted;
  return 0;
}

/** SCHED_OTHER, priority 0, nice 0. */
function schedulingParameters(system: System, [, address]: Args): number {
  system.user.putI32(size(address), 0);
  return 0;
}

export const PROCESS_CALLS: readonly SyscallRow[] = [
  row(158, 'arch_prctl', 2, archControl),
  row(157, 'prctl', 5, processControl),
  row(97, 'getrlimit', 2, (s, [resource, address]) => getLimit(s, uint(resource), size(address))),
  row(160, 'setrlimit', 2, (s, [resource, address]) => setLimit(s, s.state, uint(resource), size(address))),
  row(302, 'prlimit64', 4, limits),
  row(98, 'getrusage', 2, usage),
  row(334, 'rseq', 4, restartableSequences),
  // Nice values travel as 20 - nice.
  row(140, 'getpriority', 2, () => 20),
  row(141, 'setpriority', 3, () => 0),
  row(142, 'sched_setparam', 2, () => 0),
  row(143, 'sched_getparam', 2, schedulingParameters),
  row(144, 'sched_setscheduler', 3, (_system, [, policy]) => (int(policy) === 0 ? 0 : fail('EPERM'))),
  row(145, 'sched_getscheduler', 1, () => 0),
  row(146, 'sched_get_priority_max', 1, (_system, [policy]) => (isRealTimePolicy(policy) ? 99 : 0)),
  row(147, 'sched_get_priority_min', 1, (_system, [policy]) => (isRealTimePolicy(policy) ? 1 : 0)),
  row(148, 'sched_rr_get_interval', 2, (system, [, address]) => {
    putTimespec(system, size(address), TIME_SLICE);
    return 0;
  }),
  row(135, 'personality', 1, personality),
];

/** personality(2); what else it could ask for is not supported. */
function personality({ state: { process } }: System, [wanted]: Args): number {
  const before = process.persona;
  const persona = uint(wanted);
  if (persona === 0xffff_ffff) return before;
  if ((persona & ~(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC)) !== 0) return fail('EINVAL');
  process.persona = persona;
  return before;
}

/** What SCHED_OTHER's interval seems to be. */
const TIME_SLICE = 4_000_000n;

/** SCHED_FIFO and SCHED_RR. */
function isRealTimePolicy(policy: bigint): boolean {
  return int(policy) === 1 || int(policy) === 2;
}
