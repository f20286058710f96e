import { EXECUTE, READ, WRITE } from '../../guest/memory.ts';
import { monotonicTime } from '../clock.ts';
import type { Region } from '../state.ts';
import type { System } from '../system.ts';
import { GROUP_ID, PARENT_ID, PROCESS_ID, USER_ID } from './initial.ts';
import type { SelfText } from './node.ts';
import { inodeOf } from './tree.ts';

/** What /proc/self says of the guest's process, as a byte string. */
export function selfText(system: System, about: SelfText): string {
  const { state } = system;
  switch (about) {
    case 'maps':
      return state.regions.map((region) => mapsLine(system, region)).join('');
    case 'cmdline':
      return state.program.argumentBytes;
    case 'environ':
      return state.program.environmentBytes;
    case 'comm':
      return `${state.program.name}\n`;
    case 'stat':
      return statLine(system);
    case 'statm':
      return `${pages(system)} ${pages(system)} 0 0 0 0 0\n`;
    case 'status':
      return status(system);
    case 'uptime': {
      const centiseconds = monotonicTime(system) / 10_000_000n;
      return `${centiseconds / 100n}.${String(centiseconds % 100n).padStart(2, '0')} 0.00\n`;
    }
  }
}

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

function pages(system: System): number {
  return system.state.regions.reduce((sum, region) => sum + (region.end - region.start) / 4096, 0);
}

/** proc(5): 52 fields. Those that would need more than the guest's own state are 0. */
function statLine(system: System): string {
  const { program, break: programBreak } = system.state;
  const fields: (string | number)[] = new Array(52).fill(0);
  fields[0] = PROCESS_ID;
  fields[1] = `(${program.name})`;
  fields[2] = 'R';
  fields[3] = PARENT_ID;
  fields[4] = PROCESS_ID;
  fields[5] = PARENT_ID;
  fields[7] = -1;
  fields[17] = 20;
  fields[19] = 1;
  fields[22] = pages(system) * 4096;
  fields[23] = pages(system);
  fields[46] = programBreak;
  return `${fields.join(' ')}\n`;
}

function status(system: System): string {
  const size = pages(system) * 4;
  return `Name:\t${system.state.program.name}
Umask:\t${system.state.umask.toString(8).padStart(4, '0')}
State:\tR (running)
Tgid:\t${PROCESS_ID}
Pid:\t${PROCESS_ID}
PPid:\t${PARENT_ID}
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
