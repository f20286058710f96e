import { Decoder, DecoderOptions } from 'iced-x86';
import { expect, test } from 'vitest';
import { formOf } from './form.ts';

const CASES: readonly [code: string, form: string][] = [
  ['01d8', 'add r32,r32'],
  ['03c3', 'add r32,r32'],
  ['48034708', 'add r64,m64'],
  ['83c001', 'add r32,i'],
  ['04ff', 'add r8,i'],
  ['d3e0', 'shl r32,cl'],
  ['d1e0', 'shl r32,1'],
  ['c1e001', 'shl r32,i'],
  ['488d0437', 'lea r64,bi'],
  ['488d44b708', 'lea r64,bsd'],
  ['488d0500000000', 'lea r64,rip'],
  ['488d4500', 'lea r64,bd'],
  ['f00fc107', 'lock xadd m32,r32'],
  ['f3a4', 'rep movsb m8,m8'],
  ['c5f45807', 'vaddps y,y,m256'],
  ['62f174585807', 'vaddps z,z,m32b'],
  ['c4e26d90048f', 'vpgatherdd y,vy32,y'],
  ['75fe', 'jne rel'],
  ['6690', 'nop'],
];

test.each(CASES)('%s is %s', (code, form) => {
  const bytes = Uint8Array.from(code.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  expect(formOf(new Decoder(64, bytes, DecoderOptions.None).decode())).toBe(form);
});
