import { EXECUTE, READ, WRITE } from '../../guest/memory.ts';
import { monotonicTime } from '../clock.ts';
import type { KernelState, Region } from '../state.ts';
import type { System } from '../system.ts';
import { GROUP_ID, USER_ID } from './initial.ts';
import type { SelfText } from './node.ts';
import { inodeOf } from './tree.ts';

/** /proc/uptime. */
export function uptimeText(system: System): string {
  const centiseconds = monotonicTime(system) / 10_000_000n;
  return `${centiseconds / 100n}.${String(centiseconds % 100n).padStart(2, '0')} 0.00\n`;
}

/** What /proc/PID says of a process, as a byte string. */
export function selfText(system: System, about: SelfText, state: KernelState): string {
  switch (about) {
    case 'maps':
      return state.regions.map((region) => mapsLine(system, region)).join('') + VSYSCALL;
    case 'cmdline':
      return state.program.argumentBytes;
    case 'environ':
      return state.program.environmentBytes;
    case 'comm':
      return `${state.program.name}\n`;
    case 'stat':
      return statLine(state);
    case 'statm':
      return `${pages(state)} ${pages(state)} 0 0 0 0 0\n`;
    case 'status':
      return status(state);
  }
}

/** Linux's last line, whatever is mapped: programs that look for room look for it between two lines. */
const VSYSCALL = `${'ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 '.padEnd(73)}[vsyscall]\n`;

function mapsLine(system: System, region: Region): string {
  const { start, end, protection, shared, offset, file, label } = region;
  const letter = (bit: number, name: string) => ((protection & bit) === 0 ? '-' : name);
  const access = letter(READ, 'r') + letter(WRITE, 'w') + letter(EXECUTE, 'x') + (shared ? 's' : 'p');
  const inode = file === undefined ? 0 : inodeOf(system, file);
  const device = file === undefined ? '00:00' : '08:01';
  const line = `${hex(start)}-${hex(end)} ${access} ${hex(offset)} ${device} ${inode} `;
  // fs/proc/task_mmu.c pads to column 73 before a name.
  return label === '' ? `${line}\n` : `${line.padEnd(73)}${label}\n`;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

function pages(state: KernelState): number {
  return state.regions.reduce((sum, region) => sum + (region.end - region.start) / 4096, 0);
}

/** proc(5): 52 fields. Those that would need more than the guest's own state are 0. */
function statLine(state: KernelState): string {
  const { program, process, break: programBreak } = state;
  const fields: (string | number)[] = new Array(52).fill(0);
  fields[0] = process.id;
  fields[1] = `(${program.name})`;
  fields[2] = 'R';
  fields[3] = process.parent;
  fields[4] = process.group;
  fields[5] = process.session;
  fields[7] = -1;
  fields[17] = 20;
  fields[19] = 1;
  fields[22] = pages(state) * 4096;
  fields[23] = pages(state);
  fields[46] = programBreak;
  return `${fields.join(' ')}\n`;
}

function status(state: KernelState): string {
  const size = pages(state) * 4;
  return `Name:\t${state.program.name}
Umask:\t${state.umask.toString(8).padStart(4, '0')}
State:\tR (running)
Tgid:\t${state.process.id}
Pid:\t${state.process.id}
PPid:\t${state.process.parent}
TracerPid:\t0
Uid:\t${USER_ID}\t${USER_ID}\t${USER_ID}\t${USER_ID}
Gid:\t${GROUP_ID}\t${GROUP_ID}\t${GROUP_ID}\t${GROUP_ID}
FDSize:\t64
Groups:\t${GROUP_ID}
VmPeak:\t${size} kB
VmSize:\t${size} kB
VmRSS:\t${size} kB
Threads:\t1
Cpus_allowed:\t1
Cpus_allowed_list:\t0
`;
}
