/**
 * The guest's files: one tree of nodes in memory that starts as the host's tree and is loaded from it where the guest
 * looks. Writing changes nodes only, so the tree is the overlay: `data` is copy-on-write, `entries` hold additions,
 * null for what is not (or no longer) there, and nodes may sit elsewhere than their `origin`.
 * Everything is plain data: structuredClone makes a checkpoint.
 */
export type FsNode = FileNode | DirectoryNode | LinkNode | TextNode | DeviceNode | MagicNode;

interface NodeBase {
  /** Given out in the order of asking, so that neither the host's numbers nor its paths show. 0: not asked yet. */
  inode: number;
  /** Permission bits. */
  mode: number;
  /** Nanoseconds since 1970 on the virtual clock. */
  modified: bigint;
}

export interface FileNode extends NodeBase {
  readonly kind: 'file';
  /** Host path of the contents, while `data` is absent. */
  readonly origin?: string;
  /** Contents the guest wrote; only the first `size` bytes count. */
  data?: Uint8Array<ArrayBuffer>;
  size: number;
  links: number;
  /** Whether the guest chose the mode. */
  ownMode: boolean;
}

export interface DirectoryNode extends NodeBase {
  readonly kind: 'directory';
  parent: DirectoryNode;
  name: string;
  readonly entries: Map<string, FsNode | null>;
  /** Host directory of the names that `entries` does not hold. */
  readonly origin?: string;
  /** Only these names come from the host, and they are not listed: /tmp starts empty. */
  readonly exposed?: readonly string[];
  /** Names that do not come from the host, whatever it has: /etc/ld.so.cache. */
  readonly absent?: readonly string[];
  /** Whether all names are in `entries`. */
  complete: boolean;
  /**
   * Not the host's. 'fixed': the guest can add and remove nothing; 'processes': /proc; 'descriptors': /proc/PID/fd;
   * 'private': the guest may write, the host never sees it.
   */
  readonly special?: 'fixed' | 'processes' | 'descriptors' | 'private';
  /** Whose descriptors. */
  readonly process?: number;
}

export interface LinkNode extends NodeBase {
  readonly kind: 'link';
  readonly target: string;
  readonly origin?: string;
}

/** A file of /proc, /sys or /etc whose text is ours: fixed, or made from the guest's state when opened. */
export interface TextNode extends NodeBase {
  readonly kind: 'text';
  readonly text:
    | string
    | { readonly about: 'uptime' }
    | { readonly about: SelfText; readonly process: number };
}

/** What there is a file about in /proc/PID. */
export type SelfText = 'maps' | 'cmdline' | 'environ' | 'comm' | 'stat' | 'statm' | 'status';

export interface DeviceNode extends NodeBase {
  readonly kind: 'device';
  readonly device: 'null' | 'zero' | 'full' | 'random' | 'tty' | 'other';
}

/** Links of /proc that lead to a thing rather than to a path. */
export interface MagicNode extends NodeBase {
  readonly kind: 'magic';
  readonly process: number;
  readonly leadsTo: 'cwd' | 'exe' | { readonly descriptor: number };
}

/** What only descriptors lead to. */
export interface PipeNode extends NodeBase {
  readonly kind: 'pipe';
  data: Uint8Array<ArrayBuffer>;
}

/** The guest's descriptors 0 to 2: pipes to the guest, ports to us. */
export interface StreamNode extends NodeBase {
  readonly kind: 'stream';
  readonly stream: 'stdin' | 'stdout' | 'stderr';
}

export type OpenNode = FsNode | PipeNode | StreamNode;

export function isExecutable(node: FileNode): boolean {
  return (node.mode & 0o111) !== 0;
}
