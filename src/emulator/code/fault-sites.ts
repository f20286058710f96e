/** Restarts until whatever follows the first fault that was not foreseen is executed one instruction at a time. */
const MOST_RESTARTS = 12;
/** Instructions before the slice in which a fault came, from which on they are executed one at a time to find it. */
const MARGIN = 20_000;
/**
 * For so many instructions behind a fault at a new place they are still executed one at a time, which takes ten times as long: programs
 * that begin to catch faults do so at several places. Of sbcl's, eleven come within 1.2 million instructions after 70 million.
 */
const lingering = (executed: number): number => Math.max(1_000_000, executed / 32);

/**
 * Where faults come that the guest handles. In the usual code the state of a faulting instruction is lost: registers are in
 * locals, and a block's instructions are counted before they are executed. So when a fault comes, the run begins anew, and
 * shortly before it instructions are executed one at a time; then it is known exactly. From then on the instruction, and
 * the one that ran before it, whose c the handler's arguments get (rule 8), are executed so wherever they come up again,
 * which costs the rest of the program nothing. All this depends on the guest alone.
 */
export class FaultSites {
  private readonly addresses = new Set<number>();
  private restarts = 0;
  /** Count of instructions from which on they are executed one at a time, and from which on no more. */
  private from = Infinity;
  private until = Infinity;
  /** A fault came whose place is not known yet, after so many instructions at least. */
  private isSought = false;
  private soughtAt = 0;
  private isForever = false;
  /** Translated code may know of none of the sites. */
  isNew = false;

  has(address: number): boolean {
    return this.addresses.has(address);
  }

  /**
   * Count of instructions at which slices must end, because others follow that are executed one at a time, in a run that has executed
   * so many. Once a run has come through them, runs that begin anew have no need to.
   */
  startFor(executed: number): number {
    if (executed >= this.until) this.from = this.until = Infinity;
    return this.from;
  }

  /** A fault came that must be found: the run is to begin anew. It came after so many instructions at least. */
  ask(executed: number): void {
    this.restarts++;
    if (this.restarts > MOST_RESTARTS) this.isForever = true;
    const margin = this.isSought ? 2 ** this.restarts * MARGIN : MARGIN;
    const sought = this.isSought || this.isForever ? Math.min(executed, this.from) : executed;
    this.from = Math.max(0, sought - margin);
    this.until = Infinity;
    this.isSought = true;
    this.soughtAt = executed;
  }

  /**
   * It is known exactly where a fault came, after so many instructions; the one that was asked for is the first at a new place, or so late
   * that it is none of those before it: code may have come from elsewhere that knew nothing of the place. Gives what was not known of the
   * addresses, of which translated code knows nothing.
   */
  found(executed: number, addresses: readonly number[]): readonly number[] {
    const more = addresses.filter((address) => !this.addresses.has(address));
    const isFound = more.length > 0 || (this.isSought && executed >= this.soughtAt);
    if (!isFound) return more;
    for (const address of more) this.addresses.add(address);
    this.isSought = false;
    if (!this.isForever) this.until = executed + lingering(executed);
    return more;
  }

  /** Whether a fault may come at a place that is not known: code that cannot be stepped is to be precise everywhere. */
  get isSeeking(): boolean {
    return this.isSought || this.isForever;
  }

  /** There may be code that knows of no site. */
  unsettle(): void {
    this.isNew = this.addresses.size > 0;
  }

  /** All code that is made from now on knows of all sites. */
  settle(): void {
    this.isNew = false;
  }
}
