import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { descriptor, O } from '../open-file.ts';
import { collect } from '../processes.ts';
import { type ChildChange, fromChild, INFORMATION_SIZE, informationRecord } from '../signals/information.ts';
import { SIGCHLD } from '../signals/sets.ts';
import type { Process } from '../state.ts';
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

/** What of a child there is to tell, if the options ask for it. */
function changeOf({ ended, news }: Process, options: number): ChildChange | undefined {
  if (ended !== undefined) return (options & WEXITED) === 0 ? undefined : ended;
  const wanted = news?.kind === 'stopped' ? WUNTRACED : WCONTINUED;
  return (options & wanted) === 0 ? undefined : news;
}

interface Changed {
  readonly child: Process;
  readonly change: ChildChange;
}

/** A child of which there is something to tell, the first one in order of birth; undefined where the call does not wait. */
function changedChild(system: System, call: string, select: Select, options: number): Changed | undefined {
  const { process, shared } = system.state;
  const children = () =>
    [...shared.processes.values()].filter(
      (child) =>
        child.parent === process.id &&
        select(child) &&
        (child.ended === undefined || (options & WEXITED) !== 0),
    );
  const all = children();
  if (all.length === 0) fail('ECHILD');
  for (const child of all) {
    const change = changeOf(child, options);
    if (change !== undefined) return { child, change };
  }
  if ((options & WNOHANG) === 0)
    waitFor({
      call,
      reason: 'none of its child processes ends',
      isReady: () => {
        const left = children();
        return left.length === 0 || left.some((child) => changeOf(child, options) !== undefined);
      },
    });
  giveWay(system);
  return undefined;
}

/** The parent has been told. */
function heard(system: System, { child, change }: Changed): void {
  if (change.kind === 'exit' || change.kind === 'signal') collect(system, child);
  else child.news = undefined;
}

/** What W* of sys/wait.h take apart. No core is ever written. */
function statusWord(change: ChildChange): number {
  switch (change.kind) {
    case 'exit':
      return change.status << 8;
    case 'signal':
      return change.signal;
    case 'stopped':
      return (change.signal << 8) | 0x7f;
    case 'continued':
      return 0xffff;
  }
}

function wait4(system: System, [idBits, status, optionBits, usage]: Args): number {
  const id = int(idBits);
  const options = uint(optionBits);
  if ((options & ~(WNOHANG | WUNTRACED | WCONTINUED | CLONE_OPTIONS)) !== 0) fail('EINVAL');
  const changed = changedChild(system, 'wait4', selection(system, id), options | WEXITED);
  if (changed === undefined) return 0;
  const { child, change } = changed;
  if (size(status) !== 0) system.user.putI32(size(status), statusWord(change));
  putUsage(system, usage, child);
  heard(system, changed);
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

function waitid(system: System, [type, idBits, information, optionBits, usage]: Args): number {
  const options = uint(optionBits);
  const known = WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT | CLONE_OPTIONS;
  if ((options & ~known) !== 0 || (options & (WUNTRACED | WEXITED | WCONTINUED)) === 0) fail('EINVAL');
  const { select, isImpatient = false } = idSelection(system, int(type), int(idBits));
  const changed = changedChild(system, 'waitid', select, isImpatient ? options | WNOHANG : options);
  if (changed === undefined && isImpatient && (options & WNOHANG) === 0) return fail('EAGAIN');
  if (size(information) !== 0) system.user.write(size(information), childInformation(changed));
  if (changed === undefined) return 0;
  putUsage(system, usage, changed.child);
  if ((options & WNOWAIT) === 0) heard(system, changed);
  return 0;
}

/** P_ALL, P_PID, P_PGID, P_PIDFD. */
function idSelection(
  system: System,
  type: number,
  id: number,
): { readonly select: Select; readonly isImpatient?: boolean } {
  if (type === 0) return { select: selection(system, -1) };
  if (id < 0 || (type === 1 && id === 0)) fail('EINVAL');
  if (type === 1) return { select: selection(system, id) };
  if (type === 2) return { select: selection(system, -id) };
  if (type !== 3) fail('EINVAL');
  const { node, flags } = descriptor(system, id).file;
  if (node.kind !== 'process') return fail('EBADF');
  return { select: (child) => child.id === node.process, isImpatient: (flags & O.NON_BLOCKING) !== 0 };
}

/** siginfo_t as waitid fills it: nothing of a child that there is not. */
function childInformation(changed: Changed | undefined): Uint8Array {
  return changed === undefined
    ? new Uint8Array(INFORMATION_SIZE)
    : informationRecord(fromChild(changed.child, SIGCHLD, changed.change));
}

export const WAIT_CALLS: readonly SyscallRow[] = [row(61, 'wait4', 4, wait4), row(247, 'waitid', 5, waitid)];
