import { Mnemonic } from 'iced-x86';
import { FPU_CONDITION, FPU_CONTROL, FPU_STATUS, FPU_TAGS } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { control, pop, release, setC1, stackOperand, summarise } from './x87-stack.ts';

/** Control and status of the x87. The condition codes are a location, the rest of the status word is none (rule 3). */

const loadControl: Row = (c: Lift) => {
  const { b } = c;
  // Of the reserved bits, 6 reads as 1 and the others as 0.
  const value = b.op('i32.or', b.op('i32.and', c.loadAs(2, 'i32'), b.i32(0x1f3f)), b.i32(0x40));
  if (c.exceptions.signalsX87) {
    b.set(FPU_CONTROL, value);
    return summarise(c);
  }
  const [checked] = b.helper('x87.control', [value], ['i32']);
  b.set(FPU_CONTROL, checked);
};

const storeControl: Row = (c: Lift) => c.storeAs(2, control(c));

const storeStatus: Row = (c: Lift) => {
  const { b } = c;
  const exceptions = b.op('i32.or', b.peek(FPU_STATUS), b.i32(c.top << 11));
  c.write(0, b.op('i32.or', b.get(FPU_CONDITION), exceptions));
};

const clearExceptions: Row = (c: Lift) => c.b.poke(FPU_STATUS, c.b.i32(0));

const initialise: Row = (c: Lift) => {
  const { b } = c;
  b.set(FPU_CONTROL, b.i32(0x37f));
  b.set(FPU_CONDITION, b.i32(0));
  b.poke(FPU_STATUS, b.i32(0));
  b.poke(FPU_TAGS, b.i32(0));
  c.top = 0;
};

const rotate =
  (by: 1 | 7): Row =>
  (c) => {
    c.top = (c.top + by) & 7;
    setC1(c, c.b.i32(0));
  };

const free: Row = (c: Lift) => release(c, stackOperand(c, 0));

/** Undocumented, but executed by every processor and used by glibc's libm. */
const freeAndPop: Row = (c: Lift) => {
  free(c);
  pop(c);
};

/** fwait: what waits for pending exceptions is the same for all instructions that wait. */
const nothing: Row = () => {};

const emptyAll: Row = (c: Lift) => {
  c.b.poke(FPU_TAGS, c.b.i32(0));
  c.top = 0;
};

export const X87_CONTROL_ROWS: Rows = [
  [Mnemonic.Fldcw, loadControl],
  [Mnemonic.Fnstcw, storeControl],
  [Mnemonic.Fnstsw, storeStatus],
  [Mnemonic.Fnclex, clearExceptions],
  [Mnemonic.Fninit, initialise],
  [Mnemonic.Fincstp, rotate(1)],
  [Mnemonic.Fdecstp, rotate(7)],
  [Mnemonic.Ffree, free],
  [Mnemonic.Ffreep, freeAndPop],
  [Mnemonic.Fnop, nothing],
  // Of the 8087 and the 287; later processors take them as no operation.
  [Mnemonic.Fneni, nothing],
  [Mnemonic.Fndisi, nothing],
  [Mnemonic.Fnsetpm, nothing],
  [Mnemonic.Wait, nothing],
  [Mnemonic.Emms, emptyAll],
];
