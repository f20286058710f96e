import { builtInMachine, MACHINE_NAMES } from '../machines/catalog.ts';
import type { Machine } from '../machines/machine.ts';
import { machineNamed } from '../pipeline/machine.ts';
import type { CliPorts } from './ports.ts';

/** Lists the machines, or explains one. */
export async function machinesCommand(name: string | undefined, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  terminal.stdout(
    name === undefined ? await list() : explain(await machineNamed(name, workingDirectory, files)),
  );
  return 0;
}

async function list(): Promise<string> {
  const rows: string[] = [];
  for (const name of MACHINE_NAMES) rows.push(`  ${name.padEnd(16)}${(await builtInMachine(name)).title}`);
  return `${rows.join('\n')}\n`;
}

function explain(machine: Machine): string {
  const {
    issue,
    predecode,
    decode,
    uopCache,
    loopBuffer,
    window,
    memory,
    rename,
    fusion,
    mispredict,
    flops,
  } = machine;
  const rows: [name: string, value: string, source: string][] = [
    ['issue', `${issue.width} micro-operations a cycle, ${issue.retire} retired`, issue.source],
    [
      'predecode',
      `${predecode.bytes} bytes, ${predecode.width} instructions; length-changing prefix ${predecode.lengthChangingPenalty} cycles`,
      predecode.source,
    ],
    ['decode', `${decode.decoders} decoders, queue of ${decode.queue}`, decode.source],
    ['decoded cache', `${uopCache.uops} micro-operations, ${uopCache.width} a cycle`, uopCache.source],
    [
      'loop buffer',
      loopBuffer.uops === 0 ? 'none' : `${loopBuffer.uops} micro-operations`,
      loopBuffer.source,
    ],
    [
      'window',
      `reorder buffer ${window.reorder}, scheduler ${window.scheduler}, loads ${window.loads}, stores ${window.stores}`,
      window.source,
    ],
    [
      'ports',
      machine.ports.split('').join(' '),
      `add: ${machine.needsOf('add r64,r64')?.compute.join(' ') ?? '-'}`,
    ],
    [
      'load',
      `ports ${memory.load}, ${memory.loadLatency.join(', ')} cycles (general, vector, wide)`,
      memory.source,
    ],
    [
      'store',
      `address ${memory.storeAddress}, data ${memory.storeData}; forwarded in ${memory.forward}, held up ${memory.blocked}`,
      '',
    ],
    ['eliminated moves', moves(rename.moveElimination), rename.moveElimination.source],
    [
      'stack engine',
      rename.stackEngine.syncPorts === undefined
        ? 'without correction'
        : `corrected on ports ${rename.stackEngine.syncPorts}`,
      rename.stackEngine.source,
    ],
    ['zeroing idioms', [...rename.zeroIdioms].join(' '), rename.source],
    [
      'fusion',
      `with branches: ${fusion.macro}; of memory: ${fusion.micro}; indexed come apart: ${fusion.unlaminate}`,
      fusion.source,
    ],
    [
      'caches',
      machine.caches
        .map(({ level, bytes, latency }) => `L${level} ${bytes / 1024} KiB ${latency} cycles`)
        .join(', '),
      '',
    ],
    ['misprediction', `${mispredict.cycles} cycles`, mispredict.source],
    ['peak', `${flops.double} double, ${flops.single} single precision operations a cycle`, flops.source],
    ['instructions', `${machine.formCount} forms`, machine.tableNote],
  ];
  const lines = rows.map(
    ([name, value, source]) =>
      `  ${name.padEnd(18)}${value}${source === '' ? '' : `\n${' '.repeat(20)}[${source}]`}`,
  );
  const sources = Object.entries(machine.sources).map(([name, text]) => `  ${name.padEnd(12)}${text}`);
  return `${machine.name}: ${machine.title}\n\n${lines.join('\n')}\n\nSources\n${sources.join('\n')}\n`;
}

function moves({ general, vector }: Machine['rename']['moveElimination']): string {
  const word = (limit: number | undefined): string =>
    limit === undefined ? 'none' : limit === 0 ? 'all' : `${limit} at a time`;
  return `general registers: ${word(general)}; vector registers: ${word(vector)}`;
}
