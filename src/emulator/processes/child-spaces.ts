import type { EngineLimits } from '../../translate/limits.ts';
import { CodeSpace, type CodeSpaceOptions } from '../code/code-space.ts';
import { FaultSites } from '../code/fault-sites.ts';
import { ofProcess } from '../code/leaving-code.ts';
import { type MeasurePlan, nextPlan, type Outgrown, UNMEASURED } from '../memory/measure-plan.ts';
import type { HostPages } from '../ports.ts';

/**
 * A process takes over the memory of the one before it, whose pages are there already: to copy fewer bytes takes less time than to have a file shown. 400
 * processes of a shell took 1.2 times as long when all files were shown.
 */
const LEAST_SHOWN = 2 ** 21;

/** What all of them have in common. */
type Common = Pick<CodeSpaceOptions, 'prepared' | 'hostPages' | 'codeStore'>;

/**
 * Where child processes run: each in a memory of its own while it lives, which the next one takes over with the code that was
 * translated for it. A shell that starts the same program again and again translates it once.
 */
export class ChildSpaces {
  private readonly limits: EngineLimits;
  private readonly common: Common;
  private free: CodeSpace[] = [];
  /** How many were made, by plan: what another run came to need, a later one has from the start. */
  private readonly made = new Map<MeasurePlan, number>();
  private unmeasured: MeasurePlan = UNMEASURED;
  /** By the process's number, which is the same in every pass. */
  private readonly faults = new Map<number, FaultSites>();

  constructor(limits: EngineLimits, common: Common = {}) {
    this.limits = limits;
    const { hostPages } = common;
    this.common = hostPages === undefined ? common : { ...common, hostPages: reluctant(hostPages) };
  }

  /** A space for a process, with the plan; without one it is not measured. */
  take(process: number, plan: MeasurePlan = this.unmeasured): CodeSpace {
    // What another plan was for will not come again.
    this.free = this.free.filter(
      ({ measurePlan }) => measurePlan === plan || measurePlan === this.unmeasured,
    );
    const at = this.free.findLastIndex((space) => space.measurePlan === plan);
    const space = at < 0 ? this.newSpace(plan) : this.free.splice(at, 1)[0];
    const faults = this.faults.get(process) ?? new FaultSites();
    this.faults.set(process, faults);
    space.expect(faults);
    return space;
  }

  private newSpace(plan: MeasurePlan): CodeSpace {
    const { codeStore, ...common } = this.common;
    const nth = this.made.get(plan) ?? 0;
    this.made.set(plan, nth + 1);
    const left = codeStore && { codeStore: ofProcess(codeStore, nth) };
    return new CodeSpace([], this.limits, { ...common, ...left, plan });
  }

  /** Leaves what was translated so far for later runs. */
  storeCode(): void {
    for (const space of this.free) space.storeCode();
  }

  release(space: CodeSpace): void {
    space.vacate();
    this.free.push(space);
  }

  /** A process that is not measured did more than there was room for: the run begins anew. */
  outgrow(what: Outgrown['what']): void {
    if (what !== 'faults' && what !== 'children')
      this.unmeasured = nextPlan(this.unmeasured, what, this.limits);
  }
}

function reluctant(host: HostPages): HostPages {
  const show: HostPages['show'] = (memory, start, content) =>
    content.length >= LEAST_SHOWN && host.show(memory, start, content);
  return { ...host, show };
}
