import type { Address } from '../base/brand.ts';
import type { Failure } from '../base/failure.ts';
import { RUN_CHAIN } from '../base/run-chain.ts';
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
import { chainOf, chainTooLong, isTooLong } from './chains/chain.ts';
import { chainsOfShortCalls, isShort, type NamedCall } from './chains/short-chains.ts';
import { callRecord, mergeCycles } from './contexts/call-tree.ts';
import type { ThreadCounts } from './contexts/contexts.ts';
import type { FunctionSums } from './contexts/function-records.ts';
import type { MappedModule } from './contexts/modules.ts';
import { heardOnce } from './heard-once.ts';
import type { SeenRun } from './helpers.ts';
import { countsOf, GatheredTrees, measurePart, mergeSums, type Part, type PartCounts } from './parts.ts';
import type { Passes, RepeatedRun } from './passes.ts';
import type { Hasher } from './ports.ts';
import { endAt } from './slices/halt.ts';
import { inPasses, type ThreadCalls } from './thread-calls.ts';
import type { ProgramCounts } from './world.ts';

export interface ObserveOptions extends RepeatedRun {
  readonly hasher: Hasher;
  /** Hears why a chain cannot be followed, which is then left out. Without it that is thrown, as soon as it is known. */
  readonly onChainTooLong?: (failure: Failure) => void;
  /** Whether processes that the program starts count; else they run for what they do only. */
  readonly measuresChildren?: boolean;
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
/** A pass ends with the last instruction of its threads where the run goes on for more: in most programs it does not. */
const LEAST_REST = 100_000;
/** The share of the first pass in which no code that tells threads apart was made, if helpers are to begin at once. */
const MOST_COLD = 1 / 4;

/** A run after its first pass, which tells what else there is to measure. */
export class PartedRun implements SeenRun {
  readonly parts: readonly Part[];
  private readonly options: ObserveOptions;
  private readonly passes: Passes;
  private readonly chains: readonly string[];
  private readonly first;
  private readonly measuredThreads: readonly ThreadCounts[];
  private readonly gathered = new GatheredTrees();
  private started = 0;
  private planned: number;

  constructor(options: ObserveOptions, passes: Passes) {
    this.options = options;
    this.passes = passes;
    this.chains = [...new Set(options.chains)];
    this.planned = 1 + Math.ceil(passes.named.length / passes.lanes) + this.chains.length;
    this.first = this.runFirst();
    const [main, ...others] = this.first.threads;
    this.measuredThreads = others.length > MOST_THREADS ? [] : others;
    this.parts = this.partsBehind(main, others);
    this.planned = this.started - passes.begunAnew + this.parts.length + this.chains.length;
  }

  get outgrown(): Passes['outgrown'] {
    return this.passes.outgrown;
  }

  get executed(): number {
    return this.first.executed;
  }

  /**
   * Where the first pass met threads late, most of the code that tells them apart is still to be made: once, not by every process at the same time.
   */
  get partsBeforeHelp(): number {
    const { threads, executed } = this.first;
    return this.passes.metThreads && threads.length > 1 && threads[1].began > executed * MOST_COLD ? 1 : 0;
  }

  private announce(phase: 'counting' | 'functions' | 'chains'): void {
    const passes = this.planned + this.passes.begunAnew;
    this.options.onPass?.({ phase, pass: ++this.started, passes: Math.max(this.started, passes) });
  }

  asked(passes: number): void {
    this.started += passes;
  }

  private runFirst() {
    const { options, chains } = this;
    const { limits, quiet, space } = this.passes;
    const output = heardOnce(options.guest.output);
    const first = this.passes.finished(
      () => this.announce('counting'),
      () => ({
        ...quiet,
        guest: { ...options.guest, output: output() },
        children: { ...quiet.children, areMeasured: options.measuresChildren === true },
        ...(chains.includes(RUN_CHAIN) &&
          !options.onChainTooLong && { halt: endAt(limits.chainInstructions + 1) }),
      }),
      (world, run) => ({
        exit: run(),
        ...countsOf(world.main.contexts),
        executed: world.main.executed(),
        programs: world.ended,
        moduleMap: world.main.modules,
        modules: world.main.kernel.modules as readonly MappedModule[],
        changes: world.main.kernel.changes(),
      }),
    );
    const isCounted = options.counts === true && first.exit.kind === 'exit';
    return { ...first, ...(isCounted && { executions: space.executions() }) };
  }

  private partsBehind(main: ThreadCounts, others: readonly ThreadCounts[]): readonly Part[] {
    const { lanes, named } = this.passes;
    const groups = successive(others);
    const layered = this.first.layers > 1 ? callParts(0, Math.min(main.deepest, lanes - 1), lanes) : [];
    return [
      ...layered.map((part) => ({ ...part, layersBefore: 1 })),
      ...callParts(lanes, main.deepest, lanes),
      ...(others.length > 0 ? this.threadParts(groups) : []),
      ...slices(named, lanes).map((names): Part => ({ kind: 'functions', names, threads: groups })),
    ];
  }

  /** All threads as wholes, and the calls of those that were started, which are given in groups of successive ones. */
  private threadParts(groups: readonly (readonly number[])[]): readonly Part[] {
    const { lanes } = this.passes;
    const { threads, executed } = this.first;
    if (threads.length > MOST_WHOLE_PASSES * lanes) return [];
    const hasTrees = this.measuredThreads.length > 0 && this.options.depth !== 0;
    const ran = (calls: readonly ThreadCalls[]) =>
      Math.max(...calls.flatMap((each) => each.threads.map((index) => threads[index].ran)));
    const deepestOf = (group: readonly number[]) => Math.max(...group.map((index) => threads[index].deepest));
    const asWhole = (index: number): ThreadCalls => ({ threads: [index], from: 0, to: 0 });
    const ofOthers = hasTrees
      ? groups.map((group) => ({ threads: group, from: 0, to: deepestOf(group) }))
      : threads.slice(1).map((_, i) => asWhole(i + 1));
    // Those that run for long come first, and share passes.
    const longestFirst = ofOthers.toSorted((a, b) => ran([b]) - ran([a]));
    return inPasses(longestFirst, lanes, asWhole(0)).map((calls) => {
      const until = ran(calls);
      return { kind: 'threads', calls, ...(until + LEAST_REST < executed && { until }) };
    });
  }

  /** Measures a part of it. */
  measure(part: Part): readonly PartCounts[] {
    const { passes, gathered } = this;
    const found = measurePart(part, {
      lanes: () => passes.lanes,
      run: (phase, measured) => passes.counts(() => this.announce(phase), measured),
    });
    return gathered.take(part, found);
  }

  /** What was observed, given what was found of each part, and the chain of the run where somebody else has followed it. */
  observed(found: readonly (readonly PartCounts[])[], runChain?: ChainRecord): Observed {
    const { options, passes, first, measuredThreads } = this;
    const { moduleMap, modules, threads } = first;
    const functions = new Map(first.functions);
    const wholeCycles = new Map<number, number>();
    for (const [index, tree] of this.gathered.trees) mergeCycles(threads[index].tree, tree);
    for (const [i, { kind }] of this.parts.entries())
      for (const { trees, wholes, functions: sums } of found[i]) {
        // Every outermost call, wherever it happens: more than the call tree's.
        if (kind === 'functions') for (const [entry, each] of sums) functions.set(entry, each);
        else mergeSums(functions, sums);
        for (const [index, tree] of trees) mergeCycles(threads[index].tree, tree);
        for (const [index, cycles] of wholes) wholeCycles.set(index, cycles);
      }
    const cyclesOf = new Map([
      ...measuredThreads.map(({ tree }, i) => [i + 1, tree.cycles.at(-1)!] as const),
      ...wholeCycles,
    ]);
    const byFirstCall = [...functions].sort(([, a], [, b]) => a.first - b.first);
    const chains = this.followChains(byFirstCall, runChain);
    const otherModules = otherModulesOf(first.programs, modules);
    passes.storeCode();
    passes.settleNeeds(this.executed);
    return {
      observation: {
        modules: modules.map((module) => observedModule(module, options.hasher)),
        isa: options.guest.isa,
        exit: plainExit(first.exit),
        run: runRecord(threads[0], measuredThreads),
        ...(threads.length > 1 && { threads: threadRecords(threads, cyclesOf) }),
        ...processesOf(first.programs, otherModules, options.hasher),
        functions: byFirstCall.map(([entry, sums]) => functionRecord(entry, sums)),
        chains,
        ...(first.executions && { executions: first.executions }),
        ...(passes.levels.found && { beyondLevel: passes.levels.found }),
      },
      images: modules.map((module) => module.image),
      otherImages: otherModules.map(({ image }) => image),
      changes: first.changes,
      uncalled: passes.named.filter((name) => !byFirstCall.some(([entry]) => moduleMap.isNamed(entry, name))),
    };
  }

  /** A program that dies by a signal has no profile; where it died in the middle of a block, its count is the block's. */
  private get isCounted(): boolean {
    return this.executed > 0 && this.first.exit.kind !== 'signal';
  }

  /** Waits for the chain of the run, which somebody else follows, if it can be followed; undefined where that is left to this process. */
  async chainBy(follower: () => Promise<ChainRecord | undefined>): Promise<ChainRecord | undefined> {
    if (!this.isCounted || this.executed > this.passes.limits.chainInstructions) return undefined;
    this.announce('chains');
    return follower();
  }

  private followChains(
    byFirstCall: readonly (readonly [number, FunctionSums])[],
    runChain: ChainRecord | undefined,
  ): readonly ChainRecord[] {
    const { chains, executed, first, isCounted } = this;
    const { space, quiet } = this.passes;
    // Under the first of the names that a function was asked for by.
    const followed = new Set<number>();
    const isFirst = (entry: number): boolean => {
      const isNew = !followed.has(entry);
      followed.add(entry);
      return isNew;
    };
    const calls = chains.map((name): readonly (NamedCall | undefined)[] =>
      name === RUN_CHAIN
        ? [undefined].filter(() => this.isFollowed('the run', executed))
        : byFirstCall
            .filter(([entry]) => first.moduleMap.isNamed(entry, name) && isFirst(entry))
            .map(([entry, sums]) => ({ name, entry, ...sums.longest }))
            .filter(({ start, end }) => this.isFollowed(`the longest call of ${name}`, end - start)),
    );
    const ofRun = runChain?.length === first.threads[0].tree.cycles.at(-1) ? runChain : undefined;
    if (calls.flat().some((call) => call !== undefined || ofRun === undefined)) space.followChains();
    const short = calls.flat().filter((call) => call !== undefined && isShort(space, call)) as NamedCall[];
    const known = isCounted && short.length > 1 ? chainsOfShortCalls(quiet, short) : undefined;
    return calls.flatMap((ofName, i) => {
      if (chains[i] !== RUN_CHAIN || ofRun === undefined) this.announce('chains');
      if (!isCounted) return [];
      return ofName.flatMap((call) => {
        const record = (call === undefined ? ofRun : known?.get(call)) ?? this.chainOf(call);
        return record === undefined ? [] : [record];
      });
    });
  }

  private chainOf(call: NamedCall | undefined): ChainRecord | undefined {
    const { onChainTooLong } = this.options;
    try {
      return chainOf({ ...this.passes.quiet, named: call === undefined ? [] : [call.name] }, call);
    } catch (problem) {
      if (onChainTooLong === undefined || !isTooLong(problem)) throw problem;
      onChainTooLong(problem);
      return undefined;
    }
  }

  private isFollowed(what: string, instructions: number): boolean {
    const { chainInstructions } = this.passes.limits;
    if (instructions <= chainInstructions) return true;
    const failure = chainTooLong(what, chainInstructions);
    if (this.options.onChainTooLong === undefined) throw failure;
    this.options.onChainTooLong(failure);
    return false;
  }
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

/** The calls of threads from one depth to another, as many depths at a time as there are lanes. */
const callParts = (from: number, to: number, lanes: number) =>
  slices(
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i),
    lanes,
  ).map((depths) => ({ kind: 'calls' as const, from: depths[0], to: depths.at(-1)! }));

const slices = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

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
    ...(exit.fullStack !== undefined && { fullStack: exit.fullStack }),
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
