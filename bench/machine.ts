import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { NODE } from './tools.ts';

export type Machine = readonly (readonly [what: string, value: string])[];

function caches(): string {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const read = (index: string, file: string): string =>
    readFileSync(`${folder}/${index}/${file}`, 'utf8').trim();
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('index'))
      .map((index) => {
        const kind = { Data: 'd', Instruction: 'i' }[read(index, 'type')] ?? '';
        return `L${read(index, 'level')}${kind} ${read(index, 'size')}`;
      })
      .join(', ');
  } catch {
    return 'not told by the kernel';
  }
}

function system(): string {
  const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  return `${name ?? 'Linux'}, kernel ${release()}`;
}

function version(program: string): string {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : 'not installed';
}

/** What the figures depend on besides the programs. The load tells whether anything else was running at the start. */
export function machine(): Machine {
  const processors = cpus();
  return [
    ['processor', processors[0]?.model.trim() ?? 'unknown'],
    ['cores', String(processors.length)],
    ['caches', caches()],
    ['memory', `${(totalmem() / 2 ** 30).toFixed(0)} GB`],
    ['system', system()],
    ['Node', version(NODE)],
    ['valgrind', version('valgrind')],
    ['qemu', version('qemu-x86_64')],
    ['gcc', version('gcc')],
    ['load at the start', loadavg()[0].toFixed(2)],
  ];
}
