import type { VarId } from '../../ir/node.ts';
import { cpuidLeaf } from '../cpuid.ts';
import type { Machine, Service, ServiceEffects } from '../service.ts';
import { AR, CF, GPR, locationOf, OF, RAX, RBX, RCX, RDX, SR, ZR } from '../state.ts';

const locations = (...variables: VarId[]): number[] => variables.map(locationOf).sort((a, b) => a - b);

const write32 = (machine: Machine, variable: VarId, value: number): void =>
  machine.writeI64(variable, BigInt(value >>> 0));

const CPUID_SOURCES = locations(RAX, RCX);
const CPUID_DESTINATIONS = locations(RAX, RBX, RCX, RDX);

const cpuid: Service = (machine) => {
  const low = (variable: VarId): number => Number(BigInt.asIntN(32, machine.readI64(variable)));
  const leaf = cpuidLeaf(machine.isa, low(RAX), low(RCX));
  [RAX, RBX, RCX, RDX].forEach((variable, i) => {
    write32(machine, variable, leaf[i]);
  });
  return { sources: CPUID_SOURCES, destinations: CPUID_DESTINATIONS, loads: [], stores: [] };
};

function readClock(machine: Machine): void {
  const clock = machine.clock();
  machine.writeI64(RAX, clock & 0xffff_ffffn);
  machine.writeI64(RDX, (clock >> 32n) & 0xffff_ffffn);
}

const RDTSC_EFFECTS: ServiceEffects = {
  sources: [],
  destinations: locations(RAX, RDX),
  loads: [],
  stores: [],
};
const RDTSCP_EFFECTS: ServiceEffects = { ...RDTSC_EFFECTS, destinations: locations(RAX, RCX, RDX) };

const rdtsc: Service = (machine): ServiceEffects => {
  readClock(machine);
  return RDTSC_EFFECTS;
};

/** Also gives the processor's number, 0, which Linux keeps in IA32_TSC_AUX. */
const rdtscp: Service = (machine): ServiceEffects => {
  readClock(machine);
  machine.writeI64(RCX, 0n);
  return RDTSCP_EFFECTS;
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
