import { PERMISSIONS } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { PAGE_BITS } from '../steps/check-range.ts';

/**
 * allow(address i64, bytes i32, permission i32) -> i32: whether all pages of so many bytes, one at least, have a permission. Addresses
 * from `end` on have no steps: they are not looked up.
 */
export function defineAllow(module: ModuleBuilder, end: number): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'i32'], results: ['i32'] });
  const [address, bytes, permission] = [0, 1, 2];
  const page = f.local('i32');
  const last = f.local('i32');
  const denied = f.block();
  f.get(address);
  f.i64(BigInt(end));
  f.get(bytes);
  f.op('i64.extend_i32_u');
  f.op('i64.sub');
  f.op('i64.gt_u');
  f.brIf(denied, 'unlikely');
  f.get(address);
  f.op('i32.wrap_i64');
  f.tee(page);
  f.get(bytes);
  f.op('i32.add');
  f.i32(1);
  f.op('i32.sub');
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.set(last);
  f.get(page);
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.set(page);
  const next = f.loop();
  f.get(page);
  f.memory('i32.load8_u', PERMISSIONS);
  f.get(permission);
  f.op('i32.and');
  f.op('i32.eqz');
  f.brIf(denied, 'unlikely');
  f.get(page);
  f.get(last);
  f.op('i32.ne');
  f.get(page);
  f.i32(1);
  f.op('i32.add');
  f.set(page);
  f.brIf(next);
  f.end();
  f.i32(1);
  f.return();
  f.end();
  f.i32(0);
  return module.define(f);
}
