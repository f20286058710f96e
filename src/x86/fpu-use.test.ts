import { Code, CodeExt, Instruction } from 'iced-x86';
import { expect, test } from 'vitest';
import { usesFpu } from './fpu-use.ts';

const CODES = Object.values(Code).filter((code) => typeof code === 'number');

function isFpu(code: Code): boolean {
  const instruction = new Instruction();
  instruction.code = code;
  const found = usesFpu(instruction);
  instruction.free();
  return found;
}

test('every form that names an MMX or x87 register in the manual uses them, and no form of the vector registers alone', () => {
  const text = (code: Code): string => {
    const form = CodeExt.opCode(code);
    const { instructionString } = form;
    form.free();
    return instructionString;
  };
  const named = CODES.filter((code) => /\bmm|\bST\(/.test(text(code)));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((code) => !isFpu(code)).map((code) => Code[code])).toEqual([]);
  const others = CODES.filter((code) => /^V|\b[xyz]mm/.test(text(code)) && !/\bmm/.test(text(code)));
  expect(others.length).toBeGreaterThan(1000);
  expect(others.filter((code) => isFpu(code)).map((code) => Code[code])).toEqual([]);
});
