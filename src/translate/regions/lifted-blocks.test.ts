import { describe, expect, it } from 'vitest';
import { CodeReader } from '../../x86/decode.ts';
import { liftedBlocksOf } from './lifted-blocks.ts';

const LIFTING = { keeps: true, sharesNodes: true };

const START = 0x1000;
const MODE = { top: 0, mxcsr: 0x1f80 };
const NOWHERE = () => false;

/** inc eax; inc eax; inc eax; ret */
const INCREMENTS = [0xff, 0xc0, 0xff, 0xc0, 0xff, 0xc0, 0xc3];

function blocksOf(bytes: readonly number[], lifting = LIFTING) {
  const memory = new Uint8Array(64);
  memory.set(bytes);
  const code = new CodeReader((address) => memory.subarray(address - START));
  const blocks = liftedBlocksOf(code, lifting);
  const lift = (end: (address: number) => boolean = NOWHERE, limit = 10, mode = MODE) =>
    blocks.lift(START, mode, end, limit);
  return { memory, code, lift };
}

const countOf = ({ instructions }: { readonly instructions: readonly unknown[] }) => instructions.length;

describe('blocks lifted before', () => {
  it('are the same object when nothing has changed', () => {
    const { code, lift } = blocksOf(INCREMENTS);
    const first = lift();
    code.forget();
    expect(lift()).toBe(first);
  });

  it('are lifted anew when none are kept', () => {
    const { lift } = blocksOf(INCREMENTS, { ...LIFTING, keeps: false });
    const first = lift();
    expect(lift()).not.toBe(first);
    expect(lift()).toEqual(first);
  });

  it('are lifted anew when their bytes have changed', () => {
    const { memory, code, lift } = blocksOf(INCREMENTS);
    const first = lift();
    memory[2] = 0xc3;
    code.forget();
    expect(countOf(lift())).toBe(2);
    memory[2] = 0xff;
    code.forget();
    expect(lift()).toBe(first);
  });

  it('serve only where they end as they should', () => {
    const { lift } = blocksOf(INCREMENTS);
    const whole = lift();
    const cut = lift((address) => address === START + 4);
    expect([countOf(whole), countOf(cut)]).toEqual([4, 2]);
    expect(countOf(lift(NOWHERE, 1))).toBe(1);
    expect(lift(NOWHERE, 2)).toBe(cut);
    expect(lift()).toBe(whole);
    expect(countOf(lift((address) => address === START + 6))).toBe(3);
  });

  it('serve for their own mode only', () => {
    const { lift } = blocksOf(INCREMENTS);
    const first = lift();
    expect(lift(NOWHERE, 10, { ...MODE, top: 7 })).not.toBe(first);
    expect(lift(NOWHERE, 10, { ...MODE, mxcsr: 0x9f80 })).not.toBe(first);
    expect(lift()).toBe(first);
  });

  it('are not kept when they end in a fault, whose cause may lie behind them', () => {
    const { code, memory, lift } = blocksOf([0xff, 0xc0, 0x0f, 0x0b]);
    expect(lift().terminator.kind).toBe('fault');
    memory[2] = 0xc3;
    code.forget();
    expect(lift().terminator.kind).toBe('return');
  });

  it('are forgotten after a while', () => {
    const bytes = new Uint8Array(0x4000).fill(0xc3);
    const code = new CodeReader((address) => bytes.subarray(address - START));
    const blocks = liftedBlocksOf(code, LIFTING);
    const first = blocks.lift(START, MODE, NOWHERE, 10);
    for (let i = 1; i < 2000; i++) blocks.lift(START + i, MODE, NOWHERE, 10);
    expect(blocks.lift(START, MODE, NOWHERE, 10)).not.toBe(first);
  });
});
