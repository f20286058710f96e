import { Mnemonic } from 'iced-x86';
import { MXCSR, MXCSR_STATUS } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';

/** MXCSR: bits 0-5 are sticky exceptions, the rest controls rounding, masks and the treatment of denormals. */
const storeControl: Row = (c: Lift) => {
  const { b } = c;
  c.storeAs(4, b.op('i32.or', b.get(MXCSR), b.peek(MXCSR_STATUS)));
};

/** A prefetch reads its address registers and nothing else (rule 4); so does clflush for us: there is no cache. */
const addressOnly: Row = (c: Lift) => {
  c.address();
};

const nonTemporalInteger: Row = (c) => c.write(0, c.read(1));

export const SSE_CONTROL_ROWS: Rows = [
  [Mnemonic.Stmxcsr, storeControl],
  [Mnemonic.Movnti, nonTemporalInteger],
  [Mnemonic.Prefetchnta, addressOnly],
  [Mnemonic.Prefetcht0, addressOnly],
  [Mnemonic.Prefetcht1, addressOnly],
  [Mnemonic.Prefetcht2, addressOnly],
  [Mnemonic.Prefetchw, addressOnly],
  [Mnemonic.Clflush, addressOnly],
];

export const AVX_CONTROL_ROWS: Rows = [[Mnemonic.Vstmxcsr, storeControl]];
