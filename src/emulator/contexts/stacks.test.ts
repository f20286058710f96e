import { describe, expect, it } from 'vitest';
import { Stack, Stacks } from './stacks.ts';

const MAIN = { start: 0xf00_0000, end: 0x1000_0000 };
const RSP = 0xfff_f000;
/** Where a coroutine's stack was entered. */
const TOP = 0x80_0000;

/** A thread on its main stack, and on a coroutine's from there. */
function onCoroutine(): { readonly stacks: Stacks; readonly coroutine: Stack } {
  const stacks = new Stacks(Stack.main(MAIN));
  const coroutine = stacks.after(RSP, TOP);
  stacks.entered.push(coroutine);
  return { stacks, coroutine };
}

describe('stacks', () => {
  it('the main one is left for no address that lies on it', () => {
    const stacks = new Stacks(Stack.main(MAIN));
    for (const rsp of [RSP - 0x80_0000, RSP, MAIN.end]) expect(stacks.after(RSP, rsp)).toBe(stacks.present);
    expect(stacks.after(RSP, MAIN.end + 8)).not.toBe(stacks.present);
  });

  it('another one is entered at an address, and the main one again from there', () => {
    const { stacks, coroutine } = onCoroutine();
    expect(coroutine.kind).toBe('other');
    expect(stacks.after(TOP - 64, RSP)).toBe(stacks.entered[0]);
  });

  it('one that was left is entered where it was left, a little below that, or above', () => {
    const { stacks, coroutine } = onCoroutine();
    expect(stacks.after(TOP - 64, RSP)).toBe(stacks.entered[0]);
    stacks.entered.pop();
    stacks.left.add(coroutine);
    for (const rsp of [TOP - 64, TOP - 72, TOP - 8, TOP]) expect(stacks.after(RSP, rsp)).toBe(coroutine);
    for (const rsp of [TOP - 0x1000, TOP + 8]) expect(stacks.after(RSP, rsp)).not.toBe(coroutine);
  });

  it('one that was left is entered up to where a call began that is open there, though it was never seen so far up when it was left', () => {
    const { stacks, coroutine } = onCoroutine();
    stacks.entered.pop();
    coroutine.reach(TOP + 64);
    stacks.left.add(coroutine);
    expect(stacks.after(RSP, TOP + 64)).toBe(coroutine);
    expect(stacks.after(RSP, TOP + 72)).not.toBe(coroutine);
  });

  it('room of a computed size is made and given back on the same one', () => {
    const { stacks, coroutine } = onCoroutine();
    expect(stacks.after(TOP - 64, TOP - 64 - 0x2000)).toBe(coroutine);
    expect(stacks.after(TOP - 64 - 0x2000, TOP - 64)).toBe(coroutine);
    expect(stacks.after(TOP - 64, TOP - 64 - 0x1_0000)).not.toBe(coroutine);
  });

  it('a known one is told from room that would reach there', () => {
    const { stacks, coroutine } = onCoroutine();
    const below = TOP - 0x1000;
    stacks.left.add(Stack.other(below));
    expect(stacks.after(TOP - 64, below)).not.toBe(coroutine);
  });

  it('the one that was given to a thread has room of any size, up to its ends', () => {
    const stacks = new Stacks(Stack.given({ start: TOP - 0x10_0000, end: TOP }));
    for (const rsp of [TOP - 0xf_0000, TOP - 64, TOP])
      expect(stacks.after(TOP - 0x8000, rsp)).toBe(stacks.present);
    for (const rsp of [TOP - 0x10_0000, TOP + 8]) expect(stacks.after(TOP - 0x8000, rsp).kind).toBe('other');
  });

  it('what is thrown through many frames at once stays on it', () => {
    const { stacks, coroutine } = onCoroutine();
    expect(stacks.after(TOP - 0x8_0000, TOP - 64)).toBe(coroutine);
  });

  it('the alternate one of signals is left for what lies elsewhere', () => {
    const { stacks, coroutine } = onCoroutine();
    const alternate = Stack.alternate({ start: 0x60_0000, end: 0x60_2000 });
    stacks.entered.push(alternate);
    expect(stacks.after(0x60_1000, 0x60_1800)).toBe(alternate);
    coroutine.note(TOP - 64);
    expect(stacks.after(0x60_1000, TOP - 64)).toBe(coroutine);
  });

  describe('that the guest tells the owners of', () => {
    /** Two of them lie beside each other, closer than room that is made. */
    const SMALL = { owner: 1, start: TOP, end: TOP + 0x800 };
    const NEXT = { owner: 2, start: TOP + 0x800, end: TOP + 0x1000 };
    const LARGE = { owner: 1, start: TOP + 0x10_0000, end: TOP + 0x10_1000 };

    function withOwners() {
      const moves: number[] = [];
      let told: typeof SMALL | undefined = SMALL;
      const stacks = new Stacks(
        Stack.main(MAIN),
        () => told,
        (_, distance) => moves.push(distance),
      );
      const stackFor = (rsp: number, owned: typeof SMALL | undefined, before = RSP) => {
        told = owned;
        return stacks.after(before, rsp);
      };
      return { stacks, moves, stackFor };
    }

    it('an owner has one stack, wherever it is', () => {
      const { moves, stackFor } = withOwners();
      const small = stackFor(SMALL.end - 8, SMALL);
      expect(small.kind).toBe('owned');
      expect(stackFor(SMALL.end - 64, SMALL)).toBe(small);
      expect(moves).toEqual([]);
      expect(stackFor(LARGE.end - 64, LARGE)).toBe(small);
      expect(moves).toEqual([LARGE.end - SMALL.end]);
    });

    it('what lies where another one was is a new one', () => {
      const { stacks, stackFor } = withOwners();
      const first = stackFor(SMALL.end - 8, SMALL);
      stacks.left.add(first);
      expect(stackFor(LARGE.end - 64, LARGE)).toBe(first);
      const second = stackFor(SMALL.end - 8, { ...SMALL, owner: 3 });
      expect(second).not.toBe(first);
      expect(stackFor(SMALL.end - 8, { ...SMALL, owner: 3 })).toBe(second);
    });

    it('what lies where one is that was left for good is a new one', () => {
      const { stacks, stackFor } = withOwners();
      const first = stackFor(SMALL.end - 8, SMALL);
      stacks.left.add(first);
      expect(stackFor(SMALL.end - 64, { ...SMALL, owner: 3 })).not.toBe(first);
      stacks.left.delete(first);
      stacks.entered.push(first, stackFor(LARGE.end - 8, { ...LARGE, owner: 4 }));
      expect(stackFor(SMALL.end - 64, { ...SMALL, owner: 5 }, LARGE.end - 64)).not.toBe(first);
    });

    it('neighbours are told apart, and from room on the present one', () => {
      const { stacks, stackFor } = withOwners();
      const first = stackFor(SMALL.end - 8, SMALL);
      stacks.entered.push(first);
      expect(stackFor(SMALL.start + 8, NEXT, SMALL.end - 8)).toBe(first);
      expect(stackFor(NEXT.end - 8, NEXT, SMALL.end - 8)).not.toBe(first);
    });

    it('the main one is entered in the name of an owner whose stack is elsewhere', () => {
      const { stacks, stackFor } = withOwners();
      stacks.entered.push(stackFor(SMALL.end - 8, SMALL));
      expect(stackFor(RSP, undefined, SMALL.end - 8)).toBe(stacks.entered[0]);
    });
  });
});
