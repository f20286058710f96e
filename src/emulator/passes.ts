import { RUN_CHAIN } from '../base/run-chain.ts';
import { absolute } from '../elf/debug-file.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { LevelWatch } from '../x86/required-level.ts';
import { chainTooLong } from './chains/chain.ts';
import { CodeSpace } from './code/code-space.ts';
import type { EngineStatistics } from './code/statistics.ts';
import type { Guest } from './guest.ts';
import { KnownRuns } from './known-runs.ts';
import {
  firstLanes,
  firstTags,
  type MeasurePlan,
  nextPlan,
  type Outgrown,
  orOutgrown,
} from './memory/measure-plan.ts';
import { Needs } from './needs.ts';
import { type Counts, countsOf } from './parts.ts';
import type { MeasuredPart } from './pass/measured-part.ts';
import type {
  CodeKey,
  CodeStore,
  CollectGarbage,
  HandlerLibrary,
  HostPages,
  ReservedMemory,
} from './ports.ts';
import { ChildSpaces } from './processes/child-spaces.ts';
import { PassOver } from './slices/pass-over.ts';
import { type Children, World, type WorldOptions } from './world.ts';

/** A program that is run several times, what is asked of it, and what the engine has for it. */
export interface RepeatedRun {
  readonly guest: Guest;
  /** Deepest calls of the tree; -1 is unbounded. */
  readonly depth: number;
  /** Whether the run's record has the calls in it (default: yes). */
  readonly listsCalls?: boolean;
  /** Functions whose every outermost call is measured. */
  readonly functions: readonly string[];
  /** RUN_CHAIN or names of functions. */
  readonly chains: readonly string[];
  /** Other sizes than the usual ones. */
  readonly limits?: Partial<EngineLimits>;
  /** Code that was made when the tool was built. */
  readonly prepared?: HandlerLibrary | undefined;
  readonly reserved?: ReservedMemory | undefined;
  readonly collectGarbage?: CollectGarbage | undefined;
  readonly hostPages?: HostPages | undefined;
  /** Whether the executions of instructions are counted: in the first pass, which takes some per cent longer. */
  readonly counts?: boolean;
  /** Where code that other runs have made is found, and this one's is kept. */
  readonly codeStore?: CodeStore | undefined;
  /** Hears how the engine spent its effort, however the run ends. The clock counts milliseconds. */
  readonly engineStats?: { readonly clock: () => number; hear(statistics: EngineStatistics): void };
}

const SILENT = { stdout: () => {}, stderr: () => {} };

/** The passes of a run: they take turns in one memory, with the code of those before them. */
export class Passes {
  readonly space: CodeSpace;
  readonly limits: EngineLimits;
  /** What passes have found too little of, by now, here or before. */
  readonly outgrown: Outgrown['what'][];
  /** How many passes have found that here, and begun anew. */
  begunAnew = 0;
  /** Whether a pass has met a thread here and gone on in code that tells threads apart, of which there was none. */
  metThreads = false;
  private readonly programStore: { readonly store: CodeStore; readonly command: string } | undefined;
  private readonly needs: Needs | undefined;
  readonly levels: LevelWatch;
  /** Functions whose entering is an event in every pass. */
  readonly named: readonly string[];
  /** A pass of which nobody hears anything, over the calls of the first lanes. */
  readonly quiet: WorldOptions & { readonly children: Children };

  /**
   * `outgrown`: what passes in another process have found too little of; else what earlier runs of the command have. They count, unless all of
   * them follow chains.
   */
  constructor(
    run: RepeatedRun,
    outgrown?: readonly Outgrown['what'][],
    purpose: 'counts' | 'chains' = 'counts',
  ) {
    const { guest, counts, prepared, reserved, collectGarbage, hostPages, codeStore, engineStats } = run;
    const { depth, listsCalls = true } = run;
    this.limits = { ...ENGINE_LIMITS, ...run.limits };
    const programStore = codeStore && { store: codeStore, ...keyOf(guest) };
    this.programStore = programStore;
    this.needs = programStore && new Needs(programStore.store, programStore.command);
    this.outgrown = [...(outgrown ?? this.needs?.known ?? [])];
    this.levels = new LevelWatch(guest.isa);
    this.named = [...new Set([...run.functions, ...run.chains.filter((name) => name !== RUN_CHAIN)])];
    let plan: MeasurePlan = firstLanes(this.limits);
    for (const what of this.outgrown)
      if (what !== 'faults' && what !== 'children') plan = nextPlan(plan, what, this.limits);
    if (purpose === 'chains') plan = firstTags(this.limits, plan);
    const common = {
      ...(prepared && { prepared }),
      ...(hostPages && { hostPages }),
      ...(programStore && { codeStore: programStore }),
    };
    const space = new CodeSpace(this.named, this.limits, {
      ...common,
      plan,
      levels: this.levels,
      ...(engineStats && { clock: engineStats.clock }),
      ...(counts && { counts }),
      ...(reserved && { reserved }),
      ...(collectGarbage && { collectGarbage }),
    });
    this.space = space;
    const children = { areMeasured: false, spaces: new ChildSpaces(this.limits, common) };
    this.quiet = {
      guest: { ...guest, output: SILENT },
      space,
      named: [],
      depth,
      listsCalls,
      firstDepth: 0,
      children,
    };
  }

  /** What earlier runs of the command were measured in, of which the same was asked. */
  knownRuns(): KnownRuns | undefined {
    if (this.programStore === undefined) return undefined;
    const { store, command } = this.programStore;
    return new KnownRuns(store, JSON.stringify([command, this.quiet.depth, this.named]));
  }

  /** The run is measured, and had so many instructions: what it came to need is kept for later ones. */
  settleNeeds(executed: number): void {
    this.needs?.settle(executed);
  }

  /** Leaves what was translated so far for later runs. */
  storeCode(): void {
    this.space.storeCode();
    this.quiet.children.spaces.storeCode();
  }

  /** Contexts that one pass measures, as far as is known by now. */
  get lanes(): number {
    return this.space.contextsAtOnce;
  }

  /** Runs a pass, and again under another plan where this one does not suffice. Gives what `report` makes of it. */
  finished<T extends object>(
    announce: () => void,
    options: () => WorldOptions,
    report: (world: World, run: () => ReturnType<World['run']>) => T,
  ): T {
    for (;;) {
      announce();
      const found = orOutgrown(() => {
        const world = new World(options());
        try {
          return report(world, () => world.run());
        } catch (problem) {
          if (problem instanceof PassOver) throw chainTooLong('the run', this.limits.chainInstructions);
          throw problem;
        }
      });
      if (typeof found === 'object') {
        if (this.space.knowsThreads) this.noteThreads();
        return found;
      }
      this.outgrown.push(found);
      this.begunAnew++;
      this.needs?.note(found);
      this.space.outgrow(found);
    }
  }

  /** Passes that begin with what tells threads apart make no code twice. */
  private noteThreads(): void {
    if (this.outgrown.some((what) => what === 'threads' || what === 'far memory and threads')) return;
    this.metThreads = true;
    this.outgrown.push('threads');
    this.needs?.note('threads');
  }

  /** Runs a pass of which nobody hears anything, up to its halt where it has one. */
  counts(
    announce: () => void,
    measured: () => Partial<MeasuredPart>,
  ): Counts & { readonly executed: number } {
    return this.finished(
      announce,
      () => ({ ...this.quiet, ...measured() }),
      (world, run) => {
        runToHalt(world, run);
        return { ...countsOf(world.main.contexts), executed: world.main.executed() };
      },
    );
  }
}

/** What is measured of a pass that ends at its halt is what was measured until then. */
function runToHalt({ main }: World, run: () => unknown): void {
  try {
    run();
  } catch (problem) {
    if (!(problem instanceof PassOver)) throw problem;
    main.stop();
  }
}

/**
 * What program and command are called where their code is kept; for each level apart, because translating code watches for what is
 * above it.
 */
function keyOf({ isa, directory, command: { program, args } }: Guest): CodeKey {
  const path = program.includes('/') ? absolute(directory, program) : program;
  return {
    program: JSON.stringify([isa, path]),
    command: JSON.stringify([isa, path, directory, args]),
  };
}
