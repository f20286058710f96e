/** How a cache of decoded instructions is looked up where lines of code matter. */
export interface CodeLines {
  /** Of an aligned line. */
  readonly bytes: number;
  /** Micro-operations in one of its entries. */
  readonly entry: number;
}

/** An instruction as the front end sees it: which it is, and its slots. */
interface Fetched {
  readonly instruction: number;
  readonly length: number;
  readonly slots: readonly number[];
  /** It is fused with the one before, and has no slot of its own. */
  readonly fusedWithPrevious: boolean;
}

/** A stretch of code that is looked up at once: up to the end of its line, or to a taken branch. */
interface Stretch {
  /** Slots of its instructions. */
  slots: number;
  /** The same with a branch that ends it in the next line. */
  counted: number;
  line: number;
  endsTaken: boolean;
}

/**
 * Slots up to and with the last of each cycle's delivery, ascending: what is looked up in a cycle is one stretch, or a stretch
 * of one entry and the one after it. Taken branches end a cycle, and so does `width`. A branch that reaches into the next line
 * belongs to the stretch there. (Measured on Zen 5: loops of 7 to 24 instructions at every offset from a line of 64 bytes.
 * Seven of eleven in the first line take two cycles an iteration, six of them one.)
 */
export function deliveryEnds(
  fetched: readonly Fetched[],
  addresses: readonly number[],
  taken: ReadonlySet<number>,
  { bytes, entry }: CodeLines,
  width: number,
): readonly number[] {
  // A body may begin in the middle of what is executed without a taken branch.
  const first = 1 + fetched.findLastIndex(({ instruction }) => taken.has(instruction));
  const order = [...fetched.slice(first), ...fetched.slice(0, first)];
  const before = slotsOf(fetched.slice(0, first));
  const total = slotsOf(fetched);
  const ends: number[] = [];
  let delivered = 0;
  let ofCycle = 0;
  let mayJoin = false;
  const close = (): void => {
    if (ofCycle > 0) ends.push(((before + delivered - 1) % total) + 1);
    ofCycle = 0;
  };
  for (const { slots, counted, endsTaken } of stretchesOf(order, addresses, taken, bytes)) {
    const joins: boolean = ofCycle > 0 && mayJoin;
    if (!joins) close();
    for (let left = slots; left > 0; ) {
      if (ofCycle === width) close();
      const now = Math.min(left, width - ofCycle);
      delivered += now;
      ofCycle += now;
      left -= now;
    }
    mayJoin = !joins && counted <= entry;
    if (endsTaken) close();
  }
  close();
  return ends.sort((a, b) => a - b);
}

const slotsOf = (fetched: readonly Fetched[]): number =>
  fetched.reduce((sum, { slots }) => sum + slots.length, 0);

function stretchesOf(
  fetched: readonly Fetched[],
  addresses: readonly number[],
  taken: ReadonlySet<number>,
  bytes: number,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const lineOf = (address: number): number => Math.floor(address / bytes);
  let current: Stretch | undefined;
  fetched.forEach(({ instruction, length, slots }, at) => {
    const address = addresses[instruction];
    const count = slots.length;
    const isFused = fetched[at].fusedWithPrevious;
    if (!isFused && (current === undefined || current.endsTaken || current.line !== lineOf(address))) {
      current = { slots: 0, counted: 0, line: lineOf(address), endsTaken: false };
      stretches.push(current);
    }
    const own = current!;
    own.slots += count;
    own.counted += count;
    if (!taken.has(instruction)) return;
    own.endsTaken = true;
    if (lineOf(address + length - 1) === own.line) return;
    if (own.slots === 0) return;
    // The slot that the branch ends is the last one, its own or that of the pair.
    own.endsTaken = false;
    own.slots--;
    current = { slots: 1, counted: 1, line: own.line + 1, endsTaken: true };
    stretches.push(current);
  });
  return stretches;
}
