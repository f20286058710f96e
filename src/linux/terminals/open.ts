import { fail } from '../errno.ts';
import type { OpenFile, Terminal, TerminalNode } from '../fs/node.ts';
import { addDescriptor, isReadable, O } from '../open-file.ts';
import type { System } from '../system.ts';
import { control, controllingTerminal, leadsSession } from './sessions.ts';
import { newTerminal } from './terminal.ts';

/** How terminals come to be open: pts(4). */

type Names = Pick<OpenFile, 'path' | 'openedAs'>;
/** What F_GETFL does not show of how it was opened. */
const KEPT = O.ACCESS | O.NON_BLOCKING | O.ASYNC | O.APPEND | O.LARGE_FILE;

/** Another /dev/ptmx, which is the master's end of a new terminal. */
export function openMaster({ state: { shared } }: System, names: Names, flags: number): OpenFile {
  const { terminal, inode } = newTerminal(shared);
  const node: TerminalNode = { ...MASTER, inode, modified: shared.root.modified, terminal };
  return { node, ...names, flags: flags & KEPT, offset: 0 };
}

const MASTER = { kind: 'terminal', side: 'master', mode: 0o666 } as const;

/** /dev/pts/N; to a session's leader without a terminal it becomes its own, unless it says no. */
export function openSlave(system: System, node: TerminalNode, names: Names, flags: number): OpenFile {
  const { terminal } = node;
  if (terminal.isLocked || terminal.isHungUp) fail('EIO');
  if (terminal.isExclusive) fail('EBUSY');
  const file: OpenFile = { node, ...names, flags: flags & KEPT, offset: 0 };
  const { process, shared } = system.state;
  terminal.opened++;
  const isFree = terminal.session === undefined && controllingTerminal(shared, process) === undefined;
  if ((flags & O.NO_TERMINAL) === 0 && isFree && leadsSession(process) && isReadable(file))
    control(terminal, process);
  return file;
}

/** TIOCGPTPEER: the slave's end without its path. */
export function openPeer(system: System, { number }: Terminal, flags: number): number {
  const path = `/dev/pts/${number}`;
  const slave = system.state.shared.terminals.get(number) ?? fail('EIO');
  const file = openSlave(system, slave, { path, openedAs: path }, flags);
  return addDescriptor(system, file, (flags & O.CLOSE_ON_EXEC) !== 0);
}

/** /dev/tty */
export function openControlling(system: System, flags: number): OpenFile {
  const { process, shared } = system.state;
  const node = controllingTerminal(shared, process) ?? fail('ENXIO');
  const file = openSlave(system, node, { path: '/dev/tty', openedAs: '/dev/tty' }, flags | O.NO_TERMINAL);
  return file;
}
