import { runningGoroutine } from '../../elf/go/running.ts';
import { isGo } from '../../elf/go/table.ts';
import type { Image } from '../../elf/image.ts';
import type { OwnedStack, StackOwners } from './stacks.ts';

/** What is asked of the guest's state. */
interface GuestWords {
  /** FS's base of the running thread. */
  readonly threadBase: () => number;
  /** Undefined where nothing is mapped, or nothing was ever stored. */
  readonly word: (address: number) => number | undefined;
}

/**
 * Tells whose stack a Go program is on. A goroutine that fills its stack gets a larger one and all it has there is copied
 * (runtime.copystack), as it is to a smaller one when garbage is collected; which goroutine a thread runs is noted before rsp is set (gogo, mcall and
 * systemstack in src/runtime/asm_amd64.s). Its record begins with where its stack lies (`stack` of `g` in src/runtime/runtime2.go).
 * Undefined for what is not Go.
 */
export function goroutines(program: Image, { threadBase, word }: GuestWords): StackOwners | undefined {
  const distance = isGo(program) ? runningGoroutine(program) : undefined;
  if (distance === undefined) return undefined;
  return (rsp): OwnedStack | undefined => {
    const owner = word(threadBase() + distance);
    if (!owner) return undefined;
    const start = word(owner);
    const end = word(owner + 8);
    // Some calls run on the thread's own stack in the goroutine's name (time.now).
    if (start === undefined || end === undefined || rsp <= start || rsp > end) return undefined;
    return { owner, start, end };
  };
}
