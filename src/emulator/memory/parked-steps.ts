import { LAST_STEP, STEPS } from '../../guest/layout.ts';
import { LOCATIONS, locationOf, RAX } from '../../x86/state.ts';

const SIZE = 16 * LOCATIONS;
/** Behind them: the step of the last retired instruction. */
const LAST_SIZE = 16;
const WRITTEN = 16 * locationOf(RAX);

/** Steps of the registers of threads that are not running, and of what each retired last. */
export class ParkedSteps implements Iterable<Uint8Array> {
  private readonly memory: Uint8Array;
  private readonly parked = new Set<Uint8Array>();
  /** Their room, once they run. */
  private readonly free: Uint8Array[] = [];

  constructor(memory: Uint8Array) {
    this.memory = memory;
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.parked[Symbol.iterator]();
  }

  clear(): void {
    this.parked.clear();
  }

  /** Those of the running thread. */
  park(): Uint8Array {
    const { memory } = this;
    const steps = this.free.pop() ?? new Uint8Array(SIZE + LAST_SIZE);
    steps.set(memory.subarray(STEPS, STEPS + SIZE));
    steps.set(memory.subarray(LAST_STEP, LAST_STEP + LAST_SIZE), SIZE);
    this.parked.add(steps);
    return steps;
  }

  /** Those of a thread that the system call that was just performed has started, with what it wrote there. */
  fork(destinations: readonly number[]): Uint8Array {
    const steps = this.park();
    for (const location of destinations) steps.copyWithin(16 * location, WRITTEN, WRITTEN + 16);
    return steps;
  }

  /** They are the running thread's again. */
  resume(steps: Uint8Array): void {
    this.memory.set(steps.subarray(0, SIZE), STEPS);
    this.memory.set(steps.subarray(SIZE), LAST_STEP);
    this.drop(steps);
  }

  /** Of a thread that has ended. */
  drop(steps: Uint8Array): void {
    this.parked.delete(steps);
    this.free.push(steps);
  }
}
