import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CodeReader } from '../../src/x86/decode.ts';
import { FPU_CONTROL, MXCSR, R11, RAX, RCX, RDI, RSI, RSP, VARIABLES } from '../../src/x86/state.ts';
import { assembleTexts } from '../reference/assemble.ts';
import { callTree, PLAIN_CODE, threadView } from '../reference/calls.ts';
import { measure } from '../reference/graph.ts';
import { ReferenceMachine } from '../reference/machine.ts';
import { type ReferenceRun, referenceRun, type SystemCallEffects } from '../reference/run.ts';
import { hasNativeOracle } from '../x86/native/runner.ts';

interface Case {
  readonly rule: string;
  readonly name: string;
  readonly asm: string;
  readonly instructions: number;
  readonly cycles: number;
}

const { cases } = JSON.parse(readFileSync(new URL('./rules.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

const CODE = 0x1000;
const BUFFERS = 0x2000;
const STACK = 0x5000;
const RETURN = 0x6000;

/** Runs a fragment as a function that was called: all registers written before, the return address on the stack. */
function run(code: Uint8Array): ReferenceRun {
  const memory = new Uint8Array(0x10000);
  memory.set(code, CODE);
  const machine = new ReferenceMachine((address, length) =>
    memory.subarray(Number(address), Number(address) + length),
  );
  machine.set(RDI, BigInt(BUFFERS));
  machine.set(RSI, BigInt(BUFFERS + 4096));
  machine.set(RSP, BigInt(STACK));
  machine.set(MXCSR, 0x1f80);
  machine.set(FPU_CONTROL, 0x37f);
  new DataView(memory.buffer).setBigUint64(STACK, BigInt(RETURN), true);
  return referenceRun({
    machine,
    code: new CodeReader((address) => memory.subarray(address, address + 15)),
    entry: CODE,
    until: RETURN,
    systemCall: getpid,
  });
}

const locations = (variables: readonly number[]): number[] =>
  variables.map((variable) => VARIABLES[variable].location as number);

/** The system call of the cases: it has no arguments. */
function getpid(machine: ReferenceMachine): SystemCallEffects {
  machine.writeI64(RAX, 1n);
  return { sources: locations([RAX]), destinations: locations([RAX, RCX, R11]), loads: [], stores: [] };
}

describe.skipIf(!hasNativeOracle())('the measurement rules in the naive reference', () => {
  const codes = assembleTexts(cases.map(({ asm }) => `${asm}\nret`));

  cases.forEach(({ rule, name, instructions, cycles }, i) => {
    it(`rule ${rule}: ${name}`, () => {
      const { graph } = run(codes[i]);
      const { instructions: count, cycles: longest, chain } = measure(graph, 0, graph.length);
      expect({ instructions: count, cycles: longest }).toEqual({ instructions, cycles });
      expect(chain).toHaveLength(cycles);
    });
  });

  it('rule 9: a nested call has its own instructions and cycles', () => {
    const nested = cases.findIndex(({ name }) => name.startsWith('a nested call'));
    const { graph, trace } = run(codes[nested]);
    const outer = callTree(threadView(graph, trace), trace, PLAIN_CODE);
    const [inner] = outer.calls;
    expect(outer.calls).toHaveLength(1);
    expect(measure(graph, inner.start, inner.end)).toMatchObject({ instructions: 2, cycles: 1 });
  });
});
