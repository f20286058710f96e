import { type Errno, fail } from '../errno.ts';
import type { Answer, DiskEntry } from '../ports.ts';
import type { System } from '../system.ts';
import { addEntry, endEntry, entryOf } from './entries.ts';
import { descriptorFacts, descriptorLink, link, processDirectory, threadDirectory } from './initial.ts';
import type { Called, DirectoryNode, Entry, FsNode, NumberedDirectory, OpenNode } from './node.ts';
import { holdsSystem } from './system-files.ts';
import { modifiedOf, noteModified } from './times.ts';

/**
 * The guest's name of the directory it starts in, wherever that is on the host: path lengths change no number. The names before the last one lead to
 * the directories above it, as far as there are any: programs look above it by its name (git for its repository, Node for packages), or take
 * `..` away from paths before they open them.
 */
export const WORKING_DIRECTORY = '/w4/w3/w2/w1/w';

/** Makes WORKING_DIRECTORY lead to a directory, through those above it. */
export function nameWorkingDirectory(system: System, home: DirectoryNode): void {
  const names = WORKING_DIRECTORY.split('/').slice(1);
  let directory = home;
  while (names.length > 0) {
    const name = names.pop()!;
    const above = names.length === 0 ? system.state.shared.root : directory.parent;
    above.ways ??= new Map();
    above.ways.set(name, directory);
    directory = above;
  }
}

export function orFail<T>(answer: Answer<T>): T {
  return 'error' in answer ? fail(answer.error satisfies Errno) : answer.value;
}

/** The entry, or undefined when there is none. `name` is neither empty, `.` nor `..`. */
export function lookUp(system: System, directory: DirectoryNode, name: string): FsNode | undefined {
  if (isNumbered(directory)) return numberedEntry(system, directory, name);
  if (directory.special === 'processes') return processEntry(system, directory, name);
  const way = directory.ways?.get(name);
  if (way !== undefined) return way;
  const known = directory.entries.get(name);
  if (known !== undefined) return known ?? undefined;
  if (directory.special === 'terminals') return terminalEntry(system, name);
  const origin = originOf(directory, name);
  if (origin === undefined) return undefined;
  const answer = system.disk.stat(origin);
  if ('error' in answer && answer.error !== 'ENOENT') fail(answer.error);
  const node = 'error' in answer ? null : fromDisk(system, directory, name, origin, answer.value);
  if (node !== null && node.kind !== 'directory') addEntry(node, { directory, name });
  directory.entries.set(name, node);
  return node ?? undefined;
}

/** Names in byte order, without `.` and `..`. */
export function list(system: System, directory: DirectoryNode): readonly string[] {
  if (isNumbered(directory))
    return numbersIn(system, directory)
      .sort((a, b) => a - b)
      .map(String);
  if (directory.special === 'processes') return listProcesses(system, directory);
  if (directory.special === 'terminals')
    return [...directory.entries.keys(), ...[...system.state.shared.terminals.keys()].map(String)].sort();
  if (!directory.complete) {
    for (const name of orFail(system.disk.list(directory.origin!))) lookUp(system, directory, name);
    directory.complete = true;
  }
  return [...directory.entries]
    .filter(([name, node]) => node !== null && !isHidden(directory, name))
    .map(([name]) => name)
    .sort();
}

/** Makes the node an entry of the directory, in place of any other. */
export function setEntry(directory: DirectoryNode, name: string, node: FsNode, now: bigint): void {
  removeEntry(directory, name, now);
  directory.entries.set(name, node);
  node.changed = now;
  if (node.kind === 'directory') {
    node.parent = directory;
    node.name = name;
  } else addEntry(node, { directory, name });
}

export function removeEntry(directory: DirectoryNode, name: string, now: bigint): void {
  requireChangeable(directory);
  const node = directory.entries.get(name);
  if (node != null) {
    node.changed = now;
    if (node.kind !== 'directory') endEntry(node, { directory, name });
  }
  directory.entries.set(name, null);
  noteModified(directory, now);
}

interface Move {
  readonly node: FsNode;
  readonly from: Pick<Entry, 'directory' | 'name'>;
  readonly to: Pick<Entry, 'directory' | 'name'>;
}

/** At once: what two of them exchange is replaced by neither. */
export function moveEntries(moves: readonly Move[], now: bigint): void {
  // Refuses before anything has moved.
  for (const { to } of moves) requireChangeable(to.directory);
  const moved = moves.map(({ node, from }) => (node.kind === 'directory' ? node : entryOf(node, from)));
  for (const { from } of moves) from.directory.entries.set(from.name, null);
  for (const [i, { node, from, to }] of moves.entries()) {
    removeEntry(to.directory, to.name, now);
    to.directory.entries.set(to.name, node);
    noteModified(from.directory, now);
    node.changed = now;
    const entry = moved[i];
    if (entry === undefined) continue;
    if ('kind' in entry) entry.parent = to.directory;
    else entry.directory = to.directory;
    entry.name = to.name;
  }
}

export function inodeOf(system: System, node: OpenNode): number {
  if (node.inode === 0) node.inode = system.state.shared.nextInode++;
  return node.inode;
}

/** The guest's path of a directory: below the working directory it starts with WORKING_DIRECTORY. */
export function pathOfDirectory(system: System, directory: DirectoryNode): string {
  const names: string[] = [];
  for (let at = directory; ; at = at.parent) {
    if (at === system.state.shared.home) return [WORKING_DIRECTORY, ...names.reverse()].join('/');
    if (at.parent === at) return `/${names.reverse().join('/')}`;
    names.push(at.name);
  }
}

/** Where something is by now that a path led to; Linux marks what was removed. */
export function pathNow(system: System, { path, entry }: Called): string {
  if (entry === undefined) return path;
  return orDeleted(joinPath(pathOfDirectory(system, entry.directory), entry.name), entry.isGone);
}

/** The same of a directory. */
export function directoryNow(system: System, directory: DirectoryNode): string {
  return orDeleted(pathOfDirectory(system, directory), directory.isRemoved);
}

const orDeleted = (path: string, isDeleted: true | undefined): string =>
  isDeleted === true ? `${path} (deleted)` : path;

export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** What a directory's mode lets its owner do, who the guest always is. */
export const LIST = 0o400;
export const WRITE = 0o200;
export const SEARCH = 0o100;

export function requireMode({ mode }: DirectoryNode, wanted: number): void {
  if ((mode & wanted) !== wanted) fail('EACCES');
}

/** Entries may be made in it and removed. */
export function requireChangeable(directory: DirectoryNode): void {
  if (directory.special !== undefined && directory.special !== 'private') fail('EACCES');
  requireMode(directory, WRITE | SEARCH);
}

/** Whether the entry comes from the host although it is not listed. */
function isHidden(directory: DirectoryNode, name: string): boolean {
  const node = directory.entries.get(name);
  return directory.exposed?.includes(name) === true && node != null && 'origin' in node;
}

function originOf(directory: DirectoryNode, name: string): string | undefined {
  const { origin, exposed, absent } = directory;
  if (origin === undefined) return undefined;
  const isThere =
    exposed === undefined ? !directory.complete && !absent?.includes(name) : exposed.includes(name);
  return isThere ? joinPath(origin, name) : undefined;
}

function fromDisk(
  system: System,
  parent: DirectoryNode,
  name: string,
  origin: string,
  entry: DiskEntry,
): FsNode {
  const { home } = system.state.shared;
  const isAtWork =
    home.origin !== undefined && !holdsSystem(home.origin) && origin.startsWith(joinPath(home.origin, ''));
  const base = { inode: 0, modified: modifiedOf(entry, origin, isAtWork) };
  switch (entry.kind) {
    case 'file': {
      // The host's umask and owner must not show: only whether a file is executable is part of the input.
      const mode = entry.executable ? 0o755 : 0o644;
      return { ...base, kind: 'file', mode, origin, size: entry.size, links: 1, ownMode: false };
    }
    case 'directory':
      return {
        ...base,
        kind: 'directory',
        mode: 0o755,
        origin,
        parent,
        name,
        entries: new Map(),
        complete: false,
      };
    case 'link':
      return { ...base, kind: 'link', mode: 0o777, origin, target: orFail(system.disk.readLink(origin)) };
    case 'other':
      return { ...base, kind: 'device', mode: 0o660, device: 'other' };
  }
}

type Numbered = DirectoryNode & { readonly special: NumberedDirectory };

function isNumbered(directory: DirectoryNode): directory is Numbered {
  const { special } = directory;
  return special === 'descriptors' || special === 'descriptor facts' || special === 'threads';
}

function numbersIn(system: System, { process, special }: Numbered): number[] {
  const state = system.state.shared.processes.get(process!)?.state;
  return [...((special === 'threads' ? state?.threads : state?.descriptors)?.keys() ?? [])];
}

function numberedEntry(system: System, directory: Numbered, name: string): FsNode | undefined {
  const number = Number(name);
  if (String(number) !== name || !numbersIn(system, directory).includes(number)) return undefined;
  // One node a number, so that its inode stays.
  const node = directory.entries.get(name) ?? newEntry(directory, number);
  directory.entries.set(name, node);
  if (node.kind === 'directory') Object.assign(node, { parent: directory, name });
  return node;
}

function newEntry({ special, process }: Numbered, number: number): FsNode {
  switch (special) {
    case 'descriptors':
      return descriptorLink(process!, number);
    case 'descriptor facts':
      return descriptorFacts(process!, number);
    case 'threads':
      return threadDirectory(process!, number);
  }
}

/** /dev/pts/N */
function terminalEntry({ state }: System, name: string): FsNode | undefined {
  const node = state.shared.terminals.get(Number(name));
  return String(node?.terminal.number) === name ? node : undefined;
}

/** An entry of /proc: a process's directory as long as there is the process, a link to the one that looks, or a file. */
function processEntry(system: System, directory: DirectoryNode, name: string): FsNode | undefined {
  const { shared, process, running } = system.state;
  const made = (key: string, make: () => FsNode): FsNode => {
    const node = directory.entries.get(key) ?? make();
    directory.entries.set(key, node);
    return node;
  };
  if (name === 'self') return made(`self ${process.id}`, () => link(String(process.id)));
  if (name === 'thread-self')
    return made(`thread-self ${running}`, () => link(`${process.id}/task/${running}`));
  const known = shared.processes.get(Number(name));
  if (known === undefined || String(known.id) !== name) {
    const file = directory.entries.get(name);
    return file?.kind === 'directory' && NUMBER.test(name) ? undefined : (file ?? undefined);
  }
  return made(name, () => {
    const node = processDirectory(known.id);
    node.parent = directory;
    node.name = name;
    return node;
  });
}

const NUMBER = /^\d+$/;

function listProcesses(system: System, directory: DirectoryNode): readonly string[] {
  const files = [...directory.entries.keys()].filter((name) => !NUMBER.test(name) && !name.includes(' '));
  const ids = [...system.state.shared.processes.keys()].map(String);
  return [...files, 'self', 'thread-self', ...ids].sort();
}
