import { type Args, int, size, uint } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { type Errno, fail } from '../errno.ts';
import { undoOperations } from '../ipc/semaphores.ts';
import { LAST_SIGNAL } from '../signals/sets.ts';
import { FIRST_SLACK } from '../start.ts';
import type { Controls } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { runningThread } from '../threads.ts';
import { seccompMode, setSeccomp } from './seccomp.ts';

/** prctl(2): what a process says of itself, and unshare(2). */

const PR_SET_NAME = 15;
const PR_GET_NAME = 16;
const NAME_SIZE = 16;
const PR_GET_SECCOMP = 21;
const PR_SET_SECCOMP = 22;

/** What is set by one number and read by another one: the largest value, and whether it is read through a pointer. */
interface Kept {
  readonly name: keyof Controls;
  readonly set: number;
  readonly get: number;
  readonly most: number;
  readonly isPointed?: true;
}

/** PR_*_PDEATHSIG, DUMPABLE, KEEPCAPS, TIMERSLACK, CHILD_SUBREAPER, NO_NEW_PRIVS, THP_DISABLE. */
const KEPT: readonly Kept[] = [
  { name: 'deathSignal', set: 1, get: 2, most: LAST_SIGNAL, isPointed: true },
  { name: 'isDumpable', set: 4, get: 3, most: 1 },
  { name: 'keepsCapabilities', set: 8, get: 7, most: 1 },
  { name: 'timerSlack', set: 29, get: 30, most: Number.MAX_SAFE_INTEGER },
  { name: 'isReaper', set: 36, get: 37, most: Number.MAX_SAFE_INTEGER, isPointed: true },
  { name: 'hasNoNewPrivileges', set: 38, get: 39, most: 1 },
  { name: 'hasNoHugePages', set: 41, get: 42, most: Number.MAX_SAFE_INTEGER },
];

/** PR_CAPBSET_READ: the guest has no capabilities, and never will. */
const CAPABILITY_READ = 23;
const LAST_CAPABILITY = 40;
const PR_GET_TSC = 25;
const PR_SET_TSC = 26;
const PR_TSC_ENABLE = 1;
const PR_GET_TID_ADDRESS = 40;
const PR_CAP_AMBIENT = 47;
const PR_GET_SPECULATION_CTRL = 52;
const PR_SET_SPECULATION_CTRL = 53;
/** Store bypass, indirect branches, flushing the first cache. */
const LAST_SPECULATION = 2;

/** What is answered the same whatever the arguments: PR_SET_TIMING and the like. */
const FIXED: ReadonlyMap<number, number | Errno> = new Map<number, number | Errno>([
  // PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_SET_MM, PR_SET_IO_FLUSHER are for root.
  [24, 'EPERM'],
  [28, 'EPERM'],
  [35, 'EPERM'],
  [57, 'EPERM'],
  // PR_GET_TIMING, PR_GET_SECUREBITS; PR_TASK_PERF_EVENTS_*: there are none.
  [13, 0],
  [27, 0],
  [31, 0],
  [32, 0],
  // PR_MCE_KILL_GET: as the machine does it. PR_GET_IO_FLUSHER is for root, too.
  [34, 2],
  [58, 'EPERM'],
  // PR_SET_PTRACER: nobody traces.
  [0x5961_6d61, 0],
]);

/** Those whose further arguments must be 0. */
const STRICT: readonly number[] = [34, 38, 39, 41, 42, PR_GET_SPECULATION_CTRL];

function processControl(system: System, [option, argument, ...others]: Args): number {
  const { state, user } = system;
  const code = int(option);
  if (STRICT.includes(code) && others.slice(0, 3).some((each) => each !== 0n)) fail('EINVAL');
  const setting = KEPT.find(({ set }) => set === code);
  if (setting !== undefined) return set(system, setting, size(argument));
  const fixed = FIXED.get(code);
  if (fixed !== undefined) return typeof fixed === 'number' ? fixed : fail(fixed);
  const getting = KEPT.find(({ get }) => get === code);
  if (getting !== undefined) {
    const value = state.controls[getting.name];
    if (getting.isPointed !== true) return value;
    user.putI32(size(argument), value);
    return 0;
  }
  switch (code) {
    case PR_SET_NAME: {
      const name = user.path(size(argument)).slice(0, NAME_SIZE - 1);
      state.program = { ...state.program, name };
      return 0;
    }
    case PR_GET_SECCOMP:
      return seccompMode(system);
    case PR_SET_SECCOMP:
      return setSeccomp(system, size(argument), size(others[0]));
    case PR_GET_NAME: {
      const name = new Uint8Array(NAME_SIZE);
      name.set(toBytes(state.program.name));
      user.write(size(argument), name);
      return 0;
    }
    case CAPABILITY_READ:
      return size(argument) > LAST_CAPABILITY ? fail('EINVAL') : 0;
    case PR_GET_TSC:
      user.putI32(size(argument), PR_TSC_ENABLE);
      return 0;
    // Nothing would forbid rdtsc.
    case PR_SET_TSC:
      return size(argument) === PR_TSC_ENABLE ? 0 : fail('EINVAL');
    case PR_GET_TID_ADDRESS:
      user.putI64(size(argument), BigInt(runningThread(system).clearedAtEnd));
      return 0;
    case PR_CAP_AMBIENT:
      return ambientCapabilities(int(argument), size(others[0]));
    // PR_SPEC_NOT_AFFECTED
    case PR_GET_SPECULATION_CTRL:
      return size(argument) > LAST_SPECULATION ? fail('ENODEV') : 0;
    case PR_SET_SPECULATION_CTRL:
      return fail(size(argument) > LAST_SPECULATION ? 'ENODEV' : 'ENXIO');
    default:
      return fail('EINVAL');
  }
}

/** PR_CAP_AMBIENT_*: of no capabilities none can be raised. */
function ambientCapabilities(operation: number, capability: number): number {
  const [isSet, raise, lower, clearAll] = [1, 2, 3, 4];
  if (operation === clearAll) return capability === 0 ? 0 : fail('EINVAL');
  if (capability > LAST_CAPABILITY) fail('EINVAL');
  if (operation === raise) fail('EPERM');
  return operation === isSet || operation === lower ? 0 : fail('EINVAL');
}

const NO_PRIVILEGES = 38;

function set({ state }: System, { name, set: option, most }: Kept, value: number): number {
  if (value > most || (option === NO_PRIVILEGES && value !== 1)) fail('EINVAL');
  // 0 is what a process begins with.
  const wanted = name === 'timerSlack' && value === 0 ? FIRST_SLACK : value;
  const isYes = name === 'isReaper' || name === 'hasNoHugePages';
  state.controls = { ...state.controls, [name]: isYes ? Math.min(wanted, 1) : wanted };
  return 0;
}

/** linux/sched.h: what can be given up without being root, and what the only thread of a process has for itself anyway. */
const CLONE_FS = 0x200;
const CLONE_FILES = 0x400;
const CLONE_SYSVSEM = 0x4_0000;
const OF_THREADS = 0x100 | 0x800 | 0x1_0000;
/** CLONE_NEWNS, CLONE_NEWCGROUP to CLONE_NEWNET, CLONE_NEWTIME. */
const NAMESPACES = 0x2_0000 | 0x7e00_0000 | 0x80;

function unshare(system: System, [flagBits]: Args): number {
  const flags = uint(flagBits);
  if ((flags & ~(CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | OF_THREADS | NAMESPACES)) !== 0) fail('EINVAL');
  if ((flags & NAMESPACES) !== 0) fail('EPERM');
  if ((flags & OF_THREADS) !== 0 && system.state.threads.size > 1) fail('EINVAL');
  if ((flags & CLONE_FS) !== 0) system.state.paths = { ...system.state.paths };
  if ((flags & CLONE_FILES) !== 0) ownDescriptors(system);
  const { process, shared } = system.state;
  if ((flags & CLONE_SYSVSEM) !== 0) undoOperations(system, shared.ipc.semaphores, process.id);
  return 0;
}

/** Descriptors that are shared with others are copied. */
export function ownDescriptors({ state }: System): void {
  const others = [...state.shared.processes.values()].some(
    (process) => process !== state.process && process.state?.descriptors === state.descriptors,
  );
  if (others)
    state.descriptors = new Map([...state.descriptors].map(([number, open]) => [number, { ...open }]));
}

export const CONTROL_CALLS: readonly SyscallRow[] = [
  row(157, 'prctl', 5, processControl),
  row(272, 'unshare', 1, unshare),
];
