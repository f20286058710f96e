import type { Change } from '../ports.ts';
import type { System } from '../system.ts';
import { contentOf } from './content.ts';
import type { DirectoryNode, FsNode } from './node.ts';
import { holdsSystem, isOfSystem } from './system-files.ts';
import { joinPath, list } from './tree.ts';

export interface Changes {
  /**
   * Below the working directory, with host paths, in an order in which they can be carried out. Where that is `/` or one of the
   * system's, files of the system's are none of it.
   */
  readonly inside: readonly Change[];
  /** Guest paths of what was written elsewhere, /tmp and /dev excepted: it is lost, which a user may want to know. */
  readonly outside: readonly string[];
}

/** How the guest's files differ from the host's. */
export function changesOf(system: System): Changes {
  const { home, root } = system.state.shared;
  const inside: Change[] = [];
  compareDirectory(system, home, home.origin!, inside);
  const outside: Change[] = [];
  if (home !== root) compareDirectory(system, root, root.origin!, outside);
  const isKept = ({ path }: Change) => !holdsSystem(home.origin!) || !isOfSystem(path);
  const lost = [...inside.filter((change) => !isKept(change)), ...outside];
  return { inside: inside.filter(isKept), outside: lost.map((change) => change.path) };
}

/** A directory that is where it was on the host: what changed in it? The working directory below it is left out. */
function compareDirectory(system: System, directory: DirectoryNode, path: string, changes: Change[]): void {
  const entries = [...directory.entries].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, node] of entries)
    if (node === null || node !== system.state.shared.home)
      compareEntry(system, joinPath(path, name), node, changes);
}

function compareEntry(system: System, path: string, node: FsNode | null, changes: Change[]): void {
  const before = system.disk.stat(path);
  const existed = 'value' in before;
  if (node === null) {
    if (existed) changes.push({ kind: 'delete', path });
  } else if (node.kind === 'directory' && node.special !== undefined) {
    return;
  } else if (node.kind === 'directory' && node.origin === path) {
    compareDirectory(system, node, path, changes);
  } else if (!isUnchanged(node, path)) {
    // A rename replaces a file or a link; a directory has to go first, and so has whatever a directory replaces.
    const isReplaced = existed && (before.value.kind === 'directory' || node.kind === 'directory');
    if (isReplaced) changes.push({ kind: 'delete', path });
    create(system, path, node, changes);
  }
}

function create(system: System, path: string, node: FsNode, changes: Change[]): void {
  switch (node.kind) {
    case 'file': {
      const bytes = contentOf(system, node);
      const keepsMode = node.origin === path && !node.ownMode;
      changes.push({ kind: 'file', path, bytes, ...(!keepsMode && { mode: node.mode }) });
      return;
    }
    case 'link':
      changes.push({ kind: 'link', path, target: node.target });
      return;
    case 'directory':
      changes.push({ kind: 'directory', path, mode: node.mode });
      for (const name of list(system, node))
        create(system, joinPath(path, name), node.entries.get(name)!, changes);
      return;
    // Named pipes and sockets end with the run; the others the guest can neither make nor move.
    case 'pipe':
    case 'socket':
    case 'terminal':
    case 'text':
    case 'device':
    case 'magic':
      return;
  }
}

function isUnchanged(node: FsNode, path: string): boolean {
  switch (node.kind) {
    case 'file':
      return node.origin === path && node.data === undefined && !node.ownMode;
    case 'link':
      return node.origin === path;
    case 'directory':
    case 'pipe':
    case 'socket':
      return false;
    case 'terminal':
    case 'text':
    case 'device':
    case 'magic':
      return true;
  }
}
