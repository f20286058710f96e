import { Mnemonic, Register } from 'iced-x86';
import type { Node, VarId } from '../../ir/node.ts';
import { CS_SELECTOR, SEGMENTS, type Segment, SS_SELECTOR } from '../segments.ts';
import { DS, ES, FS, FS_BASE, GS, GS_BASE, ZR } from '../state.ts';
import { type Lift, typeOf } from './context.ts';
import type { Row, Rows } from './row.ts';

/** Segment registers at user level (SDM volume 3, sections 3.4.2 and 5.6). */
const VARIABLES: ReadonlyMap<Register, VarId> = new Map([
  [Register.ES, ES],
  [Register.DS, DS],
  [Register.FS, FS],
  [Register.GS, GS],
]);

/** The selector in a segment register, 16 bits. */
export function readSelector(c: Lift, register: Register): Node {
  const variable = VARIABLES.get(register);
  if (variable !== undefined) return c.b.get(variable);
  return c.b.i32(register === Register.CS ? CS_SELECTOR : SS_SELECTOR);
}

/** Loads a segment register with 16 bits. Every segment is flat: a load clears the base of FS and GS. */
export function writeSelector(c: Lift, register: Register, selector: Node): void {
  const { b } = c;
  const variable = VARIABLES.get(register);
  if (variable === undefined) {
    // The only writable segment of privilege level 3, and its requested level must be 3 too.
    b.guard(b.op('i32.ne', selector, b.i32(SS_SELECTOR)), 'general-protection');
    return;
  }
  const isNull = b.op('i32.eqz', indexOf(c, selector));
  const isUsable = SEGMENTS.reduce(
    (all, segment) => b.op('i32.or', all, names(c, selector, segment)),
    isNull,
  );
  b.guard(b.op('i32.eqz', isUsable), 'general-protection');
  b.set(variable, selector);
  if (variable === FS) b.set(FS_BASE, b.i64(0));
  // As Intel's processors and AMD's since Zen 2 do for the null selector too.
  if (variable === GS) b.set(GS_BASE, b.i64(0));
}

/** Table and index, without the requested privilege level. */
function indexOf({ b }: Lift, selector: Node): Node {
  return b.op('i32.and', selector, b.i32(0xfffc));
}

function names(c: Lift, selector: Node, segment: Segment): Node {
  return c.b.op('i32.eq', indexOf(c, selector), c.b.i32(segment.selector));
}

/** The selector in an operand or stack slot of any size: its low 16 bits. */
export function asSelector(c: Lift, value: Node): Node {
  return c.zeroExtend(value.type === 'i64' ? c.b.op('i32.wrap_i64', value) : value, 2);
}

/** Offset, zero-extended, and selector behind it. */
export function farPointer(c: Lift): {
  readonly offset: Node;
  readonly selector: Node;
  readonly size: FarSize;
} {
  const { b } = c;
  const size = FAR_SIZES[c.memorySize()];
  const address = c.address();
  const offset = c.zeroExtend64(b.load(address, size, typeOf(size)), size);
  return { offset, selector: b.load(b.op('i64.add', address, b.i64(size)), 2, 'i32'), size };
}

export type FarSize = 2 | 4 | 8;

/** Size of the offset by size of the pointer. */
const FAR_SIZES: Readonly<Record<number, FarSize>> = { 4: 2, 6: 4, 10: 8 };

function loadFarPointer(register: Register): Row {
  return (c) => {
    const { offset, selector, size } = farPointer(c);
    writeSelector(c, register, selector);
    c.write(0, size === 8 ? offset : c.b.op('i32.wrap_i64', offset));
  };
}

/** lar and lsl: the register is written, and ZF set, where user code may see the segment. */
function inspect(property: 'rights' | 'limit'): Row {
  return (c) => {
    const { b } = c;
    const selector = asSelector(c, c.read(1));
    let value = b.i32(0);
    let isVisible = b.i32(0);
    for (const segment of SEGMENTS) {
      const isThis = names(c, selector, segment);
      value = b.op('select.i32', b.i32(segment[property]), value, isThis);
      isVisible = b.op('i32.or', isVisible, isThis);
    }
    const wide = c.size(0) === 8 ? b.op('i64.extend_i32_u', value) : value;
    setZero(c, isVisible);
    c.writeUnless(b.op('i32.eqz', isVisible), c.instruction.opRegister(0), wide);
  };
}

/** verr and verw. All visible segments can be read. */
function verify(isAllowed: (segment: Segment) => boolean): Row {
  return (c) => {
    const selector = asSelector(c, c.read(0));
    const allowed = SEGMENTS.filter(isAllowed);
    setZero(
      c,
      allowed.reduce((any, segment) => c.b.op('i32.or', any, names(c, selector, segment)), c.b.i32(0)),
    );
  };
}

/** Sets ZF alone: the other flags of its group stay. */
function setZero(c: Lift, zf: Node): void {
  const { b } = c;
  b.dependOn(ZR);
  b.set(ZR, b.op('i64.extend_i32_u', b.op('i32.eqz', zf)));
}

/** rdfsbase and rdgsbase; of 32 bits the lower half. */
function readBase(base: VarId): Row {
  return (c) => {
    const value = c.b.get(base);
    c.write(0, c.size() === 8 ? value : c.b.op('i32.wrap_i64', value));
  };
}

/** wrfsbase and wrgsbase: the address must be canonical, of 48 bits. The selector stays. */
function writeBase(base: VarId): Row {
  return (c) => {
    const { b } = c;
    const value = c.zeroExtend64(c.read(0), c.size());
    const sign = b.op('i64.shr_s', b.op('i64.shl', value, b.i64(16)), b.i64(16));
    b.guard(b.op('i64.ne', sign, value), 'general-protection');
    b.set(base, value);
  };
}

export const SEGMENT_ROWS: Rows = [
  [Mnemonic.Rdfsbase, readBase(FS_BASE)],
  [Mnemonic.Rdgsbase, readBase(GS_BASE)],
  [Mnemonic.Wrfsbase, writeBase(FS_BASE)],
  [Mnemonic.Wrgsbase, writeBase(GS_BASE)],
  [Mnemonic.Lss, loadFarPointer(Register.SS)],
  [Mnemonic.Lfs, loadFarPointer(Register.FS)],
  [Mnemonic.Lgs, loadFarPointer(Register.GS)],
  [Mnemonic.Lar, inspect('rights')],
  [Mnemonic.Lsl, inspect('limit')],
  [Mnemonic.Verr, verify(() => true)],
  [Mnemonic.Verw, verify((segment) => segment.isWritable)],
];
