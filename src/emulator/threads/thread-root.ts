/** Instructions that a thread takes at most from its beginning to the function that it was started for. */
const LONGEST_WAY = 5000;

/**
 * Looks for the function that a thread was started for. A library's thread begins in the function that made it, which calls
 * the library's own first function through a register, which calls what the program gave it through a pointer (glibc's
 * start_thread, musl's start): the second indirect call leads there. A thread that gets no thread-local storage of its own (clone(3),
 * Go's runtime) is no library's: the first one does. Where there is none soon, the last one's target stands for the thread.
 */
export class RootSearch {
  private readonly calls: 1 | 2;
  private readonly targets: number[] = [];
  private steps = 0;

  /** `fsBase`: where its thread-local storage is, if it gets one. */
  constructor(fsBase: bigint | undefined) {
    this.calls = fsBase === undefined ? 1 : 2;
  }

  /** An instruction was executed, which led to an address. */
  note(wasIndirectCall: boolean, next: number): void {
    this.steps++;
    if (wasIndirectCall) this.targets.push(next);
  }

  get isFound(): boolean {
    return this.targets.length === this.calls;
  }

  get isOver(): boolean {
    return this.isFound || this.steps === LONGEST_WAY;
  }

  /** The best that is known by now. */
  get root(): number | undefined {
    return this.targets.at(-1);
  }
}
