import {
  AWAY,
  type CodeRange,
  type LoopSample,
  type LoopTrace,
  type TracedAccess,
  type TraceRequest,
} from '../../observation/trace.ts';
import type { Probes } from '../../translate/counts/probes.ts';
import type { LogEntry, TraceLog } from '../../translate/counts/trace-log.ts';

/** A sample that is being taken. */
interface Open {
  readonly occurrence: number;
  readonly iterations: { entered: boolean; accesses: TracedAccess[] }[];
  /** Executed since it began, and since the loop was left, if it was. */
  instructions: number;
  away: number;
  hasLeft: boolean;
  /** rsp at the header: a lower one is that of a call of the same function from within the loop. */
  rsp: number;
  isSuspended: boolean;
}

interface Traced {
  readonly request: TraceRequest;
  samples: LoopSample[];
  /** Executions of the header so far, as far as they were seen here. */
  next: number;
  /** The last time of logging in which it was seen: until then its probe counts its executions. */
  session: number;
  open: Open | undefined;
}

/**
 * Takes samples of loops while a program runs: at full speed until a header is about to be executed for the wanted time,
 * then interpreted with a log of what it does, as long as some sample is open.
 */
export class Tracer {
  private readonly requests: readonly TraceRequest[];
  private readonly traced: Map<number, Traced>;
  private probes!: Probes;
  private log!: TraceLog;
  /** Of the samples that are open. */
  private readonly opened = new Set<Traced>();
  private previousBlock = -1;
  private hasStopped = false;
  /** Times of logging so far, and whose headers were executed in this one. */
  private session = 0;
  private readonly seen = new Set<Traced>();

  constructor(requests: readonly TraceRequest[]) {
    this.requests = requests;
    this.traced = new Map(
      requests.map((request) => [
        request.header,
        { request, samples: [], next: 0, session: 0, open: undefined },
      ]),
    );
  }

  get headers(): Iterable<number> {
    return this.traced.keys();
  }

  /** The run begins anew, or with another program. */
  restart(): void {
    for (const traced of this.traced.values()) {
      Object.assign(traced, { samples: [], next: 0, session: 0, open: undefined });
      // Code that there still is, or was, must not tell of what came before.
      this.await(traced);
    }
    this.opened.clear();
    this.hasStopped = false;
  }

  /** The probes' memory is about to be used otherwise. */
  detach(): void {
    for (const traced of this.traced.values())
      if (this.isIdle || traced.session !== this.session) this.catchUp(traced);
  }

  /** Code that stops at headers and writes the log is made anew: at the beginning, and when code is. */
  attach(probes: Probes, log: TraceLog): void {
    this.probes = probes;
    this.log = log;
    for (const traced of this.traced.values()) this.await(traced);
  }

  /** The header stops control at the next occurrence. */
  private await({ request, next }: Traced): void {
    const occurrence = request.occurrences.find((each) => each >= next);
    this.probes.set(request.header, occurrence === undefined ? Infinity : occurrence - next);
  }

  private get isIdle(): boolean {
    return this.opened.size === 0;
  }

  /** A probe has stopped control: its header is about to be executed. */
  stop(): void {
    this.hasStopped = true;
  }

  /** Between slices: whether the next one is to be logged, because samples are open or begin now. */
  begin(): boolean {
    if (!this.isIdle) return true;
    if (!this.hasStopped) return false;
    this.hasStopped = false;
    this.session++;
    this.seen.clear();
    this.previousBlock = -1;
    return true;
  }

  /** What a probe has counted down is known to itself only. */
  private catchUp(traced: Traced): void {
    const { request, next } = traced;
    const occurrence = request.occurrences.find((each) => each >= next);
    if (occurrence !== undefined) traced.next = occurrence - Math.max(0, this.probes.left(request.header));
  }

  /** After a logged slice, or at the end of the run. */
  drain(): void {
    this.log.drain((entry) => this.hear(entry));
    if (this.isIdle) for (const traced of this.seen) this.await(traced);
  }

  noteAccess(kind: 'load' | 'store', size: number, instruction: number, address: number): void {
    this.log.addAccess(kind, size, instruction, address);
  }

  private hear(entry: LogEntry): void {
    if (entry.kind === 'block') {
      for (const traced of this.opened) resume(traced, entry);
      const traced = this.traced.get(entry.address);
      if (traced !== undefined) this.atHeader(traced, entry.place);
      for (const each of this.opened) this.spend(each, entry);
      this.previousBlock = entry.address;
      return;
    }
    for (const { open, request } of this.opened) {
      if (open!.isSuspended || !isWithin(request.body, entry.address)) continue;
      const { kind, address, place, size } = entry;
      open!.iterations[open!.iterations.length - 1].accesses.push({
        kind,
        instruction: address,
        address: place,
        size,
      });
    }
  }

  private spend(traced: Traced, { address, place, size }: LogEntry): void {
    const { request } = traced;
    const open = traced.open!;
    open.instructions += size;
    open.hasLeft ||= place >= open.rsp && !isWithin(loopOf(request), address);
    if (open.hasLeft) open.away += size;
    if (open.away > AWAY) this.close(traced);
    else if (open.instructions > request.instructions) {
      // The last iteration is not whole.
      if (open.iterations.length > 1 && !open.hasLeft) open.iterations.pop();
      this.close(traced);
    }
  }

  private atHeader(traced: Traced, rsp: number): void {
    const { request } = traced;
    if (traced.session !== this.session) {
      this.catchUp(traced);
      traced.session = this.session;
      this.seen.add(traced);
    }
    const occurrence = traced.next++;
    const entered = this.previousBlock >= 0 && !isWithin(loopOf(request), this.previousBlock);
    const { open } = traced;
    if (open !== undefined) {
      if (entered && rsp < open.rsp) open.isSuspended = true;
      if (open.isSuspended) return;
      if (open.iterations.length < request.iterations) {
        open.iterations.push({ entered, accesses: [] });
        Object.assign(open, { rsp, hasLeft: false, away: 0 });
        return;
      }
      this.close(traced);
    }
    if (!request.occurrences.includes(occurrence)) return;
    const first = { entered: false, accesses: [] };
    traced.open = {
      occurrence,
      iterations: [first],
      instructions: 0,
      away: 0,
      hasLeft: false,
      rsp,
      isSuspended: false,
    };
    this.opened.add(traced);
  }

  private close(traced: Traced): void {
    const { occurrence, iterations } = traced.open!;
    traced.samples.push({ occurrence, iterations });
    traced.open = undefined;
    this.opened.delete(traced);
  }

  /** Once the run is over. */
  finish(): LoopTrace[] {
    for (const traced of this.opened) this.close(traced);
    return this.requests.map(({ header }) => ({ header, samples: this.traced.get(header)!.samples }));
  }
}

/** Back in the loop after a call that went through it again. */
function resume({ open, request }: Traced, { address, place }: LogEntry): void {
  if (open?.isSuspended && place >= open.rsp && isWithin(loopOf(request), address)) open.isSuspended = false;
}

const loopOf = ({ body, loop }: TraceRequest): readonly CodeRange[] => loop ?? body;

function isWithin(ranges: readonly CodeRange[], address: number): boolean {
  return ranges.some(({ start, end }) => address >= start && address < end);
}
