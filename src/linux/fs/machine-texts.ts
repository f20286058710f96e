import { GUEST_END } from '../../guest/layout.ts';
import { EPOCH, UPTIME } from '../clock.ts';

/**
 * What /proc says of the machine: one processor, the one that CPUID shows (x86/features.ts), and as much memory as a guest can
 * address. Fixed, so that no number changes.
 */
export const MEMORY_TOTAL = GUEST_END;
/**
 * Some programs take what is free (sort, for one). This fits below BRK_LIMIT, where steps have their usual size
 * (emulator/memory/measure-plan.ts): of half of the memory, sort used both ends, so that the run began anew with smaller steps and took three passes.
 */
export const MEMORY_FREE = GUEST_END / 8;

const kilobytes = (bytes: number): string => `${String(bytes / 1024).padStart(8)} kB`;

export const MEMORY_INFO = `MemTotal:       ${kilobytes(MEMORY_TOTAL)}
MemFree:        ${kilobytes(MEMORY_FREE)}
MemAvailable:   ${kilobytes(MEMORY_FREE)}
Buffers:        ${kilobytes(0)}
Cached:         ${kilobytes(0)}
SwapCached:     ${kilobytes(0)}
SwapTotal:      ${kilobytes(0)}
SwapFree:       ${kilobytes(0)}
HugePages_Total:       0
HugePages_Free:        0
Hugepagesize:       2048 kB
`;

/** What depends on the level that CPUID shows. */
export interface Processor {
  readonly name: string;
  readonly family: number;
  readonly model: number;
  readonly stepping: number;
  readonly flags: string;
}

export const cpuInfo = ({ name, family, model, stepping, flags }: Processor): string => `processor\t: 0
vendor_id\t: GenuineIntel
cpu family\t: ${family}
model\t\t: ${model}
model name\t: ${name}
stepping\t: ${stepping}
cpu MHz\t\t: 1000.000
cache size\t: 8192 KB
physical id\t: 0
siblings\t: 1
core id\t\t: 0
cpu cores\t: 1
fpu\t\t: yes
fpu_exception\t: yes
flags\t\t: ${flags}
bogomips\t: 2000.00
clflush size\t: 64
cache_alignment\t: 64
address sizes\t: 48 bits physical, 48 bits virtual

`;

/** cpu user nice system idle iowait irq softirq steal guest guest_nice, in ticks. */
export const STATISTICS = `cpu  0 0 0 360000 0 0 0 0 0 0
cpu0 0 0 0 360000 0 0 0 0 0 0
intr 0
ctxt 0
btime ${(EPOCH - UPTIME) / 1_000_000_000n}
processes 1000
procs_running 1
procs_blocked 0
`;
