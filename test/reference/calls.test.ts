import { describe, expect, it } from 'vitest';
import { CodeReader } from '../../src/x86/decode.ts';
import { RSP } from '../../src/x86/state.ts';
import { hasNativeOracle } from '../x86/native/runner.ts';
import { assembleTexts } from './assemble.ts';
import { type Call, type CodeMap, callTree, PLAIN_CODE, threadView } from './calls.ts';
import { DataFlowGraph, measure } from './graph.ts';
import { ReferenceMachine } from './machine.ts';
import { referenceRun } from './run.ts';

const CODE = 0x1000;
const STACK = 0x8000;
const RETURN = 0x9000;

/** Functions are 32 bytes apart. */
const FUNCTION_SIZE = 0x20;
const functionAt = (address: number): number => address - (address % FUNCTION_SIZE);
const FUNCTIONS: CodeMap = {
  functionAt,
  isEntry: (address) => functionAt(address) === address,
  isStub: () => false,
};

/** The calls of a text run as a program. */
function callsOf(text: string, code: CodeMap = PLAIN_CODE): string {
  const memory = new Uint8Array(0x10000);
  memory.set(assembleTexts([text])[0], CODE);
  const machine = new ReferenceMachine((address, length) =>
    memory.subarray(Number(address), Number(address) + length),
  );
  machine.set(RSP, BigInt(STACK));
  new DataView(memory.buffer).setBigUint64(STACK, BigInt(RETURN), true);
  const { graph, trace } = referenceRun({
    machine,
    code: new CodeReader((address) => memory.subarray(address, address + 15)),
    entry: CODE,
    until: RETURN,
  });
  return show(callTree(threadView(graph, trace), trace, code));
}

/** `0x20(3: 0x40(1))`: callee's offset, instructions, calls. */
function show({ callee, start, end, calls }: Call): string {
  const inner = calls.length === 0 ? '' : `: ${calls.map(show).join(' ')}`;
  return `0x${(callee - CODE).toString(16)}(${end - start}${inner})`;
}

describe.skipIf(!hasNativeOracle())('contexts (rule 9)', () => {
  it('nest, each from its first instruction to its ret', () => {
    const text = `
      call f
      call g
      ret
      .balign 32
      f: nop
      call g
      ret
      .balign 32
      g: ret`;
    expect(callsOf(text)).toBe('0x0(8: 0x20(4: 0x40(1)) 0x40(1))');
  });

  it('of a jump to another function is a tail call, closed by the one ret', () => {
    const text = `
      call f
      ret
      .balign 32
      f: nop
      jmp g
      .balign 32
      g: nop
      ret`;
    expect(callsOf(text, FUNCTIONS)).toBe('0x0(6: 0x20(4: 0x40(2)))');
    expect(callsOf(text)).toBe('0x0(6: 0x20(4))');
  });

  it('of a recursion nest to its depth; a loop to the own entry is no call', () => {
    const text = `
      mov ecx, 3
      call f
      ret
      .balign 32
      f: dec ecx
      jz 1f
      call f
      1: ret`;
    expect(callsOf(text, FUNCTIONS)).toBe('0x0(14: 0x20(11: 0x20(7: 0x20(3))))');
    const loop = `
      mov ecx, 3
      call f
      ret
      .balign 32
      f: dec ecx
      jnz f
      ret`;
    expect(callsOf(loop, FUNCTIONS)).toBe('0x0(10: 0x20(7))');
  });

  it('close when the stack pointer rises above their return slot, as longjmp lets it', () => {
    const text = `
      mov rbx, rsp
      call f
      after: ret
      .balign 32
      f: call g
      ret
      .balign 32
      g: mov rsp, rbx
      jmp after`;
    expect(callsOf(text)).toBe('0x0(6: 0x20(2: 0x40(1)))');
  });
});

describe('the canonical chain (rule 10)', () => {
  /** `destination: sources`, by location. */
  const graphOf = (steps: readonly (readonly [number, readonly number[]])[]): DataFlowGraph => {
    const graph = new DataFlowGraph();
    steps.forEach(([destination, sources], i) => {
      graph.append(i, { sources, destinations: [destination], loads: [], stores: [] });
    });
    return graph;
  };

  it('ends at the first instruction of the last cycle', () => {
    const graph = graphOf([
      [0, []],
      [1, []],
      [2, [1]],
      [3, [0]],
    ]);
    expect(measure(graph, 0, 4)).toEqual({ instructions: 4, cycles: 2, chain: [1, 2] });
  });

  it('follows, of producers in the same cycle, the one that ran last', () => {
    const graph = graphOf([
      [0, []],
      [1, []],
      [2, [0, 1]],
    ]);
    expect(measure(graph, 0, 3).chain).toEqual([1, 2]);
  });

  it('starts anew in a context: what was written before is available at cycle 0', () => {
    const graph = graphOf([
      [0, []],
      [1, [0]],
      [2, [1]],
    ]);
    expect(measure(graph, 1, 3)).toEqual({ instructions: 2, cycles: 2, chain: [1, 2] });
  });
});
