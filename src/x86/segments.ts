import { Failure } from '../base/failure.ts';
import type { Helper } from './helper.ts';

/**
 * The segments that Linux gives to user code: entries of its descriptor table (arch/x86/kernel/cpu/common.c, gdt_page;
 * arch/x86/include/asm/segment.h). All others are the kernel's or empty; there is no local table.
 */
export interface Segment {
  /** Selector with requested privilege level 0. */
  readonly selector: number;
  /** What lar reads: bits 8-23 of the descriptor's upper half, without the limit (SDM volume 2, LAR). */
  readonly rights: number;
  /** What lsl reads, in bytes. */
  readonly limit: number;
  readonly isWritable: boolean;
}

export const SEGMENTS: readonly Segment[] = [
  // 32-bit code, data, 64-bit code; all accessed, of 4 GiB.
  { selector: 0x20, rights: 0xcf_fb00, limit: 0xffff_ffff, isWritable: false },
  { selector: 0x28, rights: 0xcf_f300, limit: 0xffff_ffff, isWritable: true },
  { selector: 0x30, rights: 0xaf_fb00, limit: 0xffff_ffff, isWritable: false },
  // The limit tells getcpu the processor's number: the one processor is number 0.
  { selector: 0x78, rights: 0x40_f500, limit: 0, isWritable: false },
];

/** What a 64-bit process has in CS and SS, and can only have. */
export const CS_SELECTOR = 0x33;
export const SS_SELECTOR = 0x2b;

const COMPATIBILITY_CS = 0x23;

/** 1 when a far transfer to a code segment at user level faults, 0 when it stays in 64-bit code. */
function farTransfer(selector: number): 0 | 1 {
  if (selector === COMPATIBILITY_CS)
    throw new Failure(
      'guest',
      'compatibility-mode',
      'the program switches to 32-bit code (a far transfer to code segment 0x23); only 64-bit code can be run',
      { selector },
    );
  return selector === CS_SELECTOR ? 0 : 1;
}

export const SEGMENT_HELPERS: readonly (readonly [string, Helper])[] = [
  [
    'far_transfer',
    { params: ['i32'], results: ['i32'], run: (selector) => [farTransfer(selector as number)] },
  ],
];
