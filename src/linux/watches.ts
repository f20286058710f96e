import { toBytes } from './bytes.ts';
import type { DirectoryNode, FsNode, OpenFile, OpenNode, WatchEvent, WatchNode } from './fs/node.ts';
import { isWritable } from './open-file.ts';
import { isOpen } from './open-files.ts';
import type { System } from './system.ts';

/**
 * What happens to files, for inotify(7). Only the guest changes files, so that all events are of its own doing. The order
 * within one call is that of fs/notify: an event of a file goes to its directory's watchers first, with its name.
 */

export const IN = {
  ACCESS: 0x001,
  MODIFY: 0x002,
  ATTRIB: 0x004,
  CLOSE_WRITE: 0x008,
  CLOSE_NOWRITE: 0x010,
  OPEN: 0x020,
  MOVED_FROM: 0x040,
  MOVED_TO: 0x080,
  CREATE: 0x100,
  DELETE: 0x200,
  DELETE_SELF: 0x400,
  MOVE_SELF: 0x800,
  ALL: 0xfff,
  Q_OVERFLOW: 0x4000,
  IGNORED: 0x8000,
  ONLYDIR: 0x0100_0000,
  DONT_FOLLOW: 0x0200_0000,
  MASK_CREATE: 0x1000_0000,
  MASK_ADD: 0x2000_0000,
  ISDIR: 0x4000_0000,
  ONESHOT: 0x8000_0000,
} as const;

/** fs.inotify.max_queued_events */
const LONGEST_QUEUE = 16_384;

function put(by: WatchNode, event: WatchEvent): void {
  const last = by.queue.at(-1);
  const { watch, mask, cookie, name } = event;
  const isSame =
    last !== undefined &&
    last.watch === watch &&
    last.mask === mask &&
    last.name === name &&
    last.cookie === 0 &&
    cookie === 0;
  if (isSame || by.queue.length > LONGEST_QUEUE) return;
  if (by.queue.length === LONGEST_QUEUE)
    by.queue.push({ watch: -1, mask: IN.Q_OVERFLOW, cookie: 0, name: '' });
  else by.queue.push(event);
  by.activity++;
}

/** Tells those who watch the node itself. */
function tellWatchers(node: OpenNode, mask: number, name = '', cookie = 0): void {
  if (node.watchers === undefined) return;
  for (const { by, watch } of [...node.watchers]) {
    const known = by.watches.get(watch);
    if (known === undefined || (known.mask & mask & IN.ALL) === 0) continue;
    put(by, { watch, mask, cookie, name });
    if ((known.mask & IN.ONESHOT) !== 0) removeWatch(by, watch);
  }
}

/** Nobody watches the node any more by this. */
export function removeWatch(by: WatchNode, watch: number): void {
  const known = by.watches.get(watch);
  if (known === undefined) return;
  by.watches.delete(watch);
  const { node } = known;
  node.watchers = node.watchers?.filter((each) => each.by !== by);
  put(by, { watch, mask: IN.IGNORED, cookie: 0, name: '' });
}

const kindOf = (node: OpenNode): number => (node.kind === 'directory' ? IN.ISDIR : 0);

/** Something happened to a node. A directory knows its entry itself. */
export function tell(node: OpenNode, event: number): void {
  const mask = (event | kindOf(node)) >>> 0;
  if (node.kind === 'directory') {
    if (node.parent !== node) tellWatchers(node.parent, mask, node.name);
  } else if (node.entry !== undefined) tellWatchers(node.entry.directory, mask, node.entry.name);
  tellWatchers(node, mask);
}

/** An entry of a directory came or went. */
export function tellEntry(directory: DirectoryNode, name: string, node: FsNode, event: number): void {
  tellWatchers(directory, (event | kindOf(node)) >>> 0, name);
}

/** How many names the node has, changed. */
export function tellLinks(node: FsNode): void {
  tellWatchers(node, (IN.ATTRIB | kindOf(node)) >>> 0);
}

/** It moved: the cookie joins both sides. */
export function tellMove(
  system: System,
  from: { readonly directory: DirectoryNode; readonly name: string },
  to: { readonly directory: DirectoryNode; readonly name: string },
  node: FsNode,
): void {
  const cookie = ++system.state.shared.moves;
  const kind = kindOf(node);
  tellWatchers(from.directory, (IN.MOVED_FROM | kind) >>> 0, from.name, cookie);
  tellWatchers(to.directory, (IN.MOVED_TO | kind) >>> 0, to.name, cookie);
}

export function tellMoved(node: FsNode): void {
  tellWatchers(node, IN.MOVE_SELF);
}

/** The node has no name any more, and nobody has it open: it is gone, and so are its watches. */
export function tellGone(node: OpenNode): void {
  if (node.watchers === undefined) return;
  tellWatchers(node, IN.DELETE_SELF);
  for (const { by, watch } of [...(node.watchers ?? [])]) removeWatch(by, watch);
}

/** A descriptor is closed; whether that ends the open file depends on whether anything else leads to it. */
export function tellClosed(system: System, file: OpenFile): void {
  if (system.state.shared.watchers === 0 || isOpen(system, file)) return;
  tell(file.node, isWritable(file) ? IN.CLOSE_WRITE : IN.CLOSE_NOWRITE);
  const { node } = file;
  if (node.kind === 'file' && node.links === 0) tellGone(node);
}

/** struct inotify_event: watch, mask, cookie, length of the name, which is filled up to a multiple of the struct's size. */
const EVENT_SIZE = 16;

export function sizeOfEvent({ name }: WatchEvent): number {
  return EVENT_SIZE + (name === '' ? 0 : Math.ceil((name.length + 1) / EVENT_SIZE) * EVENT_SIZE);
}

export function eventRecord(event: WatchEvent): Uint8Array {
  const record = new Uint8Array(sizeOfEvent(event));
  const view = new DataView(record.buffer);
  view.setInt32(0, event.watch, true);
  view.setUint32(4, event.mask, true);
  view.setUint32(8, event.cookie, true);
  view.setUint32(12, record.length - EVENT_SIZE, true);
  record.set(toBytes(event.name), EVENT_SIZE);
  return record;
}
