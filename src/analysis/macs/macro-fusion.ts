import type { Machine } from '../../machines/machine.ts';
import type { BlockInstruction } from '../../x86/block.ts';

/** Conditions by what they read: carry or zero (unsigned), sign and overflow (signed), sign, parity or overflow alone. */
const UNSIGNED = /^j(?:b|ae|be|a)$/;
const EQUAL = /^j(?:e|ne)$/;
const SIGNED = /^j(?:l|ge|le|g)$/;

/**
 * Whether the first instruction and the conditional branch behind it are one micro-operation.
 * Intel: its optimization manual, 3.4.2.2, table 3-1. AMD: the software optimization guides for families 17h and 19h, 2.8.
 */
export function fusesWith(first: BlockInstruction, branch: BlockInstruction, machine: Machine): boolean {
  if (branch.flow !== 'conditional' || !/^j(?!e?cxz|rcxz)/.test(branch.mnemonic)) return false;
  // A comparison of memory with an immediate does not fuse, nor does an address relative to rip with an immediate.
  if (first.immediate && (first.loads.length > 0 || first.ripRelative)) return false;
  if (first.stores.length > 0) return false;
  switch (machine.fusion.macro) {
    case 'none':
      return false;
    case 'amd':
      return first.mnemonic === 'cmp' || first.mnemonic === 'test';
    case 'amd-extended':
      return /^(?:cmp|test|add|sub|and|or|xor|inc|dec)$/.test(first.mnemonic);
    case 'intel':
      if (first.mnemonic === 'test' || first.mnemonic === 'and') return true;
      if (/^(?:cmp|add|sub)$/.test(first.mnemonic))
        return UNSIGNED.test(branch.mnemonic) || EQUAL.test(branch.mnemonic) || SIGNED.test(branch.mnemonic);
      return (
        /^(?:inc|dec)$/.test(first.mnemonic) && (EQUAL.test(branch.mnemonic) || SIGNED.test(branch.mnemonic))
      );
  }
}
