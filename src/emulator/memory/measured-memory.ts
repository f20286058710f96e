import { FIRST_GUEST_ADDRESS, GUEST_END, PAGE_SIZE } from '../../guest/layout.ts';
import { FAST_STORE, GuestMemory, WRITE } from '../../guest/memory.ts';
import type { MemoryFollower } from '../../guest/memory-follower.ts';
import { CALLS_PER_PARENT } from '../../observation/observation.ts';
import { CodePlaces } from '../../translate/code-places.ts';
import {
  type ContextEvents,
  type ContextFunctions,
  contextFunctions,
} from '../../translate/contexts/functions.ts';
import { does, type EngineLimits } from '../../translate/limits.ts';
import type { Asking } from '../../translate/steps/quiet-pages.ts';
import type { HostPages } from '../ports.ts';
import { HugePages } from './huge-pages.ts';
import { LanesLedger } from './lanes-ledger.ts';
import { type MeasurePlan, nextPlan } from './measure-plan.ts';
import { QuietPages } from './quiet.ts';
import { TagsLedger } from './tags-ledger.ts';

interface Surroundings {
  readonly limits: EngineLimits;
  readonly contexts: ContextEvents;
  /** Instructions the guest has retired. */
  readonly executed: () => number;
  /** Memory in [start, end) may hold other code from now on. */
  readonly forgetCode: (start: number, end: number) => void;
  readonly hostPages: HostPages | undefined;
}

/** One WebAssembly memory that is divided by a plan: what the guest has in it, the steps of that, and its contexts. */
export class MeasuredMemory {
  readonly memory: WebAssembly.Memory;
  plan: MeasurePlan;
  readonly guest: GuestMemory;
  /** What stands for addresses of code in memory. */
  readonly places = new CodePlaces();
  /** One of them. */
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  readonly ledger: LanesLedger | TagsLedger;
  /** Opens and closes contexts. */
  readonly opener: ContextFunctions;
  private readonly limits: EngineLimits;
  private quiet: QuietPages | undefined;
  private readonly hugePages: HugePages | undefined;

  constructor(
    memory: WebAssembly.Memory,
    plan: MeasurePlan,
    { limits, contexts, executed, forgetCode, hostPages }: Surroundings,
  ) {
    this.memory = memory;
    this.plan = plan;
    this.limits = limits;
    const isWritable = (page: number) => (this.guest.permission(page * PAGE_SIZE) & WRITE) !== 0;
    this.hugePages = hostPages && new HugePages(memory.buffer, plan.bits, hostPages, isWritable);
    const follower: MemoryFollower = {
      unmapFar: (address) => forgetCode(address, address + PAGE_SIZE),
      remap: (start, end) => {
        this.ledger.forget(start, end);
        forgetCode(start, end);
      },
      move: (from, to) => this.ledger.move(from, to),
      map: (start, end, permissions) => {
        if ((permissions & WRITE) !== 0) this.hugePages?.map(end - start);
      },
      noteShadow: (page) => this.hugePages?.touch(page),
      setReadable: (page, isReadable) => this.ledger.setReadable(page, isReadable),
      // What runs there looks for changes from now on.
      forgetCode,
      write: (start, end) => {
        if (storesFreely(guest, start, end)) return;
        forgetCode(start, end);
        for (const page of guest.far.otherPages(start, end)) forgetCode(page, page + PAGE_SIZE);
      },
    };
    const guest = new GuestMemory(memory.buffer, follower, hostPages);
    this.guest = guest;
    if (plan.kind === 'lanes') this.ledger = this.lanes = new LanesLedger(guest, plan, limits);
    else this.ledger = this.tags = new TagsLedger(memory, guest, plan, limits, this.places, executed);
    this.opener = contextFunctions(
      memory,
      this.lanes?.shape,
      CALLS_PER_PARENT,
      contexts,
      does(limits, 'context caches'),
    );
  }

  /** There are threads from now on. What was measured of the first one counts: in all lanes, as its instructions did (rule 9). */
  meetThreads(): void {
    this.plan = nextPlan(this.plan, 'threads', this.limits);
    this.lanes?.meetThreads();
  }

  /** As empty as it was for the first pass. */
  clear(): void {
    const { guest, ledger, lanes, limits } = this;
    guest.unmapAll();
    guest.bytes.fill(0, 0, FIRST_GUEST_ADDRESS);
    ledger.start();
    this.quiet =
      lanes?.shape.hasQuietPages && does(limits, 'quiet pages')
        ? new QuietPages(guest, lanes, limits.firstSweep)
        : undefined;
  }

  /** Between slices. */
  noteExecuted(executed: number): void {
    if (this.tags !== undefined) this.hugePages?.logged(executed);
  }

  /** Between slices: QuietPages.sweep. */
  sweep(executed: number, asking: Asking, quiet: (page: number) => void): number {
    return this.quiet?.sweep(executed, asking, quiet) ?? 0;
  }
}

/** Whether generated code stores into all pages of a range without asking, as it does not where there is code. */
function storesFreely(guest: GuestMemory, start: number, end: number): boolean {
  if (end > GUEST_END) return false;
  for (let page = Math.floor(start / PAGE_SIZE); page * PAGE_SIZE < end; page++)
    if (!guest.has(page, FAST_STORE)) return false;
  return true;
}
