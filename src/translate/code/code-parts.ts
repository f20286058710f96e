import type { CachePlace } from '../cached-lookup.ts';
import type { CodeOptions } from '../code-options.ts';
import type { Symbols } from '../stored/region-notes.ts';
import type { CodeNumbers } from './code-numbers.ts';
import type { HotRegions } from './hot-regions.ts';
import type { InstalledRegions } from './installed.ts';
import type { IndirectJumps } from './jumps.ts';
import type { Slots } from './slots.ts';
import type { WarmBlocks } from './warm-blocks.ts';

/** What a code cache consists of, for those that put regions into it. */
export interface CodeParts {
  readonly options: CodeOptions;
  readonly symbols: Symbols;
  readonly table: WebAssembly.Table;
  readonly slots: Slots;
  readonly numbers: CodeNumbers;
  readonly jumps: IndirectJumps;
  readonly jumpTargets: CachePlace;
  readonly warm: WarmBlocks;
  readonly installed: InstalledRegions;
  readonly hot: HotRegions;
  /** The module of a region fills the table's slots. */
  readonly instantiate: (module: WebAssembly.Module) => void;
  /** A region can be entered at an address: interpreted code that comes to the block there goes on in the slot. */
  readonly enterAt: (address: number, slot: number) => void;
}
