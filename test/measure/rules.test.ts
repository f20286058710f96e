import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionRecord } from '../../src/observation/observation.ts';
import { answer } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { measureFast } from './fast.ts';

interface Case {
  readonly rule: string;
  readonly name: string;
  readonly isa?: string;
  readonly asm: string;
  readonly instructions: number;
  readonly cycles: number;
}

/** The measurement rules' conformance cases. */
const { cases } = JSON.parse(readFileSync(new URL('../conformance/rules.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

const REGISTERS = 'rax rbx rcx rdx rbp r8 r9 r10 r11 r12 r13 r14 r15'.split(' ');

/** What every fragment finds: all registers written, rdi and rsi at two buffers of zeros, one after the other. */
const PREPARE = `
  lea rdi, buffers[rip]
  mov ecx, 8192
  xor eax, eax
  rep stosb
  lea rdi, buffers[rip]
  lea rsi, [rdi+4096]
${REGISTERS.map((register, i) => `  mov ${register}, ${i + 3}`).join('\n')}
${Array.from({ length: 16 }, (_, i) => `  cvtsi2sd xmm${i}, rax`).join('\n')}
  ret
`;

/** A program that calls each fragment once, prepared anew. */
function programOf(fragments: readonly { readonly name: string; readonly asm: string }[]): string {
  const calls = fragments.map(({ name }) => `  call prepare\n  call ${name}\n`).join('');
  return [
    '.bss\n.balign 4096\nbuffers: .skip 8192\n.text',
    START,
    assemblyFunction('prepare', PREPARE),
    ...fragments.map(({ name, asm }) => assemblyFunction(name, `${asm}\nret`)),
    assemblyFunction('main', `${calls}  xor eax, eax\n  ret`),
  ].join('\n');
}

const ofLevel1 = cases.filter(({ isa }) => isa !== 'x86-64-v3');
const PAPER = cases[0];
const WITHOUT_RET = `${PAPER.asm}\npop rcx\njmp rcx`;
const NESTED = cases.findIndex(({ name }) => name.startsWith('a nested call'));

describe.skipIf(isMissing('gcc'))('the measurement rules', () => {
  const workshop = new Workshop();
  let fast: Map<string, FunctionRecord>;
  let wide: Map<string, FunctionRecord>;
  let naive: Map<string, FunctionRecord>;
  const names = cases.map((_, i) => `case_${i}`);

  beforeAll(() => {
    const fragments = ofLevel1.map(({ asm }) => ({
      name: names[cases.findIndex((c) => c.asm === asm)],
      asm,
    }));
    const nested = cases[NESTED].asm
      .replace('call 1f', 'call inner')
      .replace('1:', '.type inner, @function\ninner:');
    const more = [
      { name: 'nested', asm: nested },
      { name: 'table3', asm: WITHOUT_RET },
    ];
    const program = workshop.assemble(programOf([...fragments, ...more]));
    const functions = [...fragments, ...more].map(({ name }) => name).concat('inner');
    const question = { depth: 1, functions, chains: [] };
    const byName = (records: readonly FunctionRecord[]) =>
      new Map(records.map((record) => [nameOf(record.entry) ?? '', record]));
    const measured = measureFast(program, [], question);
    const { nameOf } = measured;
    fast = byName(measured.functions);
    // 64-bit lanes from the first instruction on, and soon across 2^32.
    const limits = { firstSlice: 1, longestSlice: 1, wideFrom: 0, wideStart: 2 ** 32 - 4 };
    wide = byName(measureFast(program, [], question, limits).functions);
    naive = byName(answer(runProgram(program, [], 100_000), question).functions);
  });
  afterAll(() => workshop.remove());

  cases.forEach(({ rule, name, isa, instructions, cycles }, i) => {
    it.skipIf(isa === 'x86-64-v3')(`rule ${rule}: ${name}`, () => {
      for (const measured of [fast, wide, naive])
        expect(measured.get(names[i])).toMatchObject({ calls: 1, instructions, cycles });
    });
  });

  it('rule 9: a nested function has its own instructions and cycles', () => {
    for (const measured of [fast, wide, naive]) {
      expect(measured.get('nested')).toMatchObject({ calls: 1, instructions: 7, cycles: 3 });
      expect(measured.get('inner')).toMatchObject({ calls: 1, instructions: 2, cycles: 1 });
    }
  });

  it('rule 9: a context closes when rsp rises above its return slot, with or without ret', () => {
    // The six instructions of PARA 2010, table 3, and the pop that ends the call.
    for (const measured of [fast, wide, naive])
      expect(measured.get('table3')).toMatchObject({ calls: 1, instructions: 7, cycles: 3 });
  });
});
