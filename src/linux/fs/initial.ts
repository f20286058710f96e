import { toBytes } from '../bytes.ts';
import { EPOCH } from '../clock.ts';
import { FILE_SYSTEMS, MOUNT_INFO, MOUNTS } from './file-systems.ts';
import { cpuInfo, MEMORY_INFO, type Processor, STATISTICS } from './machine-texts.ts';
import type {
  DeviceNode,
  DirectoryNode,
  FileNode,
  FsNode,
  LinkNode,
  MagicNode,
  SelfText,
  TextNode,
} from './node.ts';

/** The fixed identity of the guest's process. */
export const PROCESS_ID = 1000;
export const PARENT_ID = 999;
export const USER_ID = 1000;
export const GROUP_ID = 1000;

export const HOST_NAME = 'ilp-gate';
export const KERNEL_RELEASE = '6.1.0';
export const KERNEL_VERSION = '#1 SMP';

/** Directories that begin empty, whatever the host has there. */
type ScratchDirectory = '/tmp' | '/dev/shm';

/**
 * The root directory: the host's, but for what would let the host show. `exposedIn` tells the names in a scratch directory that
 * the guest may see, because the command mentions them.
 */
export function initialRoot(
  exposedIn: (directory: ScratchDirectory) => readonly string[],
  processor: Processor,
): DirectoryNode {
  const scratch = (origin: ScratchDirectory, how?: Partial<DirectoryNode>) =>
    directory({}, { special: 'private', origin, exposed: exposedIn(origin), ...how });
  const root = directory(
    {
      dev: devices(scratch('/dev/shm', { mounted: 'shared memory' })),
      proc: processes(processor),
      sys: systemTree(),
      tmp: scratch('/tmp'),
      etc: settings(),
    },
    { origin: '/', complete: false, mounted: 'root' },
  );
  root.parent = root;
  return root;
}

/** Users, hosts and time zone are the machine's; the library cache says which libraries it has. */
function settings(): DirectoryNode {
  const files = {
    passwd: 'root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/w:/bin/sh\n',
    group: 'root:x:0:\nuser:x:1000:\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n',
    hosts: `127.0.0.1 localhost ${HOST_NAME}\n`,
    hostname: `${HOST_NAME}\n`,
  };
  const supplied: Record<string, FsNode> = { mtab: { ...link('../proc/self/mounts'), origin: '/etc/mtab' } };
  for (const [name, contents] of Object.entries(files)) supplied[name] = file(`/etc/${name}`, contents);
  return directory(supplied, { origin: '/etc', absent: ABSENT_IN_ETC, complete: false });
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

function devices(shm: DirectoryNode): DirectoryNode {
  const entries = {
    null: device('null'),
    zero: device('zero'),
    full: device('full'),
    random: device('random'),
    urandom: device('random'),
    tty: device('tty'),
    ptmx: device('ptmx'),
    stdin: link('/proc/self/fd/0'),
    stdout: link('/proc/self/fd/1'),
    stderr: link('/proc/self/fd/2'),
    fd: link('/proc/self/fd'),
    shm,
    pts: directory({ ptmx: { ...device('ptmx'), mode: 0 } }, { special: 'terminals', mounted: 'terminals' }),
  };
  return directory(entries, { special: 'fixed', mode: 0o555, mounted: 'devices' });
}

/** /proc/PID. */
export function processDirectory(process: number): DirectoryNode {
  return fixed({
    exe: magic(process, 'exe'),
    cwd: magic(process, 'cwd'),
    root: link('/'),
    fd: directory({}, { special: 'descriptors', process }),
    fdinfo: directory({}, { special: 'descriptor facts', process, mode: 0o555 }),
    task: directory({}, { special: 'threads', process, mode: 0o555 }),
    mounts: text(MOUNTS),
    mountinfo: text(MOUNT_INFO),
    cgroup: text('0::/\n'),
    cpuset: text('/\n'),
    oom_score: text('0\n'),
    loginuid: text(`${USER_ID}\n`),
    sessionid: text('1\n'),
    personality: text('00000000\n'),
    wchan: text('0'),
    oom_score_adj: writableText({ about: 'oom_score_adj', process }),
    comm: writableText({ about: 'comm', process }),
    ...about(process, undefined, ['auxv', 'cmdline', 'environ', 'limits', 'maps', 'stat', 'statm', 'status']),
  });
}

/** /proc/PID/task/TID. */
export function threadDirectory(process: number, thread: number): DirectoryNode {
  return fixed({
    fd: directory({}, { special: 'descriptors', process }),
    fdinfo: directory({}, { special: 'descriptor facts', process, mode: 0o555 }),
    comm: writableText({ about: 'comm', process, thread }),
    ...about(process, thread, ['cmdline', 'environ', 'maps', 'stat', 'statm', 'status']),
  });
}

function about(process: number, thread: number | undefined, what: readonly SelfText[]) {
  const of = (each: SelfText) => text({ about: each, process, ...(thread !== undefined && { thread }) });
  return Object.fromEntries(what.map((each) => [each, of(each)]));
}

/** /proc/PID/fd/N. */
export function descriptorLink(process: number, descriptor: number): MagicNode {
  return { ...magic(process, { descriptor }), mode: 0o500 };
}

/** /proc/PID/fdinfo/N. */
export function descriptorFacts(process: number, descriptor: number): TextNode {
  return { ...text({ about: 'descriptor', process, descriptor }), mode: 0o400 };
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
        shmmax: text('18446744073692774399\n'),
        shmall: text('18446744073692774399\n'),
        shmmni: text('4096\n'),
        sem: text('32000\t1024000000\t500\t32000\n'),
        msgmax: text('8192\n'),
        msgmnb: text('16384\n'),
        msgmni: text('32000\n'),
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
  return directory(files, { special: 'processes', mode: 0o555, mounted: 'proc' });
}

function systemTree(): DirectoryNode {
  const one = text('0\n');
  const itself = text('1\n');
  const topology = {
    core_id: one,
    physical_package_id: one,
    die_id: one,
    cluster_id: one,
    ...Object.fromEntries(
      ['thread_siblings', 'core_siblings', 'core_cpus', 'package_cpus', 'die_cpus'].flatMap((name) => [
        [name, itself],
        [`${name}_list`, one],
      ]),
    ),
  };
  const none = text('\n');
  const cpus = {
    online: one,
    possible: one,
    present: one,
    offline: none,
    isolated: none,
    kernel_max: one,
    cpu0: fixed({ topology: fixed(topology) }),
  };
  const node0 = { cpulist: one, cpumap: itself, distance: text('10\n') };
  const nodes = { online: one, possible: one, has_cpu: one, node0: fixed(node0) };
  const hugePages = { enabled: text('always madvise [never]\n'), hpage_pmd_size: text('2097152\n') };
  const entries = {
    devices: fixed({ system: fixed({ cpu: fixed(cpus), node: fixed(nodes) }) }),
    kernel: fixed({ mm: fixed({ transparent_hugepage: fixed(hugePages) }) }),
    fs: fixed({ cgroup: fixed({}) }),
  };
  return directory(entries, { special: 'fixed', mode: 0o555, mounted: 'sys' });
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
    if (node.kind === 'directory') {
      node.parent = made;
      node.name = name;
    } else node.entry = { directory: made, name };
  }
  return made;
}

function fixed(entries: Readonly<Record<string, FsNode>>): DirectoryNode {
  return directory(entries, { special: 'fixed', mode: 0o555 });
}

/** Is there in place of the host's. */
function file(origin: string, contents: string): FileNode {
  const supplied = toBytes(contents);
  const size = supplied.length;
  const base = { inode: 0, mode: 0o444, modified: EPOCH };
  return { ...base, kind: 'file', origin, supplied, size, links: 1, ownMode: false };
}

function text(contents: TextNode['text']): TextNode {
  return { kind: 'text', inode: 0, mode: 0o444, modified: EPOCH, text: contents };
}

export function link(target: string): LinkNode {
  return { kind: 'link', inode: 0, mode: 0o777, modified: EPOCH, target };
}

function writableText(contents: TextNode['text']): TextNode {
  return { ...text(contents), mode: 0o644 };
}

function device(name: DeviceNode['device']): DeviceNode {
  return { kind: 'device', inode: 0, mode: 0o666, modified: EPOCH, device: name };
}

function magic(process: number, leadsTo: MagicNode['leadsTo']): MagicNode {
  return { kind: 'magic', inode: 0, mode: 0o777, modified: EPOCH, process, leadsTo };
}
