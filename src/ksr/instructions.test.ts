import { describe, expect, test } from 'vitest';
import { classify, type Side } from './instructions.ts';

const kindOf = (side: Side, text: string): unknown => {
  const [mnemonic, ...operands] = text.split(/[ ,]+/);
  const { operation, known } = classify(side, { mnemonic, operands });
  return known ? operation.kind : `${operation.kind}?`;
};

describe('instructions of the left column', () => {
  test.each([
    ['nop', ['finop', 'nop', 'fnop', 'inop']],
    [
      'triad',
      ['fmad8.tr', 'fmsb8.ntr', 'fma', 'fmadd', 'fmsub8', 'fnmadd', 'fmula8', 'fadm8', 'fsbm', 'faddmul'],
    ],
    ['add', ['fadd8.tr', 'fsub8.ntr', 'fadd', 'fsub', 'frsub8']],
    ['multiply', ['fmul8.tr', 'fdiv8.tr', 'fmul', 'fdiv', 'fmpy4']],
    [
      'misc',
      ['fneg8', 'fabs8', 'fcmp8', 'fsqrt8', 'fmov8_8', 'fcvt8_4', 'ffloor8', 'fmax8', 'fmin8', 'ftst8'],
    ],
    ['integer', ['add8.ntr', 'sub8.ntr', 'itstle8', 'selsc8', 'ash8.ntr', 'clrh8', 'mov8_8', 'movi8']],
    // Names that are not known count as one operation of the unit that they look like.
    ['misc?', ['fxyzzy8']],
    ['integer?', ['xyzzy', 'notaninstruction']],
  ])('%s', (kind, names) => {
    expect(names.map((name) => kindOf('left', name))).toEqual(names.map(() => kind));
  });

  test('a move into a floating-point register is an operation of the FPU', () => {
    expect(kindOf('left', 'movin8 %f0')).toBe('misc');
    expect(kindOf('left', 'movi8 0, %i5')).toBe('integer');
  });
});

describe('instructions of the right column', () => {
  test.each([
    ['nop', ['cxnop', 'nop']],
    ['load', ['ld8', 'ld8.ro', 'ld8.ex', 'ld1', 'ld64']],
    ['store', ['st8', 'st1', 'st64']],
    ['branch', ['bcc.qn', 'bcs.qt', 'beq.qf', 'jmp', 'bcc', 'bxx.qn']],
    ['call', ['jsr']],
    ['address', ['sadd8.ntr', 'ssub8.ntr', 'movb8_8', 'mov8_8', 'movi8']],
    ['other', ['pcsp.ex.nbl', 'pstsp', 'movout8']],
    ['other?', ['xyzzy']],
  ])('%s', (kind, names) => {
    expect(names.map((name) => kindOf('right', name))).toEqual(names.map(() => kind));
  });

  test('accesses are of floating point by their register, the frame pointer is none', () => {
    const isFloating = (text: string) => {
      const [mnemonic, ...operands] = text.split(/[ ,]+/);
      return classify('right', { mnemonic, operands }).operation;
    };
    expect(isFloating('ld8 0(%c6), %f0')).toEqual({ kind: 'load', floatingPoint: true });
    expect(isFloating('ld8 0(%sp), %i3')).toEqual({ kind: 'load', floatingPoint: false });
    expect(isFloating('ld8 0(%sp), %fp')).toEqual({ kind: 'load', floatingPoint: false });
    expect(isFloating('st8 %f12, 8(%c6)')).toEqual({ kind: 'store', floatingPoint: true });
    expect(isFloating('st8 %c14, 8(%sp)')).toEqual({ kind: 'store', floatingPoint: false });
  });

  test('branches say where they go, on what, and when their delay slots are quashed', () => {
    const branch = (mnemonic: string, ...operands: string[]) =>
      classify('right', { mnemonic, operands }).operation;
    expect(branch('bcc.qn', '@citst', '.L6')).toMatchObject({
      conditional: true,
      quash: 'never',
      target: '.L6',
    });
    expect(branch('bcs.qt', '@citst', '.L6')).toMatchObject({ conditional: true, quash: 'true' });
    expect(branch('bcs.qf', '@citst', '.L6')).toMatchObject({ conditional: true, quash: 'false' });
    expect(branch('jmp', '.L6')).toMatchObject({ conditional: false, quash: 'never', target: '.L6' });
    expect(branch('jmp', '32(%c14)')).not.toHaveProperty('target');
    expect(branch('beq.qt', '%rc', '%rc', '24')).not.toHaveProperty('target');
  });
});
