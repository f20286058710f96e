import { countsWith } from '../analysis/loops/bounds.ts';
import { describeLoops, unacceptableLoops } from '../analysis/loops/describe.ts';
import { findLoops } from '../analysis/loops/find.ts';
import { type LineKnowledge, linesOfAll, type Position } from '../analysis/loops/lines.ts';
import type { MachineLoop } from '../analysis/loops/machine-loop.ts';
import { Places } from '../analysis/places.ts';
import { type ExecutedCode, executedCode } from '../analysis/run/executed.ts';
import { type LoopSource, loopProfile, type RunLoop } from '../analysis/run/loop-profile.ts';
import { type LoopRun, loopRun } from '../analysis/run/loop-run.ts';
import { LEAST_SAMPLES, median, sampledCode } from '../analysis/run/measured.ts';
import { type BoundedLoop, parallelBounds } from '../analysis/run/parallel.ts';
import { mayPassThroughMemory, sampledMemory, sampleRequest } from '../analysis/run/samples.ts';
import { anchorOf, areaWeights, sourceLoopFor } from '../analysis/run/source-match.ts';
import type { IsaLevel } from '../base/isa-level.ts';
import { FunctionNames } from '../elf/names.ts';
import type { Machine } from '../machines/machine.ts';
import type { LoopProfile, RunBounds } from '../profile/loops.ts';
import { languageOf, sourceLoops } from '../source/analyse.ts';
import type { LoopDemand } from '../source/demand.ts';
import type { AnalyseLoops, CountedRun } from './counted-run.ts';
import { headersOf } from './headers.ts';
import { machineNamed } from './machine.ts';
import type { RunBoundsPorts } from './ports.ts';

/** Loops that carry less of the executed instructions are left out, and so are more than so many. */
const NOTABLE = 0.001;
const MOST_LOOPS = 500;
const MOST_SAMPLED = 200;

/** Bounds the loops of a run for the machine that its request names. */
export function boundLoopsWith(ports: RunBoundsPorts): AnalyseLoops {
  return async (run) => {
    const { request } = run;
    if (request.bounds === undefined) return {};
    const { machine: name, isa, functions } = request.bounds;
    const machine = await machineNamed(name, request.workingDirectory, ports.files);
    const places = new Places(run.observation.modules, run.images, request.sourceRoot, ports.imageTools);
    const names = new FunctionNames(ports.imageTools.demangle);
    const found = loopsOf(run, places, names, functions);
    const chosen = choose(found);
    const memory = sample(chosen, run);
    const sources = await sourcesOf(chosen, run, ports);
    const measured = measuredBy(run, ports);
    return summed(
      chosen.map((each): RunLoop & FoundLoop => ({
        ...each,
        line: each.knowledge.line,
        memory: memory.get(each),
        measured: measured?.cycles(each),
        ...sources(each),
      })),
      machine,
      isa,
      run,
      measured?.total,
      (address) => places.coveringName(address),
    );
  };
}

interface FoundLoop {
  readonly loop: MachineLoop;
  readonly run: LoopRun;
  readonly function: string;
  readonly address: string;
  readonly lines: RunLoop['lines'];
  readonly nameOf: RunLoop['nameOf'];
  /** The loops inside it. */
  readonly inner: readonly MachineLoop[];
  readonly anchor: Position | undefined;
  /** What a guest address has more than the image's. */
  readonly base: number;
  /** Of the program: code in a header of a C++ program is C++. */
  readonly isCxx: boolean;
  /** Asked for by name: bounded however little it does. */
  readonly isNamed: boolean;
  readonly knowledge: LineKnowledge;
}

/** Every loop of the functions that do a notable part of the work. */
function loopsOf(
  { observation, images, note }: CountedRun,
  places: Places,
  names: FunctionNames,
  functions: readonly string[],
): readonly FoundLoop[] {
  const total = observation.run.instructions;
  let inModules = 0;
  let odd = 0;
  const found = observation.modules.flatMap(({ base, start, end }, i) => {
    const image = images[i];
    const executed = executedCode(observation.executions, base);
    inModules += executed.within(start - base, end - base);
    const named = new Set(
      image.functions.flatMap(({ name, address }) =>
        functions.some((wanted) => name !== undefined && names.means(wanted, name)) ? [address] : [],
      ),
    );
    const code = findLoops(
      image,
      new Map(),
      names,
      (each) => named.has(each.start) || executed.within(each.start, each.end) >= total * NOTABLE,
      (address) => executed.jumps(address).map(({ target }) => target),
    );
    const knowledge: LineKnowledge = {
      line: (address) => places.line(address + base),
      declaration: (address) => places.declaration(address + base),
    };
    const nameOf = (address: number): string => places.address(address + base);
    const isCxx = image.functions.some(({ name }) => name?.startsWith('_Z'));
    return code.functions.flatMap((looped) => {
      const own = describeLoops(looped, code.bytes, code.callees, nameOf);
      odd += instructionsIn(unacceptableLoops(looped, nameOf), looped, executed);
      const isNamed = named.has(looped.code.start);
      const runs = runsOf(own, executed).filter(({ run }) => isNamed || run.instructions >= total * NOTABLE);
      if (runs.length === 0) return [];
      const lines = linesOfAll(own, knowledge);
      const name = places.coveringName(looped.code.start + base);
      return runs.map(({ at, run, inner }): FoundLoop => {
        const loop = own[at];
        return {
          loop,
          run,
          function: name ?? loop.function,
          address: nameOf(loop.address),
          lines: lines[at],
          anchor: anchorOf(loop, knowledge),
          inner,
          base,
          isCxx,
          isNamed,
          knowledge,
          nameOf: code.callees.nameOf,
        };
      });
    });
  });
  const generated = (total - inModules) / total;
  if (generated >= NOTABLE)
    note(
      `${percent(generated)} of the instructions are in code that is in no file (made while the program ran): it has no bounds`,
    );
  if (odd / total >= NOTABLE)
    note(
      `${percent(odd / total)} of the instructions are in cycles with several entries, which have no bounds`,
    );
  return found;
}

/** The loops that were executed, which are given in front of those inside them. */
function runsOf(
  loops: readonly MachineLoop[],
  executed: ExecutedCode,
): readonly { readonly at: number; readonly run: LoopRun; readonly inner: readonly MachineLoop[] }[] {
  return loops.flatMap((loop, at) => {
    const inner: MachineLoop[] = [];
    for (let i = at + 1; i < loops.length && loops[i].depth > loop.depth; i++) inner.push(loops[i]);
    const run = loopRun(loop, inner, executed);
    return run === undefined ? [] : [{ at, run, inner }];
  });
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Executed in cycles that have several entries. */
function instructionsIn(
  unacceptable: ReturnType<typeof unacceptableLoops>,
  { graph }: Parameters<typeof unacceptableLoops>[0],
  executed: ExecutedCode,
): number {
  const blocks = new Set(unacceptable.flatMap((each) => each.blocks));
  return graph.starts.reduce(
    (sum, start, i) => sum + (blocks.has(start) ? executed.within(start, graph.ends[i]) : 0),
    0,
  );
}

/** The heaviest first. */
function choose(found: readonly FoundLoop[]): readonly FoundLoop[] {
  return [...found]
    .sort((a, b) => b.run.instructions - a.run.instructions || compare(a.address, b.address))
    .filter(({ isNamed }, i) => isNamed || i < MOST_LOOPS);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Runs the program once more, where any loop's own code stores and loads. */
function sample(
  chosen: readonly FoundLoop[],
  { trace }: CountedRun,
): ReadonlyMap<FoundLoop, RunLoop['memory']> {
  const memory = new Map<FoundLoop, RunLoop['memory']>();
  const innermost = chosen.filter(({ loop }) => loop.innermost);
  for (const each of innermost) if (!mayPassThroughMemory(each.loop)) memory.set(each, []);
  const sampled = innermost.filter((each) => !memory.has(each)).slice(0, MOST_SAMPLED);
  if (sampled.length === 0) return memory;
  const traces = trace(sampled.map(({ loop, run, base }) => sampleRequest(loop, run, base)));
  sampled.forEach((each, i) => {
    memory.set(each, sampledMemory(traces[i], each.base));
  });
  return memory;
}

/** What the machine itself takes: the middle one of its runs, of each loop by itself. */
function measuredBy(
  { request, observation, images, note }: CountedRun,
  { sampleCycles }: RunBoundsPorts,
): { readonly total: number; cycles(loop: FoundLoop): number | undefined } | undefined {
  const { hardwareRuns } = request.bounds!;
  if (hardwareRuns === undefined) return undefined;
  const { modules } = observation;
  const runs = sampleCycles({ ...request, modules: modules.map(({ path }) => path), runs: hardwareRuns });
  const sampled = runs.map((run) => run.modules.map((file, i) => sampledCode(file, images[i].segments)));
  const total = median(runs.map(({ cycles }) => cycles));
  note(
    `measured with perf on this machine, the median of ${hardwareRuns === 1 ? 'one run' : `${hardwareRuns} runs`}: ${Math.round(total)} cycles in all; another machine measures something else`,
  );
  return {
    total,
    cycles({ loop, base }) {
      const at = modules.findIndex((module) => module.base === base);
      const found = sampled.map((files) => files[at].within(loop));
      if (found.some(({ samples }) => samples < LEAST_SAMPLES)) return undefined;
      return median(found.map(({ cycles }) => cycles));
    },
  };
}

interface SourceFile {
  readonly demands: readonly LoopDemand[];
  readonly lineCount: number;
}

/** Reads the sources that the loops come from, and tells for each loop which of their loops it is, or why none. */
async function sourcesOf(
  chosen: readonly FoundLoop[],
  { request }: CountedRun,
  { readSource, readGrammar }: RunBoundsPorts,
): Promise<
  (each: FoundLoop) => { readonly source: LoopSource | undefined; readonly notes: readonly string[] }
> {
  const files = new Map<string, SourceFile | undefined>();
  for (const { anchor, isCxx } of chosen) {
    if (anchor === undefined || files.has(anchor.file)) continue;
    files.set(anchor.file, await readFile(anchor.file, isCxx));
  }
  async function readFile(file: string, isCxx: boolean): Promise<SourceFile | undefined> {
    const language = languageOf(file);
    // What lies outside of the source root has an absolute path, or leads upwards.
    if (language === undefined || file.startsWith('/') || file.split('/').includes('..')) return undefined;
    const text = readSource(request.sourceRoot, file);
    if (text === undefined) return undefined;
    const spoken = language === 'c' && isCxx && /\.h$/i.test(file) ? 'c++' : language;
    const readHeader = headersOf(file, '', (path) => readSource(request.sourceRoot, path));
    const { loops } = await sourceLoops(text, spoken, readGrammar, { readHeader, defines: [] });
    return { demands: loops, lineCount: text.split('\n').length };
  }
  const matches = new Map<FoundLoop, LoopDemand>();
  // From the inside out.
  for (const each of [...chosen].sort((a, b) => b.loop.depth - a.loop.depth)) {
    const file = each.anchor && files.get(each.anchor.file);
    if (each.anchor === undefined || file === undefined) continue;
    const inner = chosen.flatMap((other) =>
      other.base === each.base && each.inner.includes(other.loop) ? (matches.get(other) ?? []) : [],
    );
    const match = sourceLoopFor(
      each.loop.innermost,
      each.anchor,
      inner,
      file.demands,
      countsWith(each.loop, each.run.weights),
    );
    if (match !== undefined) matches.set(each, match);
  }
  const copies = new Map<LoopDemand, number>();
  for (const match of matches.values()) copies.set(match, (copies.get(match) ?? 0) + 1);
  return (each) => {
    const demand = matches.get(each);
    if (demand === undefined || (each.loop.innermost && !demand.innermost))
      return { source: undefined, notes: [whyNone(each, demand, files)] };
    return {
      source: {
        demand,
        weigh: areaWeights(demand, each.loop, each.run, each.anchor!.file, each.knowledge),
        isOnly: copies.get(demand) === 1,
      },
      notes: [],
    };
  };
}

function whyNone(
  { anchor }: FoundLoop,
  demand: LoopDemand | undefined,
  files: ReadonlyMap<string, SourceFile | undefined>,
): string {
  const unknown = 'M and MA are not known';
  if (anchor === undefined) return `${unknown}: its code has no source lines`;
  const { file, line } = anchor;
  const read = files.get(file);
  if (read === undefined)
    return languageOf(file) === undefined
      ? `${unknown}: ${file} is no source of C, C++ or Fortran`
      : `${unknown}: ${file} is not in the directory of the sources`;
  if (line > read.lineCount)
    return `${unknown}: ${file} ends before line ${line}, so it was changed after the program was built`;
  if (demand !== undefined)
    return `${unknown}: the loop of line ${demand.line} holds others in the source that were unrolled or replaced`;
  return `${unknown}: no loop was found in the source around ${file}:${line}`;
}

/** The whole run: what is in no loop with bounds takes at least its instructions over the width of issue. */
function summed(
  loops: readonly (RunLoop & FoundLoop)[],
  machine: Machine,
  isa: IsaLevel,
  { observation, note, divide }: CountedRun,
  measured: number | undefined,
  nameOf: (address: number) => string | undefined,
): ReturnType<typeof result> {
  const { instructions } = observation.run;
  const bounded: BoundedLoop[] = [];
  let covered = 0;
  let tooLong = 0;
  for (const each of loops) {
    const profile = loopProfile(each, machine, isa);
    if (profile === undefined) {
      tooLong++;
      continue;
    }
    bounded.push({ ...each, profile });
    covered += each.run.instructions;
  }
  if (tooLong > 0)
    note(
      `${tooLong === 1 ? 'a loop is' : `${tooLong} loops are`} too long to be scheduled and without bounds`,
    );
  const others = Math.max(0, instructions - covered) / machine.issue.width;
  const runTime = bounded.reduce((sum, { profile }) => sum + profile.runTime, 0) + others;
  const shares = divide?.();
  return result(
    bounded.map(({ profile }) => profile),
    {
      machine: machine.name,
      runTime: rounded(runTime),
      covered: rounded(Math.min(1, covered / instructions)),
      ...(measured === undefined ? {} : { measured }),
      ...(shares === undefined ? {} : { parallel: parallelBounds(shares, bounded, machine, nameOf) }),
    },
  );
}

function result(bounded: readonly LoopProfile[], bounds: RunBounds) {
  const { runTime } = bounds;
  const loops = bounded
    .map((each) => ({ ...each, share: runTime === 0 ? 0 : rounded(each.runTime / runTime) }))
    .sort((a, b) => b.runTime - a.runTime || compare(a.address, b.address));
  return { loops, bounds };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
