import { builtInMachine, KSR1, ksr1, MACHINE_NAMES } from '../machines/catalog.ts';
import type { Machine } from '../machines/machine.ts';
import type { KsrMachine } from '../machines/schema.ts';
import { machineNamed } from '../pipeline/machine.ts';
import type { CliPorts } from './ports.ts';

/** Lists the machines, or explains one. */
export async function machinesCommand(name: string | undefined, ports: CliPorts): Promise<number> {
  const { files, workingDirectory, terminal } = ports;
  const text = async (): Promise<string> => {
    if (name === undefined) return list();
    if (name === KSR1) return explainKsr(await ksr1());
    return explain(await machineNamed(name, workingDirectory, files));
  };
  terminal.stdout(await text());
  return 0;
}

async function list(): Promise<string> {
  const row = (name: string, title: string): string => `  ${name.padEnd(16)}${title}`;
  const rows: string[] = [];
  for (const name of MACHINE_NAMES) rows.push(row(name, (await builtInMachine(name)).title));
  rows.push(row(KSR1, (await ksr1()).title));
  return `${rows.join('\n')}\n`;
}

type Row = readonly [name: string, value: string, source: string];

function explain(machine: Machine): string {
  const { issue, predecode, decode, uopCache, loopBuffer, window, memory, rename, fusion } = machine;
  const { mispredict, flops, caches } = machine;
  const { syncPorts } = rename.stackEngine;
  const rows: Row[] = [
    ['issue', `${issue.width} micro-operations a cycle, ${issue.retire} retired`, issue.source],
    [
      'predecode',
      `${predecode.bytes} bytes, ${predecode.width} instructions; length-changing prefix ${predecode.lengthChangingPenalty} cycles`,
      predecode.source,
    ],
    ['decode', `${decode.decoders} decoders, queue of ${decode.queue}`, decode.source],
    [
      'decoded cache',
      `${uopCache.uops} micro-operations, ${uopCache.width} a cycle${uopCache.lines === undefined ? '' : `, ${uopCache.lines.entry} in an entry of a line of ${uopCache.lines.bytes} bytes`}`,
      uopCache.source,
    ],
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
    ['ports', [...machine.ports].join(' '), ''],
    [
      'load',
      `ports ${memory.load}, ${memory.loadLatency.join(', ')} cycles (general, vector, wide)`,
      memory.source,
    ],
    [
      'store',
      `address ${memory.storeAddress}, data ${memory.storeData}; forwarded in ${memory.forward}, held up ${memory.blocked}`,
      memory.source,
    ],
    ['eliminated moves', moves(rename.moveElimination), rename.moveElimination.source],
    [
      'stack engine',
      syncPorts === undefined ? 'without correction' : `corrected on ports ${syncPorts}`,
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
      caches.map(({ level, bytes, latency }) => `L${level} ${bytes / 1024} KiB ${latency} cycles`).join(', '),
      caches[0]?.source ?? '',
    ],
    ['misprediction', `${mispredict.cycles} cycles`, mispredict.source],
    ['peak', `${flops.double} double, ${flops.single} single precision operations a cycle`, flops.source],
    ['instructions', `${machine.formCount} forms`, machine.tableNote],
  ];
  return `${printed(machine, rows, machine.sources)}\n${byHand(machine.byHand)}`;
}

/** Sources that are measurements of our own begin with this. */
const MEASURED = /^measured\b/;

function byHand(rows: Machine['byHand']): string {
  if (rows.length === 0) return 'No row of the table is corrected by hand.\n';
  const checked = rows.filter(({ source }) => MEASURED.test(source)).length;
  const others = checked === 0 ? 'None of them was' : `${checked} of ${rows.length} were`;
  const lines = rows.map(
    ({ match, source }) =>
      `  ${match.padEnd(48)} ${source}${MEASURED.test(source) ? '' : ' (as published, not checked on hardware)'}`,
  );
  return `Rows of the table corrected by hand; of several that fit the last one holds. ${others} checked on hardware.\n${lines.join('\n')}\n`;
}

function moves({ general, vector }: Machine['rename']['moveElimination']): string {
  const word = (limit: number | undefined): string => {
    if (limit === undefined) return 'none';
    return limit === 0 ? 'all' : `${limit} at a time`;
  };
  return `general registers: ${word(general)}; vector registers: ${word(vector)}`;
}

function explainKsr(machine: KsrMachine): string {
  const { clock, issue, floatingPoint, memory, latency, conflict, branch, registers, caches, sources } =
    machine;
  const rows: Row[] = [
    ['clock', `${clock.megahertz} MHz`, clock.source],
    [
      'issue',
      `${issue.sides.map((side) => side.join('/')).join(' and ')}, ${issue.perSide} each a cycle`,
      issue.source,
    ],
    [
      'floating point',
      `${floatingPoint.operations} instruction a cycle; ${floatingPoint.triads} triads of ${floatingPoint.operationsOfTriad} operations`,
      floatingPoint.source,
    ],
    ['memory', `${memory.accesses} access a cycle`, memory.source],
    [
      'latency',
      `load ${latency.load}, floating point ${latency.floatingPoint}, integer ${latency.integer}, address ${latency.address}, move between the sides ${latency.move} cycles`,
      latency.source,
    ],
    ['conflict', `${conflict.between.join(' and ')} on ${conflict.port}`, conflict.source],
    ['branch', `${branch.delaySlots} delay slots`, branch.source],
    [
      'registers',
      `${registers.floatingPoint} floating-point, ${registers.integer} integer, ${registers.address} address, ${registers.input} input`,
      registers.source,
    ],
    ...caches.map(
      ({ name, bytes, cycles, source }): Row => [
        name,
        `${bytes / 1024} KiB, ${cycles[0]} to ${cycles[1]} cycles`,
        source,
      ],
    ),
  ];
  return printed(machine, rows, sources);
}

function printed(
  { name, title }: { readonly name: string; readonly title: string },
  rows: readonly Row[],
  sources: Readonly<Record<string, string>>,
): string {
  const lines = rows.map(
    ([label, value, source]) =>
      `  ${label.padEnd(26)}${value}${source === '' ? '' : `\n${' '.repeat(28)}[${source}]`}`,
  );
  const list = Object.entries(sources).map(([label, text]) => `  ${label.padEnd(12)}${text}`);
  return `${name}: ${title}\n\n${lines.join('\n')}\n\nSources\n${list.join('\n')}\n`;
}
