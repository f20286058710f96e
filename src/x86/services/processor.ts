import type { VarId } from '../../ir/node.ts';
import type { Machine, Service, ServiceEffects } from '../service.ts';
import { AR, CF, GPR, OF, RAX, RBX, RCX, RDX, SR, VARIABLES, ZR } from '../state.ts';

/**
 * CPUID of the one processor that guests see: baseline x86-64, that is SSE2 and nothing later, so
 * that a C library picks the routines that every such processor has. The vendor is one whose cache description C
 * libraries read from leaf 4; family 15 has no model-specific tuning in glibc.
 */
type Leaf = readonly [eax: number, ebx: number, ecx: number, edx: number];

const NONE: Leaf = [0, 0, 0, 0];

/** Leaf 1, edx (SDM volume 2, CPUID, table 3-11): FPU, TSC, CX8, CMOV, CLFSH, MMX, FXSR, SSE, SSE2. */
export const FEATURES = [0, 4, 8, 15, 19, 23, 24, 25, 26].reduce((all, bit) => all | (1 << bit), 0);
/** Leaf 0x80000001, edx: SYSCALL, NX, LM. */
const EXTENDED_FEATURES = (1 << 11) | (1 << 20) | (1 << 29);

const BRAND = 'ILP Gate baseline x86-64 processor'.padEnd(48, '\0');

/** Leaf 4: type 1 data, 2 instruction, 3 unified; sizes in bytes, lines of 64. */
function cache(type: 1 | 2 | 3, level: number, ways: number, size: number): Leaf {
  const sets = size / (ways * 64);
  return [type | (level << 5) | (1 << 8), 63 | ((ways - 1) << 22), sets - 1, 0];
}

const CACHES: readonly Leaf[] = [
  cache(1, 1, 8, 32 << 10),
  cache(2, 1, 8, 32 << 10),
  cache(3, 2, 8, 256 << 10),
  cache(3, 3, 16, 8 << 20),
];

function text(bytes: string): readonly number[] {
  const words: number[] = [];
  for (let i = 0; i < bytes.length; i += 4)
    words.push(
      bytes.charCodeAt(i) |
        (bytes.charCodeAt(i + 1) << 8) |
        (bytes.charCodeAt(i + 2) << 16) |
        (bytes.charCodeAt(i + 3) << 24),
    );
  return words;
}

const [GENU, INEI, NTEL] = text('GenuineIntel');
const brand = (part: number): Leaf => text(BRAND.slice(16 * part, 16 * part + 16)) as unknown as Leaf;

export function cpuidLeaf(leaf: number, subleaf: number): Leaf {
  switch (leaf >>> 0) {
    case 0:
      return [4, GENU, NTEL, INEI];
    case 1:
      // Family 15, model 4, stepping 1; CLFLUSH lines of 64 bytes, one logical processor.
      return [0xf41, (8 << 8) | (1 << 16), 0, FEATURES];
    case 2:
      // Descriptor 0xff: caches are in leaf 4.
      return [0x00ff_0001, 0, 0, 0];
    case 4:
      return CACHES[subleaf >>> 0] ?? NONE;
    case 0x8000_0000:
      return [0x8000_0008 | 0, 0, 0, 0];
    case 0x8000_0001:
      return [0, 0, 0, EXTENDED_FEATURES];
    case 0x8000_0002:
      return brand(0);
    case 0x8000_0003:
      return brand(1);
    case 0x8000_0004:
      return brand(2);
    case 0x8000_0006:
      // L2: 256 KiB, 8 ways (code 6), lines of 64 bytes.
      return [0, 0, (256 << 16) | (6 << 12) | 64, 0];
    case 0x8000_0008:
      // 48 virtual and 48 physical address bits.
      return [0x3030, 0, 0, 0];
    default:
      return NONE;
  }
}

const locations = (...variables: VarId[]): number[] =>
  variables.map((variable) => VARIABLES[variable].location as number).sort((a, b) => a - b);

const write32 = (machine: Machine, variable: VarId, value: number): void =>
  machine.writeI64(variable, BigInt(value >>> 0));

const cpuid: Service = (machine) => {
  const low = (variable: VarId): number => Number(BigInt.asIntN(32, machine.readI64(variable)));
  const leaf = cpuidLeaf(low(RAX), low(RCX));
  [RAX, RBX, RCX, RDX].forEach((variable, i) => {
    write32(machine, variable, leaf[i]);
  });
  return { sources: locations(RAX, RCX), destinations: locations(RAX, RBX, RCX, RDX), loads: [], stores: [] };
};

function readClock(machine: Machine): void {
  const clock = machine.clock();
  machine.writeI64(RAX, clock & 0xffff_ffffn);
  machine.writeI64(RDX, (clock >> 32n) & 0xffff_ffffn);
}

const rdtsc: Service = (machine): ServiceEffects => {
  readClock(machine);
  return { sources: [], destinations: locations(RAX, RDX), loads: [], stores: [] };
};

/** Also gives the processor's number, 0, which Linux keeps in IA32_TSC_AUX. */
const rdtscp: Service = (machine): ServiceEffects => {
  readClock(machine);
  machine.writeI64(RCX, 0n);
  return { sources: [], destinations: locations(RAX, RCX, RDX), loads: [], stores: [] };
};

/** CF tells success, which is always; the other flags become 0. */
const RANDOM_FLAGS: readonly (readonly [VarId, number])[] = [
  [CF, 1],
  [OF, 0],
  [AR, 0],
];

/** rdrand and rdseed. Argument: register, size << 4; 2 bytes leave the rest of the register. */
const random: Service = (machine, argument): ServiceEffects => {
  const variable = GPR[argument & 15];
  const size = argument >> 4;
  const bytes = machine.random(size);
  const value = bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);
  const kept = size === 2 ? machine.readI64(variable) & ~0xffffn : 0n;
  machine.writeI64(variable, kept | value);
  for (const [flag, set] of RANDOM_FLAGS) machine.writeI32(flag, set);
  // Neither zero nor negative, and of odd parity.
  machine.writeI64(ZR, 1n);
  machine.writeI64(SR, 1n);
  return {
    sources: size === 2 ? locations(variable) : [],
    destinations: locations(variable, CF, OF, ZR),
    loads: [],
    stores: [],
  };
};

export const PROCESSOR_SERVICES: readonly (readonly [string, Service])[] = [
  ['cpuid', cpuid],
  ['rdtsc', rdtsc],
  ['rdtscp', rdtscp],
  ['random', random],
];
