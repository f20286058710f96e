import { Failure } from '../base/failure.ts';
import { toText } from './bytes.ts';
import { EPOCH } from './clock.ts';
import { LinuxError } from './errno.ts';
import { initialRoot, PARENT_ID, PROCESS_ID } from './fs/initial.ts';
import type { Processor } from './fs/machine-texts.ts';
import type { StreamNode } from './fs/node.ts';
import { WORKING_DIRECTORY } from './fs/tree.ts';
import { walk } from './fs/walk.ts';
import { FIRST_FREE } from './internet.ts';
import { initialIpc } from './ipc/state.ts';
import { DEFAULT_POLICY } from './memory-policy.ts';
import { O } from './open-file.ts';
import { RANDOM_SEED } from './random.ts';
import { NO_SANDBOX } from './seccomp/filters.ts';
import { NO_STACK } from './signals/alternate-stack.ts';
import type { Controls, Descriptor, KernelState, Process, SharedState } from './state.ts';
import type { System } from './system.ts';
import { onlyThread } from './threads.ts';

/** Nanoseconds of timer slack that a process begins with. */
export const FIRST_SLACK = 50_000;

/** The kernel before the first program: `mentions` are byte strings, see KernelOptions. */
export function initialState(mentions: readonly string[], processor: Processor): KernelState {
  const root = initialRoot(namesInTmp(mentions), processor);
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
    abstractSockets: new Map(),
    internetSockets: new Set(),
    nextPort: FIRST_FREE,
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
    regions: [],
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
 * Makes the host's directory the guest's working directory, under its fixed name. It stays one node, so that the
 * host's own name of it leads there too, and `..` to its parent on the host.
 */
export function startDirectoryOf(system: System, directory: string): void {
  const { state } = system;
  const home = tryWalk(system, directory);
  if (home?.kind !== 'directory' || home.special !== undefined) {
    const path = toText(directory);
    throw new Failure(
      'environment',
      'working-directory-missing',
      `The working directory ${path} cannot be read.`,
      {
        path,
      },
    );
  }
  state.shared.home = home;
  state.paths.cwd = home;
  state.shared.root.entries.set(WORKING_DIRECTORY.slice(1), home);
}

function tryWalk(system: System, path: string) {
  try {
    return walk(system, system.state.shared.root, path).node;
  } catch (problem) {
    if (problem instanceof LinuxError) return undefined;
    throw problem;
  }
}

/** First components below /tmp of the paths that occur in the texts: in `--output=/tmp/run/x`, `run`. */
function namesInTmp(mentions: readonly string[]): string[] {
  const names = mentions.flatMap((text) =>
    [...text.matchAll(/\/tmp\/+([^/\s"'=:,;]+)/g)].map((match) => match[1]),
  );
  return [...new Set(names)].filter((name) => name !== '.' && name !== '..');
}

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
