import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { liftCase, runEmulated } from './native/emulated.ts';
import { DATA_ADDRESS as DATA, State, TAKEN_ADDRESS } from './native/state.ts';

/** integer.test.ts compares these instructions with the host processor; here is what it cannot show there. */
function prepared(data: readonly number[] = []): State {
  const before = State.initial();
  before.setGpr(4, BigInt(DATA));
  before.data.set(data);
  return before;
}

const bytes = (value: bigint, size: number): number[] =>
  Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
const run = (code: readonly number[], before = prepared()): State =>
  runEmulated({ code: Uint8Array.from(code), before });

describe('segments', () => {
  it('a null selector in GS clears the base', () => {
    const after = run([0x8e, 0xe8]);
    expect([after.signal, after.selector('gs'), after.flat & 2]).toEqual([0, 0, 2]);
  });

  it('the processor that lsl tells is number 0, whatever the host has', () => {
    const before = prepared();
    before.setGpr(0, 0x7bn);
    before.setGpr(1, 0x1111n);
    // lsl ecx, eax
    const after = run([0x0f, 0x03, 0xc8], before);
    expect([after.gpr(1), after.rflags & 0x40]).toEqual([0n, 0x40]);
  });

  it('a far pointer with REX.W has 8 bytes of offset, as on Intel processors', () => {
    const pointer = [...bytes(0x1234_5678_9abc_def0n, 8), ...bytes(0x2bn, 2)];
    // lgs rax, [rsp]
    const after = run([0x48, 0x0f, 0xb5, 0x04, 0x24], prepared(pointer));
    expect([after.gpr(0), after.selector('gs')]).toEqual([0x1234_5678_9abc_def0n, 0x2b]);
  });

  it('a far call with REX.W pushes 8 bytes each of CS and of the return address', () => {
    const pointer = [...bytes(BigInt(TAKEN_ADDRESS), 8), ...bytes(0x33n, 2)];
    const before = prepared([...Array(32).fill(0xff), ...pointer]);
    before.setGpr(4, BigInt(DATA + 32));
    // call far [rsp]
    const after = run([0x48, 0xff, 0x1c, 0x24], before);
    expect([after.taken, after.gpr(4)]).toEqual([true, BigInt(DATA + 16)]);
    expect([...after.data.subarray(16, 32)]).toEqual([...bytes(0x4000_0004n, 8), ...bytes(0x33n, 8)]);
  });
});

describe('32-bit code', () => {
  const failure = (code: readonly number[], data: readonly number[]): unknown => {
    try {
      return run(code, prepared(data));
    } catch (error) {
      return error instanceof Failure ? error.code : error;
    }
  };

  it('cannot be entered: every far transfer to its segment ends the run with a failure', () => {
    const target = BigInt(TAKEN_ADDRESS);
    const slots = (...values: bigint[]): number[] => values.flatMap((value) => bytes(value, 8));
    expect(failure([0xff, 0x2c, 0x24], [...bytes(target, 4), 0x23, 0])).toBe('compatibility-mode');
    expect(failure([0xff, 0x1c, 0x24], [...bytes(target, 4), 0x20, 0])).toBe('compatibility-mode');
    expect(failure([0x48, 0xcb], slots(target, 0x23n))).toBe('compatibility-mode');
    expect(failure([0x48, 0xcf], slots(target, 0x23n, 0x202n, 0n, 0x2bn))).toBe('compatibility-mode');
  });

  it('has system calls of its own, which a message names', () => {
    const block = liftCase({ code: Uint8Array.of(0xcd, 0x80), before: prepared() });
    expect(block.terminator).toEqual({
      kind: 'unsupported',
      text: 'int 0x80, a 32-bit system call (0x40000000, cd 80)',
    });
  });
});
