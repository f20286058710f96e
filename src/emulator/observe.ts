import type { Address } from '../base/brand.ts';
import type { Failure } from '../base/failure.ts';
import { absolute } from '../elf/debug-file.ts';
import { loadedRanges } from '../elf/hash-ranges.ts';
import type { Image } from '../elf/image.ts';
import type { Changes } from '../linux/fs/changes.ts';
import type {
  CallRecord,
  ChainRecord,
  FunctionRecord,
  GuestExit,
  Observation,
  ObservedModule,
  ThreadRecord,
} from '../observation/observation.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { LevelWatch } from '../x86/required-level.ts';
import { callRecord, mergeCycles } from './call-tree.ts';
import { type ChainWindow, chainOf, chainTooLong } from './chain.ts';
import { ChildSpaces } from './child-spaces.ts';
import { CodeSpace } from './code-space.ts';
import { type FunctionSums, longer, type ThreadCounts } from './contexts.ts';
import type { Guest } from './guest.ts';
import type { Halt } from './halt.ts';
import { heardOnce } from './heard-once.ts';
import { orOutgrown } from './measure-plan.ts';
import { FIRST } from './measured-part.ts';
import type { MappedModule } from './modules.ts';
import type { Pass } from './pass.ts';
import { PassOver } from './pass-over.ts';
import type { CodeKey, CodeStore, CollectGarbage, HandlerLibrary, Hasher, ReservedMemory } from './ports.ts';
import type { EngineStatistics } from './statistics.ts';
import { type ProgramCounts, World, type WorldOptions } from './world.ts';

export interface ObserveOptions {
  readonly guest: Guest;
  readonly hasher: Hasher;
  /** Deepest calls of the tree; -1 is unbounded. */
  readonly depth: number;
  /** Whether the run's record has the calls in it (default: yes). */
  readonly listsCalls?: boolean;
  /** Functions whose every outermost call is measured. */
  readonly functions: readonly string[];
  /** 'run' or names of functions. */
  readonly chains: readonly string[];
  /** Hears why a chain cannot be followed, which is then left out. Without it that is thrown, as soon as it is known. */
  readonly onChainTooLong?: (failure: Failure) => void;
  /** Whether processes that the program starts count; else they run for what they do only. */
  readonly measuresChildren?: boolean;
  /** Whether the executions of instructions are counted: in the first pass, which takes some per cent longer. */
  readonly counts?: boolean;
  /** Other sizes than the usual ones. */
  readonly limits?: Partial<EngineLimits>;
  /** Code that was made when the tool was built. */
  readonly prepared?: HandlerLibrary | undefined;
  readonly reserved?: ReservedMemory | undefined;
  readonly collectGarbage?: CollectGarbage | undefined;
  /** Where code that other runs have made is found, and this one's is kept. */
  readonly codeStore?: CodeStore | undefined;
  /** Hears how the engine spent its effort, however the run ends. The clock counts milliseconds. */
  readonly engineStats?: { readonly clock: () => number; hear(statistics: EngineStatistics): void };
  readonly onPass?: (pass: {
    readonly phase: 'counting' | 'functions' | 'chains';
    readonly pass: number;
    readonly passes: number;
  }) => void;
}

/** The observation, with the images that give names and lines to its addresses, and what the program did to files. */
export interface Observed {
  readonly observation: Observation;
  readonly images: readonly Image[];
  /** Of the observation's `otherModules`. */
  readonly otherImages: readonly Image[];
  readonly changes: Changes;
  /** Names of functions that were asked for and that no function called has. */
  readonly uncalled: readonly string[];
}

/** The calls of threads that run at the same time take a pass each: of programs that start more threads, those of the first one are measured. */
const MOST_THREADS = 64;
/** Threads as wholes take a pass for as many as there are lanes: of programs with more, instructions are told. */
const MOST_WHOLE_PASSES = 128;

const SILENT = { stdout: () => {}, stderr: () => {} };

/**
 * Runs the guest as often as its measurement needs. The run is deterministic, so every pass executes the same
 * instructions: the first is the one whose output is heard; the others follow what its lanes cannot hold.
 *
 * A run in which a call has many cycles, and what is old decides again (LanesLedger.rebase), begins anew with lanes of 64 bits, which are
 * half as many (LaneShape), and so does one that uses much memory, with steps of half the size (measure-plan.ts). It loses what
 * it did until then, and takes a pass for fewer depths.
 */
export function observe(options: ObserveOptions): Observed {
  const spaces: CodeSpace[] = [];
  try {
    return observeIn(options, spaces);
  } finally {
    options.engineStats?.hear({ passes: spaces.flatMap((space) => space.passes) });
  }
}

function observeIn(options: ObserveOptions, spaces: CodeSpace[]): Observed {
  const { guest, depth } = options;
  const limits = { ...ENGINE_LIMITS, ...options.limits };
  const chains = [...new Set(options.chains)];
  const named = [...new Set([...options.functions, ...chains.filter((name) => name !== 'run')])];
  const { engineStats } = options;
  const levels = new LevelWatch(guest.isa);
  const space = new CodeSpace(named, limits, {
    levels,
    ...(engineStats && { clock: engineStats.clock }),
    ...(options.counts && { counts: true }),
    ...(options.prepared && { prepared: options.prepared }),
    ...(options.reserved && { reserved: options.reserved }),
    ...(options.collectGarbage && { collectGarbage: options.collectGarbage }),
    ...(options.codeStore && {
      codeStore: { store: options.codeStore, ...namesOf(guest) },
    }),
  });
  spaces.push(space);
  const lanes = () => space.contextsAtOnce;
  let deepest: readonly number[] = [Math.max(0, depth)];
  let wholePasses = () => 0;
  let started = 0;
  let repeated = 0;
  const announce = (phase: 'counting' | 'functions' | 'chains') => {
    const counting = deepest.reduce((sum, each) => sum + Math.ceil((each + 1) / lanes()), 0);
    const passes = counting + wholePasses() + Math.ceil(named.length / lanes());
    options.onPass?.({ phase, pass: ++started, passes: passes + chains.length + repeated });
  };
  /** Runs a pass, and again under another plan where this one does not suffice. Gives what `report` makes of it. */
  const finished = <T extends object>(
    phase: 'counting' | 'functions',
    passOptions: () => WorldOptions,
    report: (world: World, exit: GuestExit) => T,
  ): T => {
    for (;;) {
      announce(phase);
      const found = orOutgrown(() => {
        const world = new World(passOptions());
        try {
          return report(world, world.run());
        } catch (problem) {
          if (problem instanceof PassOver) throw chainTooLong('the run', limits.chainInstructions);
          throw problem;
        }
      });
      if (typeof found === 'object') return found;
      space.outgrow(found);
      repeated++;
    }
  };

  const children = { areMeasured: false, spaces: new ChildSpaces(limits, options.prepared) };
  const { listsCalls = true } = options;
  const base: WorldOptions = { guest, space, named: [], depth, listsCalls, firstDepth: 0, children };
  const output = heardOnce(guest.output);
  const first = finished(
    'counting',
    () => ({
      ...base,
      guest: { ...guest, output: output() },
      children: { ...children, areMeasured: options.measuresChildren === true },
      ...(chains.includes('run') && !options.onChainTooLong && { halt: endAt(limits.chainInstructions + 1) }),
    }),
    (world, exit) => ({
      ...countsOf(world),
      exit,
      executed: world.main.executed(),
      programs: world.ended,
      moduleMap: world.main.modules,
      modules: world.main.kernel.modules as readonly MappedModule[],
      changes: world.main.kernel.changes(),
      ...(options.counts && exit.kind === 'exit' && { executions: space.executions() }),
    }),
  );
  const { executed, moduleMap, modules } = first;
  const otherModules = otherModulesOf(first.programs, modules);
  const [main, ...startedThreads] = first.threads;
  const functions = new Map(first.functions);
  const quiet = { ...base, guest: { ...guest, output: SILENT } };
  const measured = startedThreads.length > MOST_THREADS ? [] : startedThreads;
  const indices = first.threads.map((_, index) => index);
  const isTold = startedThreads.length > 0 && indices.length <= MOST_WHOLE_PASSES * lanes();
  /** Threads whose cycles as wholes are not those of their trees: the first one's tree is the run's. */
  const wholes = !isTold ? [] : measured.length > 0 && depth !== 0 ? [0] : indices;
  const all = successive(startedThreads);
  const groups = depth === 0 || measured.length === 0 ? [] : all;
  const deepestOf = (group: readonly number[]) =>
    Math.max(...group.map((index) => first.threads[index].deepest));
  deepest = [main.deepest, ...groups.map(deepestOf)];
  wholePasses = () => Math.ceil(wholes.length / lanes());
  /** Measures the calls of threads, of the first one where none are named, from a depth on. */
  const measureCalls = (start: number, threads?: readonly number[]) => {
    const indices = threads ?? FIRST;
    for (let from = start; from <= deepestOf(indices); from += lanes()) {
      const counts = finished(
        'counting',
        () => ({ ...quiet, firstDepth: from, ...(threads && { threads }) }),
        countsOf,
      );
      for (const index of indices) mergeCycles(first.threads[index].tree, counts.threads[index].tree);
      mergeSums(functions, counts.functions);
    }
  };
  measureCalls(lanes());
  for (const group of groups) measureCalls(0, group);
  const cyclesOf = new Map(measured.map(({ tree }, i) => [i + 1, tree.cycles.at(-1)!]));
  for (let from = 0; from < wholes.length; from += lanes()) {
    const group = () => wholes.slice(from, from + lanes());
    const { threads } = finished(
      'counting',
      () => ({ ...quiet, depth: 0, firstDepth: undefined, wholes: group() }),
      countsOf,
    );
    for (const index of group()) cyclesOf.set(index, threads[index].tree.cycles.at(-1)!);
  }
  for (let from = 0; from < named.length; from += lanes()) {
    const found = new Map<number, FunctionSums>();
    const entered = new Set([FIRST]);
    for (const threads of entered) {
      const counts = finished(
        'functions',
        () => ({
          ...quiet,
          named: named.slice(from, from + lanes()),
          depth: 0,
          firstDepth: undefined,
          threads,
        }),
        countsOf,
      );
      mergeSums(found, counts.functions);
      for (const group of all) if (group.some((index) => counts.hooked.has(index))) entered.add(group);
    }
    // Every outermost call, wherever it happens: more than the call tree's.
    for (const [entry, sums] of found) functions.set(entry, sums);
  }
  const byFirstCall = [...functions].sort(([, a], [, b]) => a.first - b.first);
  const isFollowed = (what: string, instructions: number): boolean => {
    if (instructions <= limits.chainInstructions) return true;
    const failure = chainTooLong(what, limits.chainInstructions);
    if (options.onChainTooLong === undefined) throw failure;
    options.onChainTooLong(failure);
    return false;
  };
  const windows = chains.map((name): readonly ChainWindow[] =>
    name === 'run'
      ? [undefined].filter(() => isFollowed('the run', executed))
      : byFirstCall
          .filter(([entry]) => moduleMap.isNamed(entry, name))
          .map(([entry, sums]) => ({ entry, ...sums.longest }))
          .filter(({ start, end }) => isFollowed(`the longest call of ${name}`, end - start)),
  );
  const records: ChainRecord[] = [];
  if (chains.length > 0) space.followChains();
  windows.forEach((ofName, i) => {
    announce('chains');
    // A program that dies by a signal has no profile; where it died in the middle of a block, its count is the block's.
    if (executed === 0 || first.exit.kind === 'signal') return;
    for (const window of ofName)
      records.push(chainOf({ ...quiet, named: window === undefined ? [] : [chains[i]] }, window));
  });
  space.storeCode();
  return {
    observation: {
      modules: modules.map((module) => observedModule(module, options.hasher)),
      isa: guest.isa,
      exit: plainExit(first.exit),
      run: runRecord(main, measured),
      ...(startedThreads.length > 0 && { threads: threadRecords(first.threads, cyclesOf) }),
      ...processesOf(first.programs, otherModules, options.hasher),
      functions: byFirstCall.map(([entry, sums]) => functionRecord(entry, sums)),
      chains: records,
      ...(first.executions && { executions: first.executions }),
      ...(levels.found && { beyondLevel: levels.found }),
    },
    images: modules.map((module) => module.image),
    otherImages: otherModules.map(({ image }) => image),
    changes: first.changes,
    uncalled: named.filter((name) => !byFirstCall.some(([entry]) => moduleMap.isNamed(entry, name))),
  };
}

/**
 * What program and command are called where their code is kept; for each level apart, because translating code watches for what is
 * above it.
 */
function namesOf({ isa, directory, command: { program, args } }: Guest): CodeKey {
  const path = program.includes('/') ? absolute(directory, program) : program;
  return {
    program: JSON.stringify([isa, path]),
    command: JSON.stringify([isa, path, directory, args]),
  };
}

/**
 * Started threads, by index, in as few groups as can be in which none begins before the one before it has ended: one pass measures all
 * of a group.
 */
function successive(threads: readonly ThreadCounts[]): readonly (readonly number[])[] {
  const groups: { readonly indices: number[]; ended: number }[] = [];
  for (const [i, { began, ended }] of threads.entries()) {
    let group = groups.find((each) => each.ended <= began);
    if (group === undefined) {
      group = { indices: [], ended };
      groups.push(group);
    }
    group.indices.push(i + 1);
    group.ended = ended;
  }
  return groups.map(({ indices }) => indices);
}

/** Which programs count, where that is not the one of the call tree alone; and what does not count. */
function processesOf(
  programs: readonly ProgramCounts[],
  others: readonly MappedModule[],
  hasher: Hasher,
): Pick<Observation, 'processes' | 'otherModules' | 'unmeasured'> {
  const processes = programs.flatMap(({ process, parent, program, instructions, cycles }) =>
    cycles === undefined ? [] : [{ process, parent, program, instructions, cycles }],
  );
  const unmeasured = programs.filter(({ cycles }) => cycles === undefined);
  return {
    ...(processes.length > 1 && { processes }),
    ...(others.length > 0 && { otherModules: others.map((module) => observedModule(module, hasher)) }),
    ...(unmeasured.length > 0 && {
      unmeasured: {
        processes: new Set(unmeasured.map(({ process }) => process)).size,
        instructions: unmeasured.reduce((sum, { instructions }) => sum + instructions, 0),
      },
    }),
  };
}

/** What programs that count have loaded and the last of the first process has not, each file once. */
function otherModulesOf(
  programs: readonly ProgramCounts[],
  known: readonly MappedModule[],
): readonly MappedModule[] {
  const images = new Set(known.map(({ image }) => image));
  return programs
    .flatMap(({ cycles, modules }) => (cycles === undefined ? [] : modules))
    .filter(({ image }) => !images.has(image) && images.add(image) !== undefined);
}

/** A pass for nothing but what the run does until then. */
const endAt = (at: number): Halt => ({
  purpose: `up to instruction ${at}`,
  at,
  isExact: false,
  reached() {
    throw new PassOver();
  },
});

/** What remains of a pass when its memory is gone. */
function countsOf({ main: { contexts } }: { readonly main: Pass }) {
  const { threads, functions, hooked } = contexts;
  return { threads, functions, hooked };
}

/** The run with all its calls: those that other threads were started for come after the first one's. */
function runRecord(main: ThreadCounts, others: readonly ThreadCounts[]): CallRecord {
  const run = callRecord(main.tree);
  const calls = others.flatMap(({ tree }) => callRecord(tree).calls);
  return calls.length === 0 ? run : { ...run, calls: [...run.calls, ...calls] };
}

/** Cycles by index, as far as they were measured. */
function threadRecords(
  threads: readonly ThreadCounts[],
  cyclesOf: ReadonlyMap<number, number>,
): ThreadRecord[] {
  return threads.map(({ root, instructions }, index) => {
    const cycles = cyclesOf.get(index);
    return {
      ...(root !== undefined && { entry: root as Address }),
      instructions,
      ...(cycles !== undefined && { cycles }),
    };
  });
}

function plainExit(exit: GuestExit): GuestExit {
  if (exit.kind === 'exit') return { kind: 'exit', status: exit.status };
  return {
    kind: 'signal',
    signal: exit.signal,
    ...(exit.address !== undefined && { address: exit.address }),
  };
}

function functionRecord(entry: number, sums: FunctionSums): FunctionRecord {
  const { index, instructions, cycles } = sums.longest;
  return {
    entry: entry as Address,
    calls: sums.calls,
    instructions: sums.instructions,
    cycles: sums.cycles,
    longest: { index, instructions, cycles },
  };
}

function observedModule(module: MappedModule, hasher: Hasher): ObservedModule {
  const { path, image, base, start, end } = module;
  return {
    path,
    base,
    start,
    end,
    sha256: hasher.sha256(image.bytes, [{ start: 0, end: image.bytes.length }]),
    loadedSha256: hasher.sha256(image.bytes, loadedRanges(image)),
  };
}

function mergeSums(into: Map<number, FunctionSums>, from: ReadonlyMap<number, FunctionSums>): void {
  for (const [entry, sums] of from) {
    const known = into.get(entry);
    if (known === undefined) {
      into.set(entry, sums);
      continue;
    }
    known.calls += sums.calls;
    known.instructions += sums.instructions;
    known.cycles += sums.cycles;
    known.longest = longer(known.longest, sums.longest);
    known.first = Math.min(known.first, sums.first);
  }
}
