import { PAGE_SIZE, QUIET_PAGES } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { pushIsFast } from './checks-in-line.ts';

/**
 * Pages that nothing is stored to for a while. Such a page's largest steps are kept, 16 bytes a page, and a load that has
 * other sources with steps as large need not look at the page's own: c = 1 + max(sources) is the same. That is exact, and
 * random access over large memory, where each look at shadow memory misses the caches, is as fast as without (a list of 16 MB:
 * see docs/benchmarks.md).
 *
 * The table holds -S for a largest step S. The sum with a bound B has its sign set where B < S, so that one
 * addition and one look at the signs tell (10 host instructions were 4); 0, which fresh memory holds, is above every step, for steps are negative. A lane
 * that means nothing may only make a load ask. A page becomes quiet between
 * slices (emulator/memory/quiet.ts); its permission for fast stores is taken away, so the first store asks and ends it.
 */
export interface QuietBound {
  /** Pushes the largest step of the other sources. */
  push(): void;
  /**
   * Pushes what stands for the load's step where that cannot matter: one of the other sources', for that of all of them would make a
   * loop wait for what it carries (a list of 16 KB, whose values are summed: 9 % more time).
   */
  pushOne(): void;
}

/**
 * Where the page's steps cannot matter: the load counts like the instruction's other sources. A page with fast stores is not
 * quiet, which is known from one byte; the other sources are looked at only behind that.
 */
export function loadQuietly(
  f: FunctionBuilder,
  near: number,
  step: number,
  bound: QuietBound,
  done: number,
  branchUnlessInOnePage: (ask: number) => void = () => {},
): void {
  const ask = f.block();
  branchUnlessInOnePage(ask);
  pushIsFast(f, near, 0);
  f.brIf(ask);
  pushIsAbove(f, () => f.get(near), bound);
  f.brIf(ask);
  bound.pushOne();
  f.set(step);
  f.br(done);
  f.end();
}

/** Who asks: loads of words at scattered places (measures/scattered-loads.ts); loads of bytes, or they would once there are enough such pages. */
export interface Asking {
  readonly words: boolean;
  readonly bytes: boolean;
}

/** Pushes something that is not 0 where some step of the page at an address (i32) may be above the bound. */
export function pushIsAbove(f: FunctionBuilder, pushAddress: () => void, bound: QuietBound): void {
  pushAddress();
  f.i32(Math.log2(PAGE_SIZE / 16));
  f.op('i32.shr_u');
  f.i32(~15);
  f.op('i32.and');
  f.memory('v128.load', QUIET_PAGES);
  bound.push();
  f.op('i32x4.add');
  f.op('i32x4.bitmask');
}

/** quietPage(page i32): notes the page's largest steps. The page is readable. */
export function defineQuietPage(module: ModuleBuilder, loadStep: number): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const page = 0;
  f.get(page);
  f.i32(4);
  f.op('i32.shl');
  f.get(page);
  f.op('i64.extend_i32_u');
  f.i64(BigInt(Math.log2(PAGE_SIZE)));
  f.op('i64.shl');
  f.i32(PAGE_SIZE);
  f.call(loadStep);
  f.op('i32x4.neg');
  f.memory('v128.store', QUIET_PAGES);
  return module.define(f);
}
