import { fail } from '../errno.ts';
import type { KernelState } from '../state.ts';
import type { System } from '../system.ts';
import { entryOf } from './entries.ts';
import type { Called, DirectoryNode, FsNode, MagicNode, OpenNode } from './node.ts';
import { isObject, isStream } from './node.ts';
import { directoryNow, joinPath, lookUp, pathNow, pathOfDirectory, requireMode, SEARCH } from './tree.ts';

/** Where a path leads: the node, if it exists, as `name` in `directory`. */
export interface Place {
  readonly directory: DirectoryNode;
  /** Empty for the root, `.` and `..`: a directory that is its own place. */
  readonly name: string;
  readonly node?: FsNode;
  /** Where a link of /proc led to the node, which has another name than the link's. */
  readonly called?: Called;
  /** The path ended in a slash, so it can only be a directory. */
  readonly mustBeDirectory: boolean;
}

/** Linux follows at most so many symbolic links in one walk (MAXSYMLINKS). */
const MOST_LINKS = 40;
const LONGEST_NAME = 255;
const LONGEST_PATH = 4095;

/** Which paths are gone: openat2(2). */
export interface Bounds {
  /** 'beneath': a path that leaves the directory it starts from is an error; 'root': that directory is the root. */
  readonly scope: 'all' | 'beneath' | 'root';
  /** Whether links may be followed, and those of /proc that lead to a thing. */
  readonly links: boolean;
  readonly magicLinks: boolean;
}

export const FREE: Bounds = { scope: 'all', links: true, magicLinks: true };

/**
 * Follows a path from `start`. The last component may be missing (then `node` is absent); the ones before may not.
 * `follow` says whether a symbolic link as the last component is followed; 'never', that it is not even where a slash comes behind it: names
 * are made and taken away so.
 */
export function walk(
  system: System,
  start: DirectoryNode,
  path: string,
  follow: boolean | 'never' = true,
  bounds: Bounds = FREE,
): Place {
  if (path === '') fail('ENOENT');
  if (path.length > LONGEST_PATH) fail('ENAMETOOLONG');
  let links = 0;
  const root = (): DirectoryNode => {
    if (bounds.scope === 'beneath') fail('EXDEV');
    return bounds.scope === 'root' ? start : system.state.shared.root;
  };
  let directory = path.startsWith('/') ? root() : start;
  let rest = components(path);
  let slash = path.endsWith('/');
  let place: Place = { directory, name: '', node: directory, mustBeDirectory: slash };
  while (rest.length > 0) {
    const [name, ...after] = rest;
    rest = after;
    requireMode(directory, SEARCH);
    if (name === '.' || name === '..') {
      if (name === '..' && directory === start && bounds.scope === 'beneath') fail('EXDEV');
      if (name === '..' && (directory !== start || bounds.scope !== 'root')) directory = directory.parent;
      place = { directory, name: '', node: directory, mustBeDirectory: true };
      continue;
    }
    if (name.length > LONGEST_NAME) fail('ENAMETOOLONG');
    let called: Called | undefined;
    let node = lookUp(system, directory, name);
    if (node === undefined && directory.isRemoved === true) fail('ENOENT');
    const isLast = rest.length === 0;
    if (node !== undefined && (!isLast || follow === true || (slash && follow !== 'never'))) {
      if (isForbidden(node, bounds)) fail('ELOOP');
      if (node.kind === 'magic' && bounds.scope !== 'all') fail('EXDEV');
      if (node.kind === 'link') {
        const { target } = node;
        if (++links > MOST_LINKS) fail('ELOOP');
        if (target.startsWith('/')) directory = root();
        if (isLast && target.endsWith('/')) slash = true;
        place = { directory, name: '', node: directory, mustBeDirectory: true };
        rest = [...components(target), ...rest];
        continue;
      }
      const target = node.kind === 'magic' ? magicTarget(system, node) : undefined;
      called = target?.called;
      node = target?.node ?? node;
    }
    if (isLast) {
      place = {
        directory,
        name,
        mustBeDirectory: slash,
        ...(node !== undefined && { node }),
        ...(called !== undefined && { called }),
      };
    } else {
      if (node === undefined) fail('ENOENT');
      if (node.kind !== 'directory') fail('ENOTDIR');
      directory = node;
      place = { directory, name: '', node, mustBeDirectory: true };
    }
  }
  if (follow === 'never') return place;
  if (place.mustBeDirectory && place.node !== undefined && place.node.kind !== 'directory') fail('ENOTDIR');
  return place;
}

function isForbidden({ kind }: FsNode, { links, magicLinks }: Bounds): boolean {
  return (kind === 'link' && !links) || (kind === 'magic' && (!links || !magicLinks));
}

/** The node at the path: ENOENT when there is none. */
export function find(system: System, start: DirectoryNode, path: string, follow = true): FsNode {
  return walk(system, start, path, follow).node ?? fail('ENOENT');
}

/** What there is at the place is called so. */
export function calledAt(system: System, { directory, name, node, called }: Place): Called {
  if (node?.kind === 'directory') return { path: directoryNow(system, node) };
  if (called !== undefined) return { path: pathNow(system, called), entry: called.entry };
  const entry = node && entryOf(node, { directory, name });
  return { path: joinPath(pathOfDirectory(system, directory), name), entry };
}

function ofProcess(system: System, { process }: MagicNode): KernelState {
  return system.state.shared.processes.get(process)?.state ?? fail('ENOENT');
}

/** What a link of /proc leads to, where that is a node with a name; pipes are opened through the link itself. */
function magicTarget(
  system: System,
  magic: MagicNode,
): { readonly node: FsNode; readonly called?: Called } | undefined {
  const { leadsTo } = magic;
  const { program, paths, descriptors } = ofProcess(system, magic);
  if (leadsTo === 'cwd') return { node: paths.cwd };
  if (leadsTo === 'exe') return program.file && { node: program.file, called: program };
  const file = descriptors.get(leadsTo.descriptor)?.file;
  return file !== undefined && isNamed(file.node) ? { node: file.node, called: file } : undefined;
}

function isNamed(node: OpenNode): node is FsNode {
  return (!isStream(node) && !isObject(node)) || node.kind === 'terminal';
}

function components(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}
