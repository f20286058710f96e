import { PHASES, type Phase } from '../../translate/instruments.ts';
import type { EngineStatistics, PassStatistics } from './statistics.ts';

const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  load: 'loading the program',
  decode: 'decoding for the interpreter',
  handlers: 'making handlers',
  lift: 'finding and lifting regions',
  plan: 'planning their steps',
  emit: 'emitting them',
  compile: 'compiling them',
  system: 'services and system calls',
  sweep: 'looking for quiet pages',
  run: 'running, with all else',
};

/** A page of text for each pass. */
export function printStatistics({ passes }: EngineStatistics): string {
  return passes.map((pass, i) => printPass(pass, `pass ${i + 1} of ${passes.length}`)).join('\n');
}

function printPass(pass: PassStatistics, title: string): string {
  const { instructions, interpreted, code, phases, memory } = pass;
  const ofAll = (count: number) => percent(count, instructions);
  const rows: Row[] = [
    ['instructions executed', instructions],
    ['  in the interpreter', interpreted, ofAll(interpreted)],
    ['  in regions', instructions - interpreted, ofAll(instructions - interpreted)],
    ['code interpreted: instructions', code.interpreted],
    ['  blocks', code.blocks],
    ['  handlers made', code.handlers],
    ['  bytes of WebAssembly', code.handlerBytes],
    ['code translated: instructions', code.regionInstructions],
    ['  regions made', code.regions],
    ['  of them anew', code.anew],
    ['  forgotten', code.forgotten],
    ['  put back', code.restored],
    ['  bytes of WebAssembly', code.regionBytes],
    ['pages mapped', memory.mapped],
    ['  touched', memory.touched],
    ['  with steps', memory.shadow],
    ['  with steps of bytes', memory.bytes],
    ['  with tables of them', memory.tables],
  ];
  const time = PHASES.reduce((sum, phase) => sum + (phases[phase] ?? 0), 0);
  rows.push(['milliseconds', Math.round(time)]);
  for (const phase of PHASES) {
    const spent = phases[phase] ?? 0;
    rows.push([`  ${PHASE_WORDS[phase]}`, Math.round(spent), percent(spent, time)]);
  }
  return [`${title}: ${pass.what}`, ...columns([...rows, ...countRows(pass)]), ''].join('\n');
}

/** The counts by group, the most frequent first. */
function countRows({ counts }: PassStatistics): Row[] {
  const groups = new Map<string, [string, number][]>();
  for (const [name, count] of Object.entries(counts)) {
    const [group, what] = name.split(': ');
    groups.set(group, [...(groups.get(group) ?? []), [what, count]]);
  }
  return [...groups].flatMap(([group, found]): Row[] => {
    const total = found.reduce((sum, [, count]) => sum + count, 0);
    const rows = found.sort((a, b) => b[1] - a[1]).map(([what, count]): Row => [`  ${what}`, count]);
    return [[group, total], ...rows];
  });
}

type Row = readonly [what: string, count: number, share?: string];

function columns(rows: readonly Row[]): string[] {
  const name = Math.max(...rows.map(([what]) => what.length));
  const count = Math.max(...rows.map(([, value]) => String(value).length));
  return rows.map(([what, value, share]) =>
    `  ${what.padEnd(name)}  ${String(value).padStart(count)}  ${share ?? ''}`.trimEnd(),
  );
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
