/** Restarts until whatever follows the first fault that was not foreseen is executed one instruction at a time. */
const MOST_RESTARTS = 12;
/** Instructions before the slice in which a fault came, from which on they are executed one at a time to find it. */
const MARGIN = 20_000;

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
  /** Count of instructions from which on they are executed one at a time. */
  private from = Infinity;
  private isForever = false;
  /** Sites were found that translated code does not know of. */
  isNew = false;

  has(address: number): boolean {
    return this.addresses.has(address);
  }

  /** Count of instructions at which slices must end, because others follow that are executed one at a time. */
  get start(): number {
    return this.from;
  }

  /** A fault came that must be found: the run is to begin anew. It came after so many instructions at least. */
  ask(executed: number): void {
    this.restarts++;
    if (this.restarts > MOST_RESTARTS) this.isForever = true;
    const margin = Number.isFinite(this.from) ? 2 ** this.restarts * MARGIN : MARGIN;
    this.from = Math.max(0, Math.min(executed, this.from) - margin);
  }

  /** It is known exactly where a fault came; the one that was asked for is the first at a new place. */
  found(...addresses: readonly number[]): void {
    const more = addresses.filter((address) => !this.addresses.has(address));
    if (more.length === 0) return;
    for (const address of more) this.addresses.add(address);
    this.isNew = true;
    if (!this.isForever) this.from = Infinity;
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
