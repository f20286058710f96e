import { PAGE_SIZE } from '../../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../../guest/memory.ts';
import { fromBytes } from '../bytes.ts';
import { monotonicTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { limitsText } from '../limits.ts';
import { O } from '../open-file.ts';
import type { Region } from '../region.ts';
import { allRegions } from '../region-list.ts';
import { pageUp } from '../regions.ts';
import { signalsOf } from '../signals/send.ts';
import { signalBit } from '../signals/sets.ts';
import type { KernelState, Process } from '../state.ts';
import type { System } from '../system.ts';
import { controllingTerminal } from '../terminals/sessions.ts';
import { fileSystemOf } from './file-systems.ts';
import { GROUP_ID, USER_ID } from './initial.ts';
import { isStream, type OpenFile, type SelfText, type TextNode } from './node.ts';
import { inodeOf, pathNow } from './tree.ts';

/** /proc/uptime. */
function uptimeText(system: System): string {
  const centiseconds = monotonicTime(system) / 10_000_000n;
  return `${centiseconds / 100n}.${String(centiseconds % 100n).padStart(2, '0')} 0.00\n`;
}

/** What /proc/PID says of a process, or of one of its threads, as a byte string. */
function selfText(system: System, about: SelfText, state: KernelState, thread?: number): string {
  switch (about) {
    case 'auxv':
      return fromBytes(state.program.auxiliary);
    case 'maps':
      return (
        allRegions(state.regions)
          .map((region) => mapsLine(system, region))
          .join('') + VSYSCALL
      );
    case 'cmdline':
      return state.program.argumentBytes;
    case 'environ':
      return state.program.environmentBytes;
    case 'comm':
      return `${nameOf(state, thread)}\n`;
    case 'limits':
      return limitsText(state);
    case 'oom_score_adj':
      return `${state.program.memoryPressure}\n`;
    case 'stat':
      return statLine(system, state, thread);
    case 'statm':
      return `${pages(state)} ${residentPages(system, state)} 0 0 0 0 0\n`;
    case 'status':
      return status(system, state, thread);
  }
}

const LONGEST_NAME = 15;

/** The guest writes such a file: a name, or a number. */
export function setSelfText(
  state: KernelState,
  about: SelfText,
  thread: number | undefined,
  bytes: Uint8Array,
): void {
  const written = fromBytes(bytes);
  if (about === 'oom_score_adj') {
    if (!/^-?\d+\n?$/.test(written) || Math.abs(Number(written)) > 1000) fail('EINVAL');
    // Only root makes a process less likely to be ended.
    if (Number(written) < state.program.memoryPressure) fail('EACCES');
    state.program = { ...state.program, memoryPressure: Number(written) };
    return;
  }
  const name = written.split('\0')[0].slice(0, LONGEST_NAME);
  const found = thread === undefined ? undefined : state.threads.get(thread);
  if (found === undefined || thread === state.running) state.program = { ...state.program, name };
  else found.own = { ...found.own, name };
}

function nameOf(state: KernelState, thread = state.process.id): string {
  const found = thread === state.running ? undefined : state.threads.get(thread);
  return found?.own.name ?? state.program.name;
}

/** /proc/PID/fdinfo/N. */
function descriptorText(system: System, { node, offset, flags }: OpenFile, closeOnExec: boolean): string {
  const shown = flags | (closeOnExec ? O.CLOSE_ON_EXEC : 0);
  const facts = `pos:\t${isStream(node) ? 0 : offset}\nflags:\t0${shown.toString(8)}\nmnt_id:\t1\nino:\t${inodeOf(system, node)}\n`;
  return node.kind === 'counter' ? `${facts}eventfd-count: ${node.value.toString(16).padStart(16)}\n` : facts;
}

/** Linux's last line, whatever is mapped: programs that look for room look for it between two lines. */
const VSYSCALL = `${'ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 '.padEnd(73)}[vsyscall]\n`;

function mapsLine(system: System, region: Region): string {
  const { start, end, protection, shared, offset, file, label, entry } = region;
  const letter = (bit: number, name: string) => ((protection & bit) === 0 ? '-' : name);
  const access = letter(READ, 'r') + letter(WRITE, 'w') + letter(EXECUTE, 'x') + (shared ? 's' : 'p');
  const inode = file === undefined ? 0 : inodeOf(system, file);
  const device = (file === undefined ? [0, 0] : fileSystemOf(file).device)
    .map((number) => number.toString(16).padStart(2, '0'))
    .join(':');
  const line = `${hex(start)}-${hex(end)} ${access} ${hex(offset)} ${device} ${inode} `;
  // fs/proc/task_mmu.c pads to column 73 before a name.
  const name = pathNow(system, { path: label, entry });
  return name === '' ? `${line}\n` : `${line.padEnd(73)}${name}\n`;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

function pages(state: KernelState): number {
  return allRegions(state.regions).reduce((sum, region) => sum + (region.end - region.start) / PAGE_SIZE, 0);
}

/**
 * Those that are in memory: what was touched, and of the host's files all, since whether a page of theirs was read is not known. Of another
 * process, whose memory is not at hand, they are those that it may access.
 */
function residentPages(system: System, state: KernelState): number {
  return allRegions(state.regions).reduce((sum, region) => sum + residentIn(system, state, region), 0);
}

function residentIn({ state: own, memory }: System, state: KernelState, region: Region): number {
  const { start, end, protection, file, offset } = region;
  if (file?.origin !== undefined && protection !== 0)
    return Math.max(0, Math.min(end - start, pageUp(file.size - offset))) / PAGE_SIZE;
  if (state === own) return memory.touched(start, end).length;
  return protection === 0 ? 0 : (end - start) / PAGE_SIZE;
}

/** What a file of /proc, /sys or the like says now. */
export function textOf(system: System, { text }: TextNode): string {
  if (typeof text === 'string') return text;
  if (text.about === 'uptime') return uptimeText(system);
  const process = system.state.shared.processes.get(text.process) ?? fail('ESRCH');
  if (process.ended !== undefined) return endedText(process, process.ended.name, text.about);
  const state = process.state ?? fail('ESRCH');
  if (text.about !== 'descriptor') return selfText(system, text.about, state, text.thread);
  const { file, closeOnExec } = state.descriptors.get(text.descriptor) ?? fail('ENOENT');
  return descriptorText(system, file, closeOnExec);
}

/** Of a process that has ended while nobody has waited for it: it has nothing any more but its name and its parent. */
function endedText({ id, parent, group, session }: Process, name: string, about: string): string {
  switch (about) {
    case 'stat':
      return `${id} (${name}) Z ${parent} ${group} ${session} 0 -1${' 0'.repeat(44)}\n`;
    case 'statm':
      return '0 0 0 0 0 0 0\n';
    case 'comm':
      return `${name}\n`;
    case 'status':
      return `Name:\t${name}
State:\tZ (zombie)
Tgid:\t${id}
Ngid:\t0
Pid:\t${id}
PPid:\t${parent}
TracerPid:\t0
${IDENTITY}FDSize:\t0
Groups:\t${GROUP_ID}
Threads:\t1
`;
    default:
      return '';
  }
}

/** proc(5): 52 fields. Those that would need more than the guest's own state are 0. */
function statLine(system: System, state: KernelState, thread: number | undefined): string {
  const { process, break: programBreak, breakStart, threads } = state;
  const { pending, blocked, ignored, caught } = signalSets(state, thread);
  const fields: (string | number | bigint)[] = new Array(52).fill(0);
  fields[0] = thread ?? process.id;
  fields[1] = `(${nameOf(state, thread)})`;
  fields[2] = letterOf(system, state);
  fields[3] = process.parent;
  fields[4] = process.group;
  fields[5] = process.session;
  const terminal = controllingTerminal(system.state.shared, process)?.terminal;
  // 136:N, and the group in its foreground.
  fields[6] = terminal === undefined ? 0 : 136 * 256 + terminal.number;
  fields[7] = terminal?.foreground ?? -1;
  fields[17] = 20;
  fields[19] = threads.size;
  fields[22] = pages(state) * PAGE_SIZE;
  fields[23] = residentPages(system, state);
  fields[24] = '18446744073709551615';
  fields[27] = state.program.stackStart;
  [pending, blocked, ignored, caught].forEach((set, i) => {
    // The low half of them: proc(5) calls these obsolete.
    fields[30 + i] = set & 0x7fff_ffffn;
  });
  fields[37] = process.exitSignal === 0 ? 17 : process.exitSignal;
  fields[46] = breakStart === 0 ? programBreak : breakStart;
  return `${fields.join(' ')}\n`;
}

const STATES = { R: 'R (running)', S: 'S (sleeping)', T: 'T (stopped)' } as const;

/** Who asks runs; nobody else does meanwhile. */
function letterOf(system: System, { process }: KernelState): keyof typeof STATES {
  if (process.stoppedBy !== undefined) return 'T';
  return process === system.state.process ? 'R' : 'S';
}

interface SignalSets {
  readonly pending: bigint;
  /** Of the process, for whichever thread. */
  readonly shared: bigint;
  readonly blocked: bigint;
  readonly ignored: bigint;
  readonly caught: bigint;
}

function signalSets(state: KernelState, thread = state.process.id): SignalSets {
  const found = state.threads.get(thread);
  const { signals } = found === undefined ? state : signalsOf(state, found);
  const setOf = (infos: readonly { readonly signal: number }[]) =>
    infos.reduce((set, { signal }) => set | signalBit(signal), 0n);
  const having = (is: (handler: bigint) => boolean) =>
    setOf([...signals.actions].flatMap(([signal, { handler }]) => (is(handler) ? [{ signal }] : [])));
  return {
    pending: setOf(signals.pending),
    shared: setOf(signals.unclaimed),
    blocked: signals.blocked,
    ignored: having((handler) => handler === 1n),
    caught: having((handler) => handler > 1n),
  };
}

const IDENTITY = `Uid:\t${USER_ID}\t${USER_ID}\t${USER_ID}\t${USER_ID}
Gid:\t${GROUP_ID}\t${GROUP_ID}\t${GROUP_ID}\t${GROUP_ID}
`;

function status(system: System, state: KernelState, thread: number | undefined): string {
  const size = pages(state) * 4;
  const resident = residentPages(system, state) * 4;
  const { pending, shared, blocked, ignored, caught } = signalSets(state, thread);
  const set = (bits: bigint): string => bits.toString(16).padStart(16, '0');
  return `Name:\t${nameOf(state, thread)}
Umask:\t${state.paths.umask.toString(8).padStart(4, '0')}
State:\t${STATES[letterOf(system, state)]}
Tgid:\t${state.process.id}
Ngid:\t0
Pid:\t${thread ?? state.process.id}
PPid:\t${state.process.parent}
TracerPid:\t0
${IDENTITY}FDSize:\t64
Groups:\t${GROUP_ID}
VmPeak:\t${size} kB
VmSize:\t${size} kB
VmLck:\t0 kB
VmPin:\t0 kB
VmHWM:\t${resident} kB
VmRSS:\t${resident} kB
Threads:\t${state.threads.size}
SigQ:\t0/4096
SigPnd:\t${set(pending)}
ShdPnd:\t${set(shared)}
SigBlk:\t${set(blocked)}
SigIgn:\t${set(ignored)}
SigCgt:\t${set(caught)}
CapInh:\t${set(0n)}
CapPrm:\t${set(0n)}
CapEff:\t${set(0n)}
CapBnd:\t${set(0n)}
CapAmb:\t${set(0n)}
NoNewPrivs:\t${state.controls.hasNoNewPrivileges}
Seccomp:\t${state.sandbox.filters.length > 0 ? 2 : 0}
Cpus_allowed:\t1
Cpus_allowed_list:\t0
Mems_allowed:\t1
Mems_allowed_list:\t0
voluntary_ctxt_switches:\t0
nonvoluntary_ctxt_switches:\t0
`;
}
