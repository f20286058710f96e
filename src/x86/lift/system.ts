import { type Instruction, Mnemonic, RegisterExt } from 'iced-x86';
import type { Fault, Trap } from '../../ir/node.ts';
import type { Lift } from './context.ts';
import type { Row, Rows, ServiceCall, ServiceRows } from './row.ts';

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
  Mnemonic.Xsetbv,
  Mnemonic.Lldt,
  Mnemonic.Ltr,
  Mnemonic.Lgdt,
  Mnemonic.Lidt,
  Mnemonic.Lmsw,
  Mnemonic.Sysret,
  Mnemonic.Sysretq,
  // Decoded as wbinvd where it is not there.
  Mnemonic.Wbnoinvd,
];

/** Input and output of strings. */
const PORT_STRINGS = [
  Mnemonic.Insb,
  Mnemonic.Insw,
  Mnemonic.Insd,
  Mnemonic.Outsb,
  Mnemonic.Outsw,
  Mnemonic.Outsd,
];

/** Undefined by definition, or at user level on every processor. */
const UNDEFINED = [Mnemonic.Ud0, Mnemonic.Ud1, Mnemonic.Ud2, Mnemonic.Rsm, Mnemonic.Clac, Mnemonic.Stac];

/**
 * What a processor with our CPUID does not have: state of extensions, the 32-bit system call (SEP), and what a kernel
 * alone can use. Extensions for user code are none of these: a program that was built for them gets a message with the
 * instruction's name instead of a signal.
 */
export const ABSENT: readonly Mnemonic[] = [
  Mnemonic.Xsaves,
  Mnemonic.Xsaves64,
  Mnemonic.Xrstors,
  Mnemonic.Xrstors64,
  Mnemonic.Sysenter,
  Mnemonic.Sysexit,
  Mnemonic.Sysexitq,
  Mnemonic.Monitor,
  Mnemonic.Mwait,
  Mnemonic.Monitorx,
  Mnemonic.Mwaitx,
  Mnemonic.Invpcid,
  Mnemonic.Getsec,
  Mnemonic.Encls,
  Mnemonic.Enclu,
  Mnemonic.Enclv,
  Mnemonic.Vmcall,
  Mnemonic.Vmfunc,
  Mnemonic.Vmlaunch,
  Mnemonic.Vmresume,
  Mnemonic.Vmxoff,
  Mnemonic.Vmxon,
  Mnemonic.Vmread,
  Mnemonic.Vmwrite,
  Mnemonic.Vmptrld,
  Mnemonic.Vmptrst,
  Mnemonic.Vmclear,
  Mnemonic.Invept,
  Mnemonic.Invvpid,
  Mnemonic.Vmrun,
  Mnemonic.Vmmcall,
  Mnemonic.Vmload,
  Mnemonic.Vmsave,
  Mnemonic.Stgi,
  Mnemonic.Clgi,
  Mnemonic.Skinit,
  Mnemonic.Invlpga,
];

const all = (mnemonics: readonly Mnemonic[], row: Row): Rows => mnemonics.map((mnemonic) => [mnemonic, row]);

/**
 * int n: user code may use the gates of breakpoint, overflow and 32-bit system calls (Linux, arch/x86/kernel/idt.c).
 */
function interrupt(c: Lift): void {
  const vector = Number(c.immediate(0) & 0xffn);
  if (vector === 0x80) c.unsupported('int 0x80, a 32-bit system call');
  else c.fault(GATES.get(vector) ?? 'general-protection');
}

const GATES: ReadonlyMap<number, Trap> = new Map([
  [3, 'breakpoint'],
  [4, 'overflow'],
]);

export const PORT_STRING_ROWS: Rows = all(PORT_STRINGS, fault('general-protection'));

export const FAULT_ROWS: Rows = [
  ...all(PRIVILEGED, fault('general-protection')),
  ...PORT_STRING_ROWS,
  ...all([...UNDEFINED, ...ABSENT], fault('invalid-opcode')),
  [Mnemonic.Int3, fault('breakpoint')],
  [Mnemonic.Int1, fault('debug')],
  [Mnemonic.Int, interrupt],
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
  Mnemonic.Clflushopt,
  Mnemonic.Clwb,
];

/** rdpid gives what rdtscp gives: the processor's number, 0. */
const readProcessor: Row = (c) => c.writeRegister(c.instruction.opRegister(0), c.b.i64(0));

export const SYSTEM_ROWS: Rows = [
  ...all(NOTHING, nothing),
  ...all(ADDRESS, touchAddress),
  [Mnemonic.Rdpid, readProcessor],
  ...FAULT_ROWS,
];

/** rdrand and rdseed: the destination's number and size. */
function random(instruction: Instruction): ServiceCall {
  const register = instruction.opRegister(0);
  return {
    service: 'random',
    argument: RegisterExt.number(register) | (RegisterExt.size(register) << 4),
  };
}

export const SYSTEM_SERVICES: ServiceRows = [
  [Mnemonic.Syscall, () => ({ service: 'syscall', argument: 0 })],
  [Mnemonic.Cpuid, () => ({ service: 'cpuid', argument: 0 })],
  [Mnemonic.Rdtsc, () => ({ service: 'rdtsc', argument: 0 })],
  [Mnemonic.Rdtscp, () => ({ service: 'rdtscp', argument: 0 })],
  [Mnemonic.Rdrand, random],
  [Mnemonic.Rdseed, random],
];
