import { type Args, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { ACTIONS } from '../seccomp/filters.ts';
import { type Instruction, isValid, MOST_INSTRUCTIONS } from '../seccomp/program.ts';
import { row, type SyscallRow, type System } from '../system.ts';

/** seccomp(2), and the older way to it through prctl(2). */

const OPERATION = { STRICT: 0, FILTER: 1, IS_KNOWN: 2 } as const;
/** TSYNC, LOG, SPEC_ALLOW, NEW_LISTENER, TSYNC_ESRCH, WAIT_KILLABLE_RECV. */
const FLAGS = { SYNCHRONISE: 1, KNOWN: 0x3f, LISTENER: 8 } as const;
const INSTRUCTION_SIZE = 8;

function seccomp(system: System, [operation, flags, address]: Args): number {
  switch (uint(operation)) {
    case OPERATION.STRICT:
      if (uint(flags) !== 0 || size(address) !== 0) fail('EINVAL');
      return beStrict(system);
    case OPERATION.FILTER:
      return addFilter(system, uint(flags), size(address));
    case OPERATION.IS_KNOWN: {
      if (uint(flags) !== 0) fail('EINVAL');
      const action = system.user.i32(size(address)) >>> 0;
      return Object.values<number>(ACTIONS).includes(action) ? 0 : fail('EOPNOTSUPP');
    }
    default:
      return fail('EINVAL');
  }
}

function beStrict({ state }: System): number {
  if (state.sandbox.filters.length > 0) fail('EINVAL');
  state.sandbox = { ...state.sandbox, isStrict: true };
  return 0;
}

function addFilter(system: System, flags: number, address: number): number {
  const { state, user } = system;
  if ((flags & ~FLAGS.KNOWN) !== 0 || (flags & FLAGS.LISTENER) !== 0) fail('EINVAL');
  // struct sock_fprog: how many instructions, and where.
  const count = new DataView(user.read(address, 2).slice().buffer).getUint16(0, true);
  const start = Number(user.u64(address + 8));
  if (count === 0 || count > MOST_INSTRUCTIONS) fail('EINVAL');
  if (state.controls.hasNoNewPrivileges !== 1) fail('EACCES');
  const bytes = user.read(start, INSTRUCTION_SIZE * count).slice();
  const view = new DataView(bytes.buffer);
  const program: readonly Instruction[] = Array.from({ length: count }, (_, i) => ({
    code: view.getUint16(INSTRUCTION_SIZE * i, true),
    ifTrue: view.getUint8(INSTRUCTION_SIZE * i + 2),
    ifFalse: view.getUint8(INSTRUCTION_SIZE * i + 3),
    operand: view.getUint32(INSTRUCTION_SIZE * i + 4, true),
  }));
  if (!isValid(program) || state.sandbox.isStrict) fail('EINVAL');
  state.sandbox = { ...state.sandbox, filters: [...state.sandbox.filters, program] };
  if ((flags & FLAGS.SYNCHRONISE) !== 0)
    for (const thread of state.threads.values()) thread.own = { ...thread.own, sandbox: state.sandbox };
  return 0;
}

/** PR_SET_SECCOMP */
export function setSeccomp(system: System, mode: number, address: number): number {
  if (mode === 1) return beStrict(system);
  return mode === 2 ? addFilter(system, 0, address) : fail('EINVAL');
}

/** PR_GET_SECCOMP, which a strict process cannot ask. */
export const seccompMode = ({ state }: System): number => (state.sandbox.filters.length > 0 ? 2 : 0);

export const SECCOMP_CALLS: readonly SyscallRow[] = [row(317, 'seccomp', 3, seccomp)];
