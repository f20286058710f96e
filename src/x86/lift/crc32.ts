import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Rows } from './row.ts';

/** crc32: adds 1 to 8 bytes to the remainder in the destination's lower half; no flag is touched. */
function addToRemainder(c: Lift): void {
  const { b } = c;
  const size = c.size(1);
  const low = (value: Node): Node => (value.type === 'i64' ? b.op('i32.wrap_i64', value) : value);
  const add = (crc: Node, data: Node, bytes: number): Node =>
    b.helper(`crc32.${bytes}`, [crc, data], ['i32'])[0];
  const data = c.read(1);
  let crc = add(low(c.read(0)), low(data), Math.min(size, 4));
  if (size === 8) crc = add(crc, low(b.op('i64.shr_u', data, b.i64(32))), 4);
  c.write(0, c.size() === 8 ? b.op('i64.extend_i32_u', crc) : crc);
}

export const CRC32_ROWS: Rows = [[Mnemonic.Crc32, addToRemainder]];
