import {
  ALTERNATE_END,
  ALTERNATE_START,
  CLOCK,
  CONTEXT_LIMIT,
  CONTEXT_SLOT,
  CONTEXT_TOP,
  FUEL,
  MAIN_STACK_SIZE,
  MAIN_STACK_START,
} from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { pushField, pushWord, setWord } from './record-code.ts';
import { FRAME } from './records.ts';

/** What opening and closing contexts have in common. */

/** Pushes the instructions executed, given the local that holds what FUEL does if there is one. */
export function pushExecuted(f: FunctionBuilder, fuel?: number): void {
  pushWord(f, 'i64', CLOCK);
  if (fuel === undefined) pushWord(f, 'i64', FUEL);
  else f.get(fuel);
  f.op('i64.sub');
}

/** Tells generated code where the innermost context ends, whose slot a local has. */
export function shareSlot(f: FunctionBuilder, slot: number): void {
  setWord(f, 'i64', CONTEXT_SLOT, () => f.get(slot));
  // A context on the alternate stack also ends where the stack is left, for whatever address.
  pushHasAlternate(f);
  f.if(undefined, 'unlikely');
  pushIsOnAlternate(f, slot);
  f.if();
  setWord(f, 'i64', CONTEXT_SLOT, () => f.i64(0n));
  f.end();
  f.end();
}

/** Whether calls at a depth open contexts: 0 < depth < limit, the limit unsigned: -1 is none. Above main nothing opens (rule 9). */
export function pushOpens(f: FunctionBuilder, depth: number): void {
  f.get(depth);
  f.i32(1);
  f.op('i32.sub');
  pushWord(f, 'i32', CONTEXT_LIMIT);
  f.i32(1);
  f.op('i32.sub');
  f.op('i32.lt_u');
}

/** Return slot of the innermost context. */
export function pushInnermostSlot(f: FunctionBuilder): void {
  const frame = f.local('i32');
  pushWord(f, 'i32', CONTEXT_TOP);
  f.set(frame);
  pushField(f, 'i64', frame, FRAME.slot);
}

/** Whether there is an alternate stack of signals: mostly not, and then nothing is on it. */
export function pushHasAlternate(f: FunctionBuilder): void {
  pushWord(f, 'i64', ALTERNATE_START);
  pushWord(f, 'i64', ALTERNATE_END);
  f.op('i64.ne');
}

/** Whether an address that rsp may have is on the alternate stack of signals. */
export function pushIsOnAlternate(f: FunctionBuilder, address: number): void {
  f.get(address);
  pushWord(f, 'i64', ALTERNATE_START);
  f.op('i64.sub');
  f.i64(1n);
  f.op('i64.sub');
  pushWord(f, 'i64', ALTERNATE_END);
  pushWord(f, 'i64', ALTERNATE_START);
  f.op('i64.sub');
  f.op('i64.lt_u');
}

/** "On its own stack" (rule 9): the alternate one of signals wherever it lies, the main stack, or any other one. */
export function pushIsSameStack(f: FunctionBuilder, a: number, b: number): void {
  const pushIsOnMain = (address: number) => {
    f.get(address);
    pushWord(f, 'i64', MAIN_STACK_START);
    f.op('i64.sub');
    f.i64(1n);
    f.op('i64.sub');
    pushWord(f, 'i64', MAIN_STACK_SIZE);
    f.op('i64.lt_u');
  };
  pushHasAlternate(f);
  f.if('i32', 'unlikely');
  for (const address of [a, b]) {
    pushIsOnAlternate(f, address);
    f.if('i32');
    f.i32(2);
    f.else();
    pushIsOnMain(address);
    f.end();
  }
  f.op('i32.eq');
  f.else();
  pushIsOnMain(a);
  pushIsOnMain(b);
  f.op('i32.eq');
  f.end();
}
