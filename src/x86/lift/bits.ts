import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { AR, CF, OF, SR, ZR } from '../state.ts';
import { type Lift, type Size, sized, typeOf } from './context.ts';
import type { Row, Rows } from './row.ts';
import { bitAt } from './shift.ts';

/**
 * bt, bts, btr, btc. Only CF is defined; ZF is kept and SF, AF, PF are undefined, so that their group is not touched.
 * With a memory operand and the bit number in a register, the number reaches beyond the operand: bytes before and after
 * it (SDM volume 2, BT, "Operation").
 */
function bitTest(change: ((c: Lift, value: Node, mask: Node) => Node) | undefined): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const width = size * 8;
    const number = c.read(1);
    const bit = b.op(sized('and', size), number, c.constant(width - 1, size));
    const far = c.isMemory(0) && c.isRegister(1);
    const address = far ? farAddress(c, number) : undefined;
    const value = address === undefined ? c.read(0) : b.load(address, size, typeOf(size));
    b.set(CF, bitAt(c, value, bit, size));
    b.poke(OF, b.i32(0));
    if (change === undefined) return;
    const result = change(c, value, b.op(sized('shl', size), c.constant(1, size), bit));
    if (address === undefined) c.write(0, result);
    else b.store(address, size, result);
  };
}

/** The operand that holds bit `number`, counted from the memory operand's address. */
function farAddress(c: Lift, number: Node): Node {
  const { b } = c;
  const size = c.size();
  const wide = c.signExtend64(number, size);
  const bytes = b.op('i64.shr_s', wide, b.i64(3));
  return b.op('i64.add', c.address(), b.op('i64.and', bytes, b.i64(-size)));
}

const set = (c: Lift, value: Node, mask: Node): Node => c.b.op(sized('or', c.size()), value, mask);
const complement = (c: Lift, value: Node, mask: Node): Node => c.b.op(sized('xor', c.size()), value, mask);
const reset = (c: Lift, value: Node, mask: Node): Node => {
  const size = c.size();
  return c.b.op(sized('and', size), value, c.b.op(sized('xor', size), mask, c.constant(-1, size)));
};

/** bsf and bsr keep their destination when there is no bit to find, so it is a source; only ZF is defined. */
function scan(direction: 'forward' | 'reverse'): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const value = c.zeroExtend(c.read(1), size);
    const wide = size === 8 ? value : b.op('i64.extend_i32_u', value);
    const found =
      direction === 'forward'
        ? b.op(sized('ctz', size), value)
        : b.op(sized('sub', size), c.constant(size === 8 ? 63 : 31, size), b.op(sized('clz', size), value));
    c.writeUnless(b.op('i64.eqz', wide), c.instruction.opRegister(0), found);
    b.set(ZR, wide);
    b.poke(SR, b.i64(0));
    b.poke(CF, b.i32(0));
    b.poke(OF, b.i32(0));
  };
}

/**
 * tzcnt and lzcnt count to the operand's size where there is no bit, and do not keep their destination. No compiler means
 * them at the baseline level, but gcc writes `rep bsf`, the same bytes, where it knows that there is a bit; glibc's printf
 * meets one where there is none, and every processor since 2013 gives the count.
 */
function count(direction: 'trailing' | 'leading'): Row {
  return (c) => {
    const { b } = c;
    const size = c.size();
    const value = c.zeroExtend(c.read(1), size);
    let found: Node;
    if (direction === 'trailing')
      found = b.op(sized('ctz', size), size === 2 ? b.op('i32.or', value, b.i32(0x1_0000)) : value);
    else {
      found = b.op(sized('clz', size), value);
      if (size === 2) found = b.op('i32.sub', found, b.i32(16));
    }
    c.write(0, found);
    b.set(CF, b.op(sized('eqz', size), value));
    b.set(ZR, size === 8 ? found : b.op('i64.extend_i32_u', found));
    b.poke(SR, b.i64(0));
    b.poke(OF, b.i32(0));
  };
}

/** popcnt defines all flags: ZF by its operand, the others 0. */
function population(c: Lift): void {
  const { b } = c;
  const size = c.size();
  const found = b.op(sized('popcnt', size), c.zeroExtend(c.read(1), size));
  c.write(0, found);
  b.set(CF, b.i32(0));
  b.set(OF, b.i32(0));
  b.set(ZR, size === 8 ? found : b.op('i64.extend_i32_u', found));
  // Positive and of odd parity.
  b.set(SR, b.i64(1));
  b.set(AR, b.i32(0));
}

function byteSwap(c: Lift): void {
  // Of 2 bytes undefined by the SDM; processors give 0.
  c.write(0, c.size() === 2 ? c.b.i32(0) : reversed(c, c.read(0), c.size()));
}

function moveSwapped(c: Lift): void {
  c.write(0, reversed(c, c.read(1), c.size()));
}

/** Bytes are reversed by exchanging neighbours, then pairs, then (in 8 bytes) halves. */
function reversed(c: Lift, x: Node, size: Size): Node {
  const { b } = c;
  if (size === 2) {
    const low = b.op('i32.shr_u', c.zeroExtend(x, 2), b.i32(8));
    return b.op('i32.or', b.op('i32.shl', x, b.i32(8)), low);
  }
  if (size === 4) {
    const odd = b.op('i32.and', b.op('i32.rotl', x, b.i32(8)), b.i32(0x00ff_00ff));
    return b.op('i32.or', odd, b.op('i32.and', b.op('i32.rotr', x, b.i32(8)), b.i32(0xff00_ff00)));
  }
  const bytes = exchange(c, x, 8, 0x00ff_00ff_00ff_00ffn);
  return b.op('i64.rotl', exchange(c, bytes, 16, 0x0000_ffff_0000_ffffn), b.i64(32));
}

function exchange(c: Lift, x: Node, bits: number, low: bigint): Node {
  const { b } = c;
  const up = b.op('i64.shl', b.op('i64.and', x, b.i64(low)), b.i64(bits));
  return b.op('i64.or', up, b.op('i64.and', b.op('i64.shr_u', x, b.i64(bits)), b.i64(low)));
}

export const BIT_ROWS: Rows = [
  [Mnemonic.Bt, bitTest(undefined)],
  [Mnemonic.Bts, bitTest(set)],
  [Mnemonic.Btr, bitTest(reset)],
  [Mnemonic.Btc, bitTest(complement)],
  [Mnemonic.Bsf, scan('forward')],
  [Mnemonic.Bsr, scan('reverse')],
  [Mnemonic.Tzcnt, count('trailing')],
  [Mnemonic.Lzcnt, count('leading')],
  [Mnemonic.Popcnt, population],
  [Mnemonic.Bswap, byteSwap],
  [Mnemonic.Movbe, moveSwapped],
];
