/** A range of addresses that rsp has on a stack: above the one, up to the other. */
export interface StackRange {
  readonly start: number;
  readonly end: number;
}

/** A stack as the guest's own runtime tells of it: its owner may get another one, to which all that is on it is moved. */
export interface OwnedStack extends StackRange {
  readonly owner: number;
}

/**
 * One of a thread's stacks. Where some lie is known: the main one, which grows, the one that was given to a thread with its size, the
 * alternate one of signals, and those of goroutines. Of others, a coroutine's or what a thread was started on by `clone`, is known what has been seen: how far up it
 * goes, and rsp where it was left.
 */
export class Stack {
  readonly kind: 'main' | 'given' | 'alternate' | 'owned' | 'other';
  /** Where it lies; of another one: where rsp was when it was left, less something, and the highest that rsp was seen to be there. */
  private low: number;
  private high: number;

  private constructor(kind: Stack['kind'], { start, end }: StackRange) {
    this.kind = kind;
    this.low = start;
    this.high = end;
  }

  static main(range: StackRange): Stack {
    return new Stack('main', range);
  }

  /** A thread was started on it. */
  static given(range: StackRange): Stack {
    return new Stack('given', range);
  }

  static alternate(range: StackRange): Stack {
    return new Stack('alternate', range);
  }

  static owned(range: StackRange): Stack {
    return new Stack('owned', range);
  }

  /** It was entered at an address. */
  static other(rsp: number): Stack {
    return new Stack('other', { start: rsp - BELOW, end: rsp });
  }

  /** As far as is known. */
  get start(): number {
    return this.low;
  }

  get end(): number {
    return this.high;
  }

  /** The main one has grown, perhaps. */
  grow(start: number): void {
    this.low = start;
  }

  /** Its owner has it there now. Returns by how much all on it has moved: stacks are filled from their ends. */
  moveTo({ start, end }: StackRange): number {
    const distance = end - this.high;
    this.low = start;
    this.high = end;
    return distance;
  }

  /** rsp is there. */
  note(rsp: number): void {
    if (this.kind !== 'other') return;
    if (rsp > this.high) this.high = rsp;
    this.low = rsp - BELOW;
  }

  /** A call that is open there began at an address: it goes so far up, whatever was known of it. */
  reach(slot: number): void {
    if (this.kind === 'other' && slot > this.high) this.high = slot;
  }

  /** Whether rsp is on it again once it was left. */
  holds(rsp: number): boolean {
    return rsp > this.low && rsp <= this.high;
  }

  /** Whether rsp is still on it, where it was before, whatever other stacks there are. */
  keeps(before: number, rsp: number): boolean {
    return this.kind === 'other' ? rsp >= before && rsp <= this.high : this.holds(rsp);
  }
}

/** Code that leaves a stack may have noted where it goes on before it pushed its last. */
const BELOW = 256;

/**
 * Code that makes room of a size that it computes, or gives that back, may set rsp to its other end, which is not distinguished from
 * another stack but by how far that is: few stacks are smaller.
 */
const LARGEST_ROOM = 0x4000;

/** What the guest's runtime tells of the stack that rsp is on, if there is one that tells. */
export type StackOwners = (rsp: number) => OwnedStack | undefined;

/**
 * The stacks of one thread, as far as contexts are open on them: "on its own stack" (rule 9). Those that were entered one from the
 * other, the present one last; and those that were left while contexts were open on them.
 */
export class Stacks {
  readonly entered: [Stack, ...Stack[]];
  readonly left = new Set<Stack>();
  /** By owner, whether contexts are open there or not: goroutines are used again. */
  private readonly owned = new Map<number, Stack>();
  private readonly ownerAt: StackOwners;
  private readonly moved: (stack: Stack, distance: number) => void;

  /** Hears of stacks that are elsewhere now, with all that is open on them. */
  constructor(
    own: Stack,
    ownerAt: StackOwners = () => undefined,
    moved: (stack: Stack, distance: number) => void = () => {},
  ) {
    this.entered = [own];
    this.ownerAt = ownerAt;
    this.moved = moved;
  }

  get present(): Stack {
    return this.entered[this.entered.length - 1];
  }

  /** The stack that rsp is on when code has set it. */
  after(before: number, rsp: number): Stack {
    const { present, entered } = this;
    present.note(before);
    if (present.keeps(before, rsp)) return present;
    const owned = this.ownerAt(rsp);
    if (owned !== undefined) {
      const its = this.owned.get(owned.owner);
      if (its !== undefined) return this.movedTo(owned, its);
    }
    // Another owner's that lies there was left for good: who owned it ended, or goes on in another thread.
    const isKnown = (stack: Stack) => stack.holds(rsp) && !(owned !== undefined && stack.kind === 'owned');
    for (let i = entered.length - 2; i >= 0; i--) if (isKnown(entered[i])) return entered[i];
    let known: Stack | undefined;
    for (const stack of this.left) if (isKnown(stack)) known = stack;
    if (known !== undefined) return known;
    if (owned !== undefined) return this.own(owned);
    const isRoom = present.kind === 'other' && Math.abs(rsp - before) <= LARGEST_ROOM;
    return isRoom ? present : Stack.other(rsp);
  }

  private movedTo(range: StackRange, stack: Stack): Stack {
    const distance = stack.moveTo(range);
    if (distance !== 0) this.moved(stack, distance);
    return stack;
  }

  private own(owned: OwnedStack): Stack {
    const stack = Stack.owned(owned);
    this.owned.set(owned.owner, stack);
    return stack;
  }
}
