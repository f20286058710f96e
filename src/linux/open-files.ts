import type { OpenFile, OpenNode, PipeNode } from './fs/node.ts';
import { isReadable, type isWritable } from './open-file.ts';
import type { System } from './system.ts';

/**
 * Every open file there is: those that descriptors of any process lead to, that are being opened, that nobody has accepted,
 * and that are on their way in a message. An open file ends when nothing leads to it any more: nobody counts, whoever wants to know looks here.
 */
function* openFiles(system: System): Iterable<OpenFile> {
  const carriers: PipeNode[] = [];
  for (const { state } of system.state.shared.processes.values()) {
    if (state === undefined) continue;
    for (const { file } of state.descriptors.values()) {
      yield file;
      if (carries(file)) carriers.push(file.node.inbox);
      if (file.node.kind === 'socket' && file.node.waiting !== undefined) yield* file.node.waiting.queue;
    }
    yield* state.opening;
  }
  const seen = new Set(carriers);
  // Grows as it goes.
  for (const carrier of seen)
    for (const { rights } of carrier.parcels)
      for (const file of rights) {
        yield file;
        if (carries(file)) seen.add(file.node.inbox);
      }
}

type Carrier = OpenFile & { readonly node: { readonly inbox: PipeNode } };

function carries(file: OpenFile): file is Carrier {
  const { node } = file;
  return node.kind === 'socket' && node.inbox !== undefined && node.inbox.parcels.length > 0;
}

/** Whether the pipe can be read from, or written to, through anything that is open. */
export function hasEnd(system: System, pipe: PipeNode, can: typeof isReadable | typeof isWritable): boolean {
  const way = can === isReadable ? 'inbox' : 'outbox';
  for (const file of openFiles(system)) {
    const { node } = file;
    if (node === pipe ? can(file) : node.kind === 'socket' && node[way] === pipe) return true;
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
