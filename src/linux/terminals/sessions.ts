import { fail } from '../errno.ts';
import type { Terminal, TerminalNode } from '../fs/node.ts';
import { isOrphaned } from '../job-control.ts';
import { fromKernel } from '../signals/information.ts';
import { isSetIgnored } from '../signals/pending.ts';
import { sendToProcess } from '../signals/send.ts';
import { SIGCONT, SIGHUP, SIGTTIN, signalBit } from '../signals/sets.ts';
import type { Process, SharedState } from '../state.ts';
import type { System } from '../system.ts';
import { waitFor } from '../wait.ts';

/** Which processes a terminal belongs to: sessions and groups of them, one of which is in the foreground (tty_jobctrl.c). */

/** The terminal that /dev/tty is to a process. */
export function controllingTerminal(
  { terminals }: SharedState,
  { session }: Process,
): TerminalNode | undefined {
  for (const node of terminals.values()) if (node.terminal.session === session) return node;
  return undefined;
}

export const leadsSession = ({ id, session }: Process): boolean => id === session;

/** The terminal becomes that of the process's session, whose group is in the foreground. */
export function control(terminal: Terminal, { session, group }: Process): void {
  terminal.session = session;
  terminal.foreground = group;
}

export function signalGroup({ processes }: SharedState, group: number | undefined, signal: number): void {
  if (group === undefined) return;
  for (const { group: of, state } of processes.values())
    if (of === group && state !== undefined) sendToProcess(state, fromKernel(signal));
}

/**
 * Who is in the background of its own terminal stops by the signal and tries again when it goes on; who ignores SIGTTOU may.
 * Nobody would let an orphaned group go on: it gets EIO.
 */
export function requireForeground({ state }: System, terminal: Terminal, signal: number): void {
  const { process, shared } = state;
  const { session, foreground } = terminal;
  if (session !== process.session || foreground === undefined || foreground === process.group) return;
  if ((state.signals.blocked & signalBit(signal)) !== 0n || isSetIgnored(state, signal)) {
    if (signal === SIGTTIN) fail('EIO');
    return;
  }
  if (isOrphaned(shared, process.group)) fail('EIO');
  signalGroup(shared, process.group, signal);
  waitFor({ call: 'ioctl', reason: 'its terminal is another group’s', isReady: () => true });
}

/** The master's end is closed: nothing comes any more, and the session has no terminal. */
export function hangUp({ state: { shared } }: System, terminal: Terminal): void {
  terminal.isHungUp = true;
  shared.terminals.delete(terminal.number);
  const leader = shared.processes.get(terminal.session ?? 0)?.state;
  terminal.session = undefined;
  terminal.foreground = undefined;
  if (leader === undefined) return;
  for (const signal of [SIGHUP, SIGCONT]) sendToProcess(leader, fromKernel(signal));
}

/** A session's leader ends, or gives its terminal up: the others of the session have none either. */
export function giveUpTerminal(shared: SharedState, leader: Process, isEnd: boolean): void {
  const terminal = controllingTerminal(shared, leader)?.terminal;
  if (terminal === undefined) return;
  signalGroup(shared, terminal.foreground, SIGHUP);
  if (!isEnd) signalGroup(shared, terminal.foreground, SIGCONT);
  terminal.session = undefined;
  terminal.foreground = undefined;
}
