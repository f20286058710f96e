import type { Address } from '../base/brand.ts';
import { loadedRanges } from '../elf/hash-ranges.ts';
import type { Image } from '../elf/image.ts';
import type {
  ChainRecord,
  FunctionRecord,
  GuestExit,
  Observation,
  ObservedModule,
} from '../observation/observation.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { callRecord, mergeCycles } from './call-tree.ts';
import { chainOf } from './chain.ts';
import { CodeSpace } from './code-space.ts';
import { type FunctionSums, longer } from './contexts.ts';
import type { MappedModule } from './modules.ts';
import { type Guest, Pass, type PassOptions } from './pass.ts';
import type { Hasher } from './ports.ts';

export interface ObserveOptions {
  readonly guest: Guest;
  readonly hasher: Hasher;
  readonly isa: string;
  /** Deepest calls of the tree; -1 is unbounded. */
  readonly depth: number;
  /** Functions whose every outermost call is measured. */
  readonly functions: readonly string[];
  /** 'run' or names of functions. */
  readonly chains: readonly string[];
  /** Other sizes than the usual ones. */
  readonly limits?: Partial<EngineLimits>;
  /** Hears how the engine spent its effort in the first pass. */
  readonly engineStats?: (report: string) => void;
  readonly onPass?: (pass: {
    readonly phase: 'counting' | 'functions' | 'chains';
    readonly pass: number;
    readonly passes: number;
  }) => void;
}

/** The observation, with the images that give names and lines to its addresses, and what the first pass left behind. */
export interface Observed {
  readonly observation: Observation;
  readonly images: readonly Image[];
  readonly kernel: Pass['kernel'];
}

const LANES = 4;
const SILENT = { stdout: () => {}, stderr: () => {} };

/**
 * Runs the guest as often as its measurement needs. The run is deterministic, so every pass executes the same
 * instructions: the first is the one whose output is heard; the others follow what four lanes cannot hold.
 */
export function observe(options: ObserveOptions): Observed {
  const { guest, depth } = options;
  const limits = { ...ENGINE_LIMITS, ...options.limits };
  const chains = [...new Set(options.chains)];
  const named = [...new Set([...options.functions, ...chains.filter((name) => name !== 'run')])];
  const depthPasses = depth < 0 ? 1 : Math.max(1, Math.ceil((depth + 1) / LANES));
  let passes = depthPasses + Math.ceil(named.length / LANES) + chains.length;
  let started = 0;
  const announce = (phase: 'counting' | 'functions' | 'chains') =>
    options.onPass?.({ phase, pass: ++started, passes });

  announce('counting');
  const space = new CodeSpace('lanes', named, limits);
  const base: PassOptions = { guest, space, named: [], depth, firstDepth: 0 };
  const first = new Pass(base);
  const exit = first.run();
  const executed = first.executed();
  options.engineStats?.(space.report(executed));
  const { tree } = first.contexts;
  const functions = new Map(first.contexts.functions);
  const quiet = { ...base, guest: { ...guest, output: SILENT } };
  const deepest = Math.min(depth < 0 ? Number.MAX_SAFE_INTEGER : depth, first.contexts.deepest);
  passes += Math.max(0, Math.floor(deepest / LANES) + 1 - depthPasses);
  for (let from = LANES; from <= deepest; from += LANES) {
    announce('counting');
    const pass = new Pass({ ...quiet, firstDepth: from });
    pass.run();
    mergeCycles(tree, pass.contexts.tree);
    mergeSums(functions, pass.contexts.functions);
  }
  for (let from = 0; from < named.length; from += LANES) {
    announce('functions');
    const pass = new Pass({
      ...quiet,
      named: named.slice(from, from + LANES),
      depth: 0,
      firstDepth: undefined,
    });
    pass.run();
    // Every outermost call, wherever it happens: more than the call tree's.
    for (const [entry, sums] of pass.contexts.functions) functions.set(entry, sums);
  }
  const byFirstCall = [...functions].sort(([, a], [, b]) => a.first - b.first);
  const records: ChainRecord[] = [];
  const tagged = chains.length === 0 ? quiet : { ...quiet, space: new CodeSpace('tags', named, limits) };
  for (const name of chains) {
    announce('chains');
    // A program that faults at its first instruction has no chain.
    if (executed === 0) break;
    if (name === 'run') records.push(chainOf(tagged, undefined, executed));
    else
      for (const [entry, sums] of byFirstCall)
        if (first.modules.isNamed(entry, name))
          records.push(chainOf({ ...tagged, named: [name] }, { entry, ...sums.longest }, executed));
  }
  const modules = first.kernel.modules as readonly MappedModule[];
  return {
    observation: {
      modules: modules.map((module) => observedModule(module, options.hasher)),
      isa: options.isa,
      exit: plainExit(exit),
      run: callRecord(tree),
      functions: byFirstCall.map(([entry, sums]) => functionRecord(entry, sums)),
      chains: records,
    },
    images: modules.map((module) => module.image),
    kernel: first.kernel,
  };
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
