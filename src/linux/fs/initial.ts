import { EPOCH } from '../clock.ts';
import {
  cpuInfo,
  FILE_SYSTEMS,
  LIMITS,
  MEMORY_INFO,
  MOUNT_INFO,
  MOUNTS,
  type Processor,
  STATISTICS,
} from './machine-texts.ts';
import type { DeviceNode, DirectoryNode, FsNode, LinkNode, MagicNode, SelfText, TextNode } from './node.ts';

/** The fixed identity of the guest's process. */
export const PROCESS_ID = 1000;
export const PARENT_ID = 999;
export const USER_ID = 1000;
export const GROUP_ID = 1000;

export const HOST_NAME = 'ilp-gate';
export const KERNEL_RELEASE = '6.1.0';
export const KERNEL_VERSION = '#1 SMP';

/**
 * The root directory: the host's, but for what would let the host show. `tmpNames` are the names in /tmp that the
 * guest may see, because the command mentions them.
 */
export function initialRoot(tmpNames: readonly string[], processor: Processor): DirectoryNode {
  const root = directory(
    {
      dev: devices(),
      proc: processes(processor),
      sys: systemTree(),
      tmp: directory({}, { special: 'private', origin: '/tmp', exposed: tmpNames }),
      etc: settings(),
    },
    { origin: '/', complete: false },
  );
  root.parent = root;
  return root;
}

/** Users, hosts and time zone are the machine's; the library cache says which libraries it has. */
function settings(): DirectoryNode {
  const files = {
    passwd: text('root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/w:/bin/sh\n'),
    group: text('root:x:0:\nuser:x:1000:\n'),
    'nsswitch.conf': text('passwd: files\ngroup: files\nshadow: files\nhosts: files\n'),
    hosts: text(`127.0.0.1 localhost ${HOST_NAME}\n`),
    hostname: text(`${HOST_NAME}\n`),
    mtab: text(MOUNTS),
  };
  return directory(files, { origin: '/etc', absent: ABSENT_IN_ETC, complete: false });
}

const ABSENT_IN_ETC = [
  'ld.so.cache',
  'ld.so.preload',
  'localtime',
  'timezone',
  'machine-id',
  'resolv.conf',
  'shadow',
  'environment',
];

function devices(): DirectoryNode {
  return fixed({
    null: device('null'),
    zero: device('zero'),
    full: device('full'),
    random: device('random'),
    urandom: device('random'),
    tty: device('tty'),
    stdin: link('/proc/self/fd/0'),
    stdout: link('/proc/self/fd/1'),
    stderr: link('/proc/self/fd/2'),
    fd: link('/proc/self/fd'),
    shm: directory({}, { special: 'private' }),
    pts: fixed({}),
  });
}

/** /proc/PID. */
export function processDirectory(process: number): DirectoryNode {
  const about = (what: SelfText) => text({ about: what, process });
  const own: Record<string, FsNode> = {
    exe: magic(process, 'exe'),
    cwd: magic(process, 'cwd'),
    root: link('/'),
    fd: directory({}, { special: 'descriptors', process }),
    mounts: text(MOUNTS),
    mountinfo: text(MOUNT_INFO),
    limits: text(LIMITS),
    cgroup: text('0::/\n'),
    oom_score_adj: text('0\n'),
    loginuid: text(`${USER_ID}\n`),
  };
  const self: readonly SelfText[] = ['maps', 'cmdline', 'environ', 'comm', 'stat', 'statm', 'status'];
  for (const what of self) own[what] = about(what);
  return fixed({
    ...own,
    task: fixed({
      [process]: fixed({ comm: about('comm'), stat: about('stat'), status: about('status') }),
    }),
  });
}

/** /proc, but for what belongs to processes (tree.ts). */
function processes(processor: Processor): DirectoryNode {
  const files = {
    cpuinfo: text(cpuInfo(processor)),
    meminfo: text(MEMORY_INFO),
    stat: text(STATISTICS),
    filesystems: text(FILE_SYSTEMS),
    mounts: link('self/mounts'),
    loadavg: text('0.00 0.00 0.00 1/1 1000\n'),
    uptime: text({ about: 'uptime' }),
    version: text(`Linux version ${KERNEL_RELEASE} ${KERNEL_VERSION}\n`),
    sys: fixed({
      kernel: fixed({
        osrelease: text(`${KERNEL_RELEASE}\n`),
        hostname: text(`${HOST_NAME}\n`),
        ostype: text('Linux\n'),
        version: text(`${KERNEL_VERSION}\n`),
        pid_max: text('32768\n'),
        ngroups_max: text('65536\n'),
        cap_last_cap: text('40\n'),
        randomize_va_space: text('0\n'),
        random: fixed({
          boot_id: text('00000000-0000-4000-8000-000000000000\n'),
          uuid: text('00000000-0000-4000-8000-000000000001\n'),
          entropy_avail: text('256\n'),
        }),
      }),
      vm: fixed({
        overcommit_memory: text('0\n'),
        max_map_count: text('65530\n'),
        mmap_min_addr: text('65536\n'),
      }),
      fs: fixed({
        'file-max': text('65536\n'),
        'pipe-max-size': text('1048576\n'),
        nr_open: text('1048576\n'),
      }),
    }),
  };
  return directory(files, { special: 'processes', mode: 0o555 });
}

function systemTree(): DirectoryNode {
  const cpus = { online: text('0\n'), possible: text('0\n'), present: text('0\n'), cpu0: fixed({}) };
  const hugePages = { enabled: text('always madvise [never]\n'), hpage_pmd_size: text('2097152\n') };
  return fixed({
    devices: fixed({ system: fixed({ cpu: fixed(cpus), node: fixed({ online: text('0\n') }) }) }),
    kernel: fixed({ mm: fixed({ transparent_hugepage: fixed(hugePages) }) }),
    fs: fixed({ cgroup: fixed({}) }),
  });
}

function directory(entries: Readonly<Record<string, FsNode>>, how: Partial<DirectoryNode>): DirectoryNode {
  const made = {
    kind: 'directory',
    inode: 0,
    mode: 0o755,
    modified: EPOCH,
    name: '',
    entries: new Map<string, FsNode>(),
    complete: true,
    ...how,
  } as DirectoryNode;
  for (const [name, node] of Object.entries(entries)) {
    made.entries.set(name, node);
    if (node.kind !== 'directory') continue;
    node.parent = made;
    node.name = name;
  }
  return made;
}

function fixed(entries: Readonly<Record<string, FsNode>>): DirectoryNode {
  return directory(entries, { special: 'fixed', mode: 0o555 });
}

function text(contents: TextNode['text']): TextNode {
  return { kind: 'text', inode: 0, mode: 0o444, modified: EPOCH, text: contents };
}

export function link(target: string): LinkNode {
  return { kind: 'link', inode: 0, mode: 0o777, modified: EPOCH, target };
}

function device(name: DeviceNode['device']): DeviceNode {
  return { kind: 'device', inode: 0, mode: 0o666, modified: EPOCH, device: name };
}

function magic(process: number, leadsTo: MagicNode['leadsTo']): MagicNode {
  return { kind: 'magic', inode: 0, mode: 0o777, modified: EPOCH, process, leadsTo };
}
