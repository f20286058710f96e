import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { collect } from '../processes.ts';
import { fromChild, INFORMATION_SIZE, informationRecord } from '../signals/information.ts';
import type { Process, ProcessEnd } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { giveWay, waitFor } from '../wait.ts';

const WNOHANG = 1;
const WUNTRACED = 2;
const WEXITED = 4;
const WCONTINUED = 8;
const WNOWAIT = 0x100_0000;
/** __WNOTHREAD, __WALL, __WCLONE. */
const CLONE_OPTIONS = 0x2000_0000 | 0x4000_0000 | 0x8000_0000;

type Select = (child: Process) => boolean;

/** A child that has ended, the first one in order of birth; undefined where none has and the call does not wait. */
function endedChild(system: System, call: string, select: Select, waits: boolean): Process | undefined {
  const { process, shared } = system.state;
  const children = () =>
    [...shared.processes.values()].filter((child) => child.parent === process.id && select(child));
  const hasEnded = ({ ended }: Process) => ended !== undefined;
  const all = children();
  if (all.length === 0) fail('ECHILD');
  const found = all.find(hasEnded);
  if (found !== undefined) return found;
  if (waits)
    waitFor({
      call,
      reason: 'none of its child processes ends',
      isReady: () => {
        const left = children();
        return left.length === 0 || left.some(hasEnded);
      },
    });
  giveWay(system);
  return undefined;
}

/** What W* of sys/wait.h take apart. No core is ever written. */
function statusWord(end: ProcessEnd): number {
  return end.kind === 'exit' ? end.status << 8 : end.signal;
}

function wait4(system: System, [idBits, status, optionBits, usage]: Args): number {
  const id = int(idBits);
  const options = uint(optionBits);
  if ((options & ~(WNOHANG | WUNTRACED | WCONTINUED | CLONE_OPTIONS)) !== 0) fail('EINVAL');
  const child = endedChild(system, 'wait4', selection(system, id), (options & WNOHANG) === 0);
  if (child === undefined) return 0;
  if (size(status) !== 0) system.user.putI32(size(status), statusWord(child.ended!));
  putUsage(system, usage, child);
  collect(system, child);
  return child.id;
}

function selection(system: System, id: number): Select {
  if (id === -1) return () => true;
  if (id > 0) return (child) => child.id === id;
  const group = id === 0 ? system.state.process.group : -id;
  return (child) => child.group === group;
}

/** struct rusage: user time only. */
function putUsage(system: System, address: bigint, { instructions, childInstructions }: Process): void {
  if (size(address) === 0) return;
  const time = instructions + childInstructions;
  const record = new BigInt64Array(18);
  record[0] = time / 1_000_000_000n;
  record[1] = (time % 1_000_000_000n) / 1000n;
  system.user.write(size(address), new Uint8Array(record.buffer));
}

const SIGCHLD = 17;

function waitid(system: System, [type, idBits, information, optionBits, usage]: Args): number {
  const options = uint(optionBits);
  const known = WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT | CLONE_OPTIONS;
  if ((options & ~known) !== 0 || (options & (WUNTRACED | WEXITED | WCONTINUED)) === 0) fail('EINVAL');
  const select = idSelection(system, int(type), int(idBits));
  const child = endedChild(
    system,
    'waitid',
    (options & WEXITED) === 0 ? (each) => each.ended === undefined && select(each) : select,
    (options & WNOHANG) === 0,
  );
  if (size(information) !== 0) system.user.write(size(information), childInformation(child));
  if (child === undefined) return 0;
  putUsage(system, usage, child);
  if ((options & WNOWAIT) === 0) collect(system, child);
  return 0;
}

/** P_ALL, P_PID, P_PGID. */
function idSelection(system: System, type: number, id: number): Select {
  if (type === 0) return selection(system, -1);
  if (id < 0 || (type === 1 && id === 0)) fail('EINVAL');
  if (type === 1) return selection(system, id);
  return type === 2 ? selection(system, -id) : fail('EINVAL');
}

/** siginfo_t as waitid fills it: nothing of a child that there is not. */
function childInformation(child: Process | undefined): Uint8Array {
  return child === undefined
    ? new Uint8Array(INFORMATION_SIZE)
    : informationRecord(fromChild(child, SIGCHLD, child.ended!));
}

export const WAIT_CALLS: readonly SyscallRow[] = [row(61, 'wait4', 4, wait4), row(247, 'waitid', 5, waitid)];
