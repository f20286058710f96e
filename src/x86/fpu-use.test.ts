import { Code, CpuidFeature, Instruction } from 'iced-x86';
import { expect, test } from 'vitest';
import { usesFpu } from './fpu-use.ts';

const CODES = Object.values(Code).filter((code) => typeof code === 'number');
const FEATURES: readonly CpuidFeature[] = [
  CpuidFeature.FPU,
  CpuidFeature.FPU287,
  CpuidFeature.FPU387,
  CpuidFeature.MMX,
];

test('x87 and MMX registers are used by what belongs to them, and by every form whose description names one', () => {
  let named = 0;
  for (const code of CODES) {
    const instruction = new Instruction();
    instruction.code = code;
    const { opCode } = instruction;
    const names = /\bmm/.test(opCode.instructionString);
    const belongs = instruction.cpuidFeatures().some((feature) => FEATURES.includes(feature));
    if (names && !belongs) named++;
    expect([Code[code], usesFpu(instruction)]).toEqual([Code[code], names || belongs]);
    if (/\bST\(/.test(opCode.instructionString)) expect([Code[code], belongs]).toEqual([Code[code], true]);
    opCode.free();
    instruction.free();
  }
  expect(named).toBe(81);
  expect(CODES.length).toBeGreaterThan(4000);
});
