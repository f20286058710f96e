import {
  CLOCK,
  CONTEXT_ASKS,
  CONTEXT_LIMIT,
  CONTEXT_SLOT,
  CONTEXT_TOP,
  FUEL,
  STACK_HIGH,
  STACK_LOW,
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

/** Pushes whether rsp, which a local has, is on the stack for sure that it was on before (emulator/contexts/stacks.ts). */
export function pushStays(f: FunctionBuilder, before: number, rsp: number): void {
  f.get(rsp);
  f.get(before);
  f.op('i64.ge_u');
  f.get(rsp);
  pushWord(f, 'i64', STACK_LOW);
  f.op('i64.ge_u');
  f.op('i32.or');
  f.get(rsp);
  pushWord(f, 'i64', STACK_HIGH);
  f.op('i64.le_u');
  f.op('i32.and');
}

/** Pushes whether JavaScript is asked in which layer a call at a depth opens. */
export function pushAsks(f: FunctionBuilder, depth: number): void {
  pushWord(f, 'i32', CONTEXT_ASKS);
  f.get(depth);
  f.op('i32.shr_u');
  f.i32(1);
  f.op('i32.and');
}
