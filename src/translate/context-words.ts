import {
  CLOCK,
  CONTEXT_LIMIT,
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  FUEL,
  STACK_SIZE,
  STACK_TOP,
} from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { FRAME } from './context-records.ts';
import { pushField, pushWord, setWord } from './record-code.ts';

/** What opening and closing contexts have in common. */

export function pushExecuted(f: FunctionBuilder): void {
  pushWord(f, 'i64', CLOCK);
  pushWord(f, 'i64', FUEL);
  f.op('i64.sub');
}

/** Tells generated code about the innermost context. */
export function shareTop(f: FunctionBuilder, frame: number): void {
  setWord(f, 'i64', CONTEXT_SLOT, () => pushField(f, 'i64', frame, FRAME.slot));
  // 0 < depth < limit, the limit unsigned: -1 is none. Above main nothing opens (rule 9).
  setWord(f, 'i32', CONTEXT_OPENS, () => {
    pushField(f, 'i32', frame, FRAME.depth);
    f.i32(1);
    f.op('i32.sub');
    pushWord(f, 'i32', CONTEXT_LIMIT);
    f.i32(1);
    f.op('i32.sub');
    f.op('i32.lt_u');
  });
}

/** "On its own stack" (rule 9): the main stack, or any other one. */
export function pushIsSameStack(f: FunctionBuilder, a: number, b: number): void {
  for (const address of [a, b]) {
    f.get(address);
    f.i64(BigInt(STACK_TOP - STACK_SIZE + 1));
    f.op('i64.sub');
    f.i64(BigInt(STACK_SIZE));
    f.op('i64.lt_u');
  }
  f.op('i32.eq');
}
