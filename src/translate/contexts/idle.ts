import { CONTEXT_ASKS, CONTEXT_IDLE_BELOW, CONTEXT_TOP } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { pushWord } from './record-code.ts';
import { FRAME } from './records.ts';

/**
 * Pushes whether no context is open for sure that a lane measures. What is computed then has no meaning: whatever opens later has all steps so
 * far at or below its floor. Not to be asked in a call in line, whose context has no frame (leaf-log.ts).
 *
 * Passes over deeper calls are idle while a program's outer loops run, and need not tell the bytes apart that these store one by one: of two
 * buffers of 30 MB that a filter fills in turn the second pass took half the time, and the third and fourth were not needed any more.
 */
export function pushIsIdle(f: FunctionBuilder): void {
  pushWord(f, 'i32', CONTEXT_TOP);
  f.memory('i32.load', FRAME.depth);
  pushWord(f, 'i32', CONTEXT_IDLE_BELOW);
  f.op('i32.lt_s');
  // Contexts on several stacks: some may have been left that a lane measures.
  pushWord(f, 'i32', CONTEXT_ASKS);
  f.op('i32.eqz');
  f.op('i32.and');
}
