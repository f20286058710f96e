import type { OpenFile, OpenNode, PipeNode } from './fs/node.ts';
import { isReadable, type isWritable } from './open-file.ts';
import type { System } from './system.ts';

/**
 * Every open file there is: those that descriptors of any process lead to, that are being opened, that nobody has accepted,
 * and that are on their way in a message. An open file ends when nothing leads to it any more: nobody counts, whoever wants to know looks here.
 */
function* openFiles(system: System): Iterable<OpenFile> {
  const carriers = new Set<PipeNode>();
  for (const { state } of system.state.shared.processes.values()) {
    if (state === undefined) continue;
    for (const { file } of state.descriptors.values()) yield* reached(file, carriers);
    yield* state.opening;
  }
  // Grows as it goes.
  for (const { parcels } of carriers)
    for (const { rights } of parcels) for (const file of rights) yield* reached(file, carriers);
}

/** An open file, and those that nobody has accepted of it; notes what others are on their way in. */
function* reached(file: OpenFile, carriers: Set<PipeNode>): Iterable<OpenFile> {
  yield file;
  const { node } = file;
  if (node.kind !== 'socket') return;
  if (node.inbox !== undefined && node.inbox.parcels.length > 0) carriers.add(node.inbox);
  for (const unaccepted of node.waiting?.queue ?? []) yield* reached(unaccepted, carriers);
}

/** Whether the pipe can be read from, or written to, through anything that is open. */
export function hasEnd(system: System, pipe: PipeNode, can: typeof isReadable | typeof isWritable): boolean {
  const way = can === isReadable ? 'inbox' : 'outbox';
  for (const file of openFiles(system)) {
    const { node } = file;
    if (node === pipe && can(file)) return true;
    if (node.kind === 'socket' && node[way] === pipe && !(way === 'outbox' && node.isMute)) return true;
  }
  return false;
}

export function isOpen(system: System, file: OpenFile): boolean {
  for (const open of openFiles(system)) if (open === file) return true;
  return false;
}

/** Whether anything that is open leads to the node. */
export function isHeld(system: System, node: OpenNode): boolean {
  for (const open of openFiles(system)) if (open.node === node) return true;
  return false;
}
