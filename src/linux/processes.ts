import { Failure } from '../base/failure.ts';
import { fileClosed } from './closing.ts';
import { fail } from './errno.ts';
import { removeWaiters } from './futexes.ts';
import { leaveIpc } from './ipc/leave.ts';
import { noteDetached } from './ipc/segments.ts';
import { isOrphaned } from './job-control.ts';
import { giveBack } from './lend.ts';
import { releaseOnClose } from './locks.ts';
import { clearRegions, copyRegions } from './region-list.ts';
import { NO_STACK } from './signals/alternate-stack.ts';
import { fromChild, fromKernel } from './signals/information.ts';
import { sendToProcess } from './signals/send.ts';
import { SIGCHLD, SIGCONT, SIGHUP } from './signals/sets.ts';
import type { KernelState, Process, ProcessEnd, SharedState } from './state.ts';
import type { System } from './system.ts';
import { giveUpTerminal, leadsSession } from './terminals/sessions.ts';
import { onlyThread, threadTime } from './threads.ts';

/** A process that has not ended. */
export type Living = Process & { readonly state: KernelState };

/** Processes come and go here: what execve, fork and the end of a process mean to the kernel's own state. */

/** Each has memory of its own, most of which is reserved only. */
export const MOST_PROCESSES = 64;
/** Takes in those whose parents have ended, and hears of their ends at once. */
const INIT = 1;

/** The process of a number; 0 is the one that asks. */
export function processOf(system: System, id: number): Living {
  const found = id === 0 ? system.state.process : system.state.shared.processes.get(id);
  return found !== undefined && isAlive(found) ? found : fail('ESRCH');
}

/** As processOf, but it may have ended, as long as nobody has heard how. */
export function knownProcess(system: System, id: number): Process {
  return id === 0 ? system.state.process : (system.state.shared.processes.get(id) ?? fail('ESRCH'));
}

export function isAlive(process: Process): process is Living {
  return process.state !== undefined;
}

export interface Birth {
  readonly exitSignal: number;
  /** CLONE_FILES: descriptors are the same, not copies. */
  readonly sharesFiles: boolean;
  /** CLONE_FS: so are its directory and its mask of permissions. */
  readonly sharesPaths: boolean;
  /** CLONE_CLEAR_SIGHAND. */
  readonly clearsHandlers: boolean;
  /** CLONE_PARENT. */
  readonly isSibling: boolean;
}

/** A copy of the calling process, but for its memory. Throws Failure `too-many-processes`. */
export function bornProcess(system: System, birth: Birth): Living {
  const { state } = system;
  const { shared, process: parent } = state;
  if ([...shared.processes.values()].filter(isAlive).length >= MOST_PROCESSES)
    throw new Failure(
      'guest',
      'too-many-processes',
      `the program has more than ${MOST_PROCESSES} processes at a time, which is not supported`,
      { processes: MOST_PROCESSES },
    );
  const process: Process = {
    id: shared.nextId++,
    parent: birth.isSibling ? parent.parent : parent.id,
    group: parent.group,
    session: parent.session,
    persona: parent.persona,
    hasExecuted: false,
    state: undefined,
    stoppedBy: undefined,
    news: undefined,
    ended: undefined,
    instructions: 0n,
    childInstructions: 0n,
    isWaitedFor: false,
    exitSignal: birth.exitSignal,
  };
  const copies = [...state.descriptors].map(([number, open]) => [number, { ...open }] as const);
  const actions = birth.clearsHandlers ? ignoredOnly(state) : new Map(state.signals.actions);
  const own: KernelState = {
    ...state,
    process,
    paths: birth.sharesPaths ? state.paths : { ...state.paths },
    descriptors: birth.sharesFiles ? state.descriptors : new Map(copies),
    regions: copyRegions(state.regions),
    shown: new Map(state.shown),
    signals: { ...state.signals, actions, pending: [], unclaimed: [] },
    ...onlyThread(process.id),
    opening: [],
    awaitedLocks: [],
    timers: new Map(),
    limits: new Map(state.limits),
    controls: { ...state.controls, deathSignal: 0, isReaper: 0 },
  };
  shared.processes.set(process.id, process);
  return Object.assign(process, { state: own });
}

const IGNORE = 1n;

/** Handlers are gone with the program they were in; what is ignored stays so. */
function ignoredOnly({ signals }: KernelState): KernelState['signals']['actions'] {
  return new Map([...signals.actions].filter(([, { handler }]) => handler === IGNORE));
}

/** The process becomes another program: what is left of its state. Its memory is its caller's concern. */
export function becomeOther(system: System): void {
  const { state } = system;
  for (const [number, { closeOnExec, file }] of state.descriptors) {
    if (!closeOnExec) continue;
    releaseOnClose(state, file);
    state.descriptors.delete(number);
    fileClosed(system, file);
  }
  const { actions } = state.signals;
  const kept = ignoredOnly(state);
  actions.clear();
  for (const [signal, action] of kept) actions.set(signal, action);
  state.signals.alternateStack = NO_STACK;
  // Those of setitimer go on.
  for (const name of state.timers.keys()) if (typeof name === 'number') state.timers.delete(name);
  state.restartable = undefined;
  noteDetached(system);
  clearRegions(state.regions);
  state.formerCode = [];
  state.shown.clear();
  state.opening = [];
  state.awaitedLocks = [];
  state.process.hasExecuted = true;
  removeWaiters(state);
  const executed = threadTime(system, state.running);
  Object.assign(state, onlyThread(state.process.id, executed, system.instructions()));
}

const SA_NOCLDWAIT = 2n;

/** Who takes in the children of a process: the next of its ancestors that wants to (PR_SET_CHILD_SUBREAPER). */
function reaperOf({ processes }: SharedState, process: Process): number {
  for (let at = processes.get(process.parent); at !== undefined; at = processes.get(at.parent))
    if (at.state?.controls.isReaper === 1) return at.id;
  return INIT;
}

/** Groups that are not orphaned while the process is there: its own, and those of its children. */
function groupsThatNeed(shared: SharedState, process: Process): readonly number[] {
  const groups = [...shared.processes.values()].flatMap(({ parent, group }) =>
    parent === process.id ? [group] : [],
  );
  return [...new Set([process.group, ...groups])].filter((group) => !isOrphaned(shared, group));
}

/** Nobody could let them go on any more: they are told to end, or to do so by themselves (setpgid(2)). */
function letGoOrphans(shared: SharedState, groups: readonly number[]): void {
  for (const group of groups) {
    const members = [...shared.processes.values()].filter(isAlive).filter((each) => each.group === group);
    if (!isOrphaned(shared, group) || !members.some(({ stoppedBy }) => stoppedBy !== undefined)) continue;
    for (const signal of [SIGHUP, SIGCONT])
      for (const { state } of members) sendToProcess(state, fromKernel(signal));
  }
}

/** The calling process has ended. */
export function endProcess(system: System, end: ProcessEnd): void {
  const { state } = system;
  const { process, shared } = state;
  const groups = groupsThatNeed(shared, process);
  giveBack(system);
  leaveIpc(system);
  process.state = undefined;
  process.ended = { ...end, name: state.program.name };
  process.instructions = system.instructions();
  removeWaiters(state);
  if (leadsSession(process)) giveUpTerminal(shared, process, true);
  for (const { file } of state.descriptors.values()) fileClosed(system, file);
  const reaper = reaperOf(shared, process);
  for (const child of [...shared.processes.values()])
    if (child.parent === process.id) {
      child.parent = reaper;
      if (!isAlive(child)) {
        if (reaper === INIT) shared.processes.delete(child.id);
        continue;
      }
      const { deathSignal } = child.state.controls;
      if (deathSignal !== 0) sendToProcess(child.state, fromKernel(deathSignal));
    }
  letGoOrphans(shared, groups);
  const parent = shared.processes.get(process.parent);
  if (parent === undefined || !isAlive(parent)) {
    shared.processes.delete(process.id);
    return;
  }
  const action = parent.state.signals.actions.get(SIGCHLD);
  const isForgotten =
    action !== undefined && (action.handler === IGNORE || (action.flags & SA_NOCLDWAIT) !== 0n);
  if (isForgotten && process.exitSignal === SIGCHLD) shared.processes.delete(process.id);
  if (process.exitSignal !== 0) sendToProcess(parent.state, fromChild(process, process.exitSignal, end));
}

/** Somebody has heard how the child ended. */
export function collect(system: System, child: Process): void {
  const { process, shared } = system.state;
  process.childInstructions += child.instructions + child.childInstructions;
  shared.processes.delete(child.id);
}
