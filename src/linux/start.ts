import { Failure } from '../base/failure.ts';
import { USUAL_ADDRESSES } from './address-plan.ts';
import { toText } from './bytes.ts';
import { EPOCH } from './clock.ts';
import { LinuxError } from './errno.ts';
import { initialRoot, PARENT_ID, PROCESS_ID } from './fs/initial.ts';
import type { Processor } from './fs/machine-texts.ts';
import type { DirectoryNode, FsNode, StreamNode } from './fs/node.ts';
import { nameWorkingDirectory } from './fs/tree.ts';
import { walk } from './fs/walk.ts';
import { FIRST_FREE } from './internet.ts';
import { initialIpc } from './ipc/state.ts';
import { DEFAULT_POLICY } from './memory-policy.ts';
import { O } from './open-file.ts';
import { RANDOM_SEED } from './random.ts';
import { emptyRegions } from './region-list.ts';
import { NO_SANDBOX } from './seccomp/filters.ts';
import { NO_STACK } from './signals/alternate-stack.ts';
import type { Controls, Descriptor, KernelState, Process, SharedState } from './state.ts';
import type { System } from './system.ts';
import { onlyThread } from './threads.ts';

/** Nanoseconds of timer slack that a process begins with. */
export const FIRST_SLACK = 50_000;

/** The kernel before the first program, from byte strings: see KernelOptions. */
export function initialState(
  directory: string,
  mentions: readonly string[],
  processor: Processor,
): KernelState {
  const paths = [directory, ...mentions, ...mentions.flatMap((text) => pathsAbove(directory, text))];
  const root = initialRoot((scratch) => namesIn(scratch, paths), processor);
  const process: Process = {
    id: PROCESS_ID,
    parent: PARENT_ID,
    group: PROCESS_ID,
    session: PARENT_ID,
    persona: 0,
    hasExecuted: true,
    state: undefined,
    stoppedBy: undefined,
    news: undefined,
    ended: undefined,
    instructions: 0n,
    childInstructions: 0n,
    isWaitedFor: false,
    exitSignal: 0,
  };
  const shared: SharedState = {
    root,
    home: root,
    nextInode: FIRST_INODE,
    watchers: 0,
    moves: 0,
    inputOffset: 0,
    opened: new Map(),
    slept: 0n,
    elsewhere: 0n,
    random: RANDOM_SEED,
    capabilities: { hwcap: 0, hwcap2: 0 },
    processes: new Map([[PROCESS_ID, process]]),
    terminals: new Map(),
    queues: new Map(),
    timers: new Set(),
    abstractSockets: new Map(),
    internetSockets: new Set(),
    nextPort: FIRST_FREE,
    inUse: undefined,
    isSettled: true,
    futexWaiters: [],
    ipc: initialIpc(),
    nextId: PROCESS_ID + 1,
  };
  const state: KernelState = {
    shared,
    process,
    paths: { cwd: root, umask: 0o022 },
    descriptors: standardDescriptors(),
    opening: [],
    awaitedLocks: [],
    sandbox: NO_SANDBOX,
    memoryPolicy: DEFAULT_POLICY,
    shown: new Map(),
    regions: emptyRegions(),
    formerCode: [],
    addresses: USUAL_ADDRESSES,
    breakStart: 0,
    break: 0,
    signals: {
      actions: new Map(),
      blocked: 0n,
      savedMask: undefined,
      pending: [],
      unclaimed: [],
      alternateStack: NO_STACK,
      lastFault: { trap: 0n, error: 0n, address: 0n },
    },
    timers: new Map(),
    limits: new Map(),
    scheduling: { policy: 0, nice: 0 },
    controls: FIRST_CONTROLS,
    barriers: 0,
    restartable: undefined,
    program: {
      path: '/',
      name: '',
      argumentBytes: '',
      environmentBytes: '',
      auxiliary: new Uint8Array(0),
      stackStart: 0,
      memoryPressure: 0,
    },
    ...onlyThread(PROCESS_ID),
  };
  process.state = state;
  return state;
}

const FIRST_CONTROLS: Controls = {
  deathSignal: 0,
  isDumpable: 1,
  keepsCapabilities: 0,
  timerSlack: FIRST_SLACK,
  isReaper: 0,
  hasNoNewPrivileges: 0,
  hasNoHugePages: 0,
};

/** Low numbers are ext4's own. */
const FIRST_INODE = 12;

/**
 * Makes the host's directory the guest's working directory, under its fixed name (WORKING_DIRECTORY). It stays one node, so that the
 * host's own name of it leads there too, and `..` to its parent on the host.
 */
export function startDirectoryOf(system: System, directory: string): void {
  const { state } = system;
  const home = openToHost(tryWalk(system, directory));
  if (home?.kind !== 'directory')
    throw missing(`The working directory ${toText(directory)} cannot be read.`, directory);
  if (home.special !== undefined)
    throw missing(
      `The working directory ${toText(directory)} is one that guests get from the emulator; run the command from another one.`,
      directory,
    );
  state.shared.home = home;
  state.paths.cwd = home;
  nameWorkingDirectory(system, home);
}

/** A scratch directory of the host that a run starts in is its input, as any other would be: it does not begin empty. */
function openToHost(node: FsNode | undefined): FsNode | undefined {
  if (node?.kind !== 'directory' || node.special !== 'private') return node;
  const { special: _, exposed: __, ...rest } = node;
  const open: DirectoryNode = { ...rest, entries: new Map(), complete: false };
  open.parent.entries.set(open.name, open);
  return open;
}

function missing(message: string, directory: string): Failure {
  return new Failure('environment', 'working-directory-missing', message, { path: toText(directory) });
}

function tryWalk(system: System, path: string) {
  try {
    return walk(system, system.state.shared.root, path).node;
  } catch (problem) {
    if (problem instanceof LinuxError) return undefined;
    throw problem;
  }
}

/** First components below a directory of the paths that occur in the texts: of /tmp in `--output=/tmp/run/x`, `run`. */
function namesIn(directory: string, texts: readonly string[]): string[] {
  const below = new RegExp(`${directory}/+([^/${PATH_ENDS}]+)`, 'g');
  const names = texts.flatMap((text) => [...text.matchAll(below)].map((match) => match[1]));
  return [...new Set(names)].filter((name) => name !== '.' && name !== '..');
}

/** Paths that a text tells by climbing from the directory: of `--input=../x` in /tmp/run, `/tmp/x`. */
function pathsAbove(directory: string, text: string): string[] {
  const parts = directory.split('/').filter((part) => part !== '');
  return [...text.matchAll(CLIMBING)].map(([, ups, rest]) => {
    const above = parts.slice(0, -ups.match(/\.\./g)!.length);
    return `/${[...above, rest].join('/')}`;
  });
}

/** What stands around paths in arguments and variables, for a class of characters. */
const PATH_ENDS = `\\s"'=:,;`;
const CLIMBING = new RegExp(`(?<![^${PATH_ENDS}])(?:\\./+)*((?:\\.\\./+)+)([^${PATH_ENDS}]*)`, 'g');

function standardDescriptors(): Map<number, Descriptor> {
  const streams = ['stdin', 'stdout', 'stderr'] as const;
  return new Map(
    streams.map((stream, number) => {
      const node: StreamNode = { kind: 'stream', inode: 0, mode: 0o600, modified: EPOCH, stream };
      const flags = stream === 'stdin' ? 0 : O.WRITE_ONLY;
      return [
        number,
        { file: { node, path: stream, openedAs: stream, flags, offset: 0 }, closeOnExec: false },
      ];
    }),
  );
}
