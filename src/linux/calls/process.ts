import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { limitOf } from '../limits.ts';
import { ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC } from '../persona.ts';
import { processOf } from '../processes.ts';
import type { KernelState } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { threadTime } from '../threads.ts';

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
      system.setBase = { [int(code) === ARCH_SET_FS ? 'fsBase' : 'gsBase']: BigInt.asIntN(64, address) };
      return 0;
    case ARCH_GET_FS:
      system.user.putI64(size(address), system.register('fs'));
      return 0;
    case ARCH_GET_GS:
      system.user.putI64(size(address), system.register('gs'));
      return 0;
    // Among them ARCH_CET_STATUS, by which glibc asks for shadow stacks.
    default:
      return fail('EINVAL');
  }
}

function getLimit(system: System, resource: number, address: number): number {
  const { soft, hard } = limitOf(system.state, resource);
  system.user.write(address, new Uint8Array(BigUint64Array.of(soft, hard).buffer));
  return 0;
}

/** Kept so that the guest reads back what it set; limits.ts tells what is enforced. */
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

const RUSAGE_THREAD = 1;
const RUSAGE_CHILDREN = -1;

/** struct rusage: user time, and the rest 0. */
function usage(system: System, [who, address]: Args): number {
  if (int(who) < RUSAGE_CHILDREN || int(who) > RUSAGE_THREAD) fail('EINVAL');
  const record = new BigInt64Array(18);
  const time = timeUsed(system, int(who));
  record[0] = time / 1_000_000_000n;
  record[1] = (time % 1_000_000_000n) / 1000n;
  system.user.write(size(address), new Uint8Array(record.buffer));
  return 0;
}

function timeUsed(system: System, who: number): bigint {
  if (who === RUSAGE_CHILDREN) return system.state.process.childInstructions;
  return who === RUSAGE_THREAD ? threadTime(system, system.state.running) : system.instructions();
}

const RSEQ_UNREGISTER = 1;
const RSEQ_SIZE = 32;

/**
 * Restartable sequences (kernel/rseq.c), which glibc registers as it starts: every kernel of the last years has them, so
 * that refusing would make start-up longer than it is on hardware. The area says processor 0; restartable.ts restarts.
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

export const PROCESS_CALLS: readonly SyscallRow[] = [
  row(158, 'arch_prctl', 2, archControl),
  row(97, 'getrlimit', 2, (s, [resource, address]) => getLimit(s, uint(resource), size(address))),
  row(160, 'setrlimit', 2, (s, [resource, address]) => setLimit(s, s.state, uint(resource), size(address))),
  row(302, 'prlimit64', 4, limits),
  row(98, 'getrusage', 2, usage),
  row(334, 'rseq', 4, restartableSequences),
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
