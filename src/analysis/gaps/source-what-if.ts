import type { LoopDemand, Step } from '../../source/demand.ts';
import { type EssentialOptions, essentialBounds } from '../macs/essential-bounds.ts';
import { type Latencies, recurrencesOf } from '../macs/essential-recurrence.ts';
import type { Context } from './context.ts';

/** MA of what the source asks for, or would. */
export class SourceWhatIf {
  readonly demand: LoopDemand;
  private readonly context: Context;
  private readonly options: EssentialOptions;

  constructor(context: Context, source: NonNullable<Context['source']>) {
    const { demand, weigh, reassociate } = source;
    this.demand = demand;
    this.context = context;
    this.options = {
      isa: context.isa,
      ...(weigh === undefined ? {} : { weigh }),
      ...(reassociate === undefined ? {} : { reassociate }),
    };
  }

  MA(demand: LoopDemand = this.demand, options: Partial<EssentialOptions> = {}): number {
    return essentialBounds(demand, this.context.machine, { ...this.options, ...options }).MA;
  }

  /** Which part of the machine gives MA. */
  limit(): string {
    return essentialBounds(this.demand, this.context.machine, this.options).limit;
  }

  withoutSteps(leave: (step: Step, i: number) => boolean): LoopDemand {
    const steps = this.demand.steps.map((step, i) => (leave(step, i) ? { ...step, counts: false } : step));
    return { ...this.demand, steps };
  }

  withoutTransfers(): LoopDemand {
    return { ...this.demand, transfers: [] };
  }

  withoutRecurrences(): LoopDemand {
    return { ...this.demand, flows: this.demand.flows.filter(({ distance }) => distance === 0) };
  }

  /** The recurrence that takes longest where each operation takes as long as floating-point ones do. */
  recurrence(): SourceRecurrence | undefined {
    const all = recurrencesOf(this.demand, LIKE_MACHINES).filter(({ cycles }) => cycles > 0);
    if (all.length === 0) return undefined;
    const longest = all.reduce((a, b) => (b.cycles > a.cycles ? b : a));
    const around = longest.around.map((each) => this.demand.steps[each]);
    const steps = around.filter(({ op }) => op !== 'pass');
    return {
      reassociable: longest.reassociable,
      distance: longest.distance,
      steps,
      line: steps.find(({ counts }) => counts)?.line ?? steps[0]?.line,
    };
  }
}

export interface SourceRecurrence {
  readonly reassociable: boolean;
  readonly distance: number;
  readonly steps: readonly Step[];
  readonly line: number | undefined;
}

/** Only to choose among several. */
const LIKE_MACHINES: Latencies = {
  of: ({ op, class: cls }) => {
    if (op === 'pass') return 0;
    if (op === 'div' || op === 'sqrt') return 13;
    return cls === 'float' || op === 'load' || op === 'mul' ? 4 : 1;
  },
  fused: () => 4,
};
