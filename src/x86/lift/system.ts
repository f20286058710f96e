import { Mnemonic } from 'iced-x86';
import type { Fault } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows, ServiceRows } from './row.ts';

/** Instructions that do nothing to the machine: no source and no destination (rule 4). */
const nothing: Row = () => {};

/** Prefetches and cache control read the registers of their address. */
function touchAddress(c: Lift): void {
  c.address();
}

function fault(kind: Fault): Row {
  return (c) => c.fault(kind);
}

/** User code may not execute these (SDM volume 3, section 5.9, and I/O without permission). */
const PRIVILEGED = [
  Mnemonic.Hlt,
  Mnemonic.Cli,
  Mnemonic.Sti,
  Mnemonic.In,
  Mnemonic.Out,
  Mnemonic.Rdmsr,
  Mnemonic.Wrmsr,
  Mnemonic.Rdpmc,
  Mnemonic.Invd,
  Mnemonic.Wbinvd,
  Mnemonic.Invlpg,
  Mnemonic.Clts,
  Mnemonic.Swapgs,
];

/** Not there at this level, and undefined by definition. */
const INVALID = [
  Mnemonic.Ud0,
  Mnemonic.Ud1,
  Mnemonic.Ud2,
  Mnemonic.Xgetbv,
  Mnemonic.Xsave,
  Mnemonic.Xsavec,
  Mnemonic.Xrstor,
];

const all = (mnemonics: readonly Mnemonic[], row: Row): Rows => mnemonics.map((mnemonic) => [mnemonic, row]);

export const FAULT_ROWS: Rows = [
  ...all(PRIVILEGED, fault('general-protection')),
  ...all(INVALID, fault('invalid-opcode')),
  [Mnemonic.Int3, fault('breakpoint')],
];

/** rdsspd, rdsspq and cldemote are reserved no-operations at this level: the register stays as it is. */
const NOTHING = [
  Mnemonic.Nop,
  Mnemonic.Reservednop,
  Mnemonic.Endbr64,
  Mnemonic.Endbr32,
  Mnemonic.Pause,
  Mnemonic.Rdsspd,
  Mnemonic.Rdsspq,
  Mnemonic.Cldemote,
  Mnemonic.Lfence,
  Mnemonic.Mfence,
  Mnemonic.Sfence,
];

const ADDRESS = [
  Mnemonic.Prefetch,
  Mnemonic.Prefetchw,
  Mnemonic.Prefetchwt1,
  Mnemonic.Prefetchnta,
  Mnemonic.Prefetcht0,
  Mnemonic.Prefetcht1,
  Mnemonic.Prefetcht2,
  Mnemonic.Prefetchit0,
  Mnemonic.Prefetchit1,
  Mnemonic.Clflush,
];

export const SYSTEM_ROWS: Rows = [...all(NOTHING, nothing), ...all(ADDRESS, touchAddress), ...FAULT_ROWS];

export const SYSTEM_SERVICES: ServiceRows = [
  [Mnemonic.Syscall, () => ({ service: 'syscall', argument: 0 })],
  [Mnemonic.Cpuid, () => ({ service: 'cpuid', argument: 0 })],
  [Mnemonic.Rdtsc, () => ({ service: 'rdtsc', argument: 0 })],
  [Mnemonic.Rdtscp, () => ({ service: 'rdtscp', argument: 0 })],
];
