import { readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Niceness beyond ours: a quarter of the processor where both want it (sched(7); weights of 1024 and 335 in kernel/sched/core.c). */
const NICER = 5;

/**
 * Lets the threads of this process that are there, on which V8 compiles and collects, stand back behind this one. V8 starts four of them whatever
 * the machine has: while they compiled what had just been translated, the main thread had to share both of two cores with them. First runs of nine
 * programs take 0.967 of the time so (geometric mean of medians of 7, interleaved; 0.91 to 1.02), with one thread instead of four, which only Node's
 * command line can ask for, 0.90 (0.82 to 0.95 of five). With a niceness of 14 or 19 they take 0.94 of that (10: 0.99), but beside other programs these
 * threads would hardly have a turn: two first runs at the same time on two cores took 1.13 and 1.28 of the time, each.
 *
 * On Linux a priority is each thread's own (setpriority(2)); whatever else is left as it is.
 */
export function standBack(): void {
  try {
    const self = String(process.pid);
    // Numbers of another namespace would be those of other threads.
    if (readlinkSync('/proc/self') !== self) return;
    const niceness = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
    for (const thread of readdirSync('/proc/self/task')) {
      if (thread !== self) setPriority(Number(thread), niceness);
    }
  } catch {
    // It takes longer.
  }
}
