import { describe, expect, it } from 'vitest';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import type { ServiceEffects } from '../../src/x86/service.ts';
import { SERVICES } from '../../src/x86/services/index.ts';
import { CF, DF, GPR, OF, RAX, RBX, RCX, RDI, RDX, RSI, VARIABLES, ZR } from '../../src/x86/state.ts';
import { encodeString, type StringForm } from '../../src/x86/string-form.ts';
import { memoryAt, PageFault, ReferenceMachine } from '../reference/machine.ts';

const BASE = 0x1000;

function machineWith(text: string, registers: Readonly<Record<number, bigint>>): ReferenceMachine {
  const bytes = new Uint8Array(64);
  bytes.set(new TextEncoder().encode(text));
  const machine = new ReferenceMachine(memoryAt(BASE, bytes));
  for (const variable of GPR) machine.set(variable, 0n);
  for (const [variable, value] of Object.entries(registers)) machine.set(Number(variable), value);
  return machine;
}

function perform(machine: ReferenceMachine, name: string, form: Partial<StringForm> = {}): ServiceEffects {
  const argument = encodeString({ size: 1, narrow: false, until: 'different', segment: 'none', ...form });
  return SERVICES.get(name)!(machine, argument);
}

const locations = (...variables: number[]): number[] =>
  variables.map((variable) => VARIABLES[variable].location as number).sort((a, b) => a - b);

/** Values are compared with the processor in integer.test.ts; here is what the measurement sees (rules 2 and 4). */
describe('repeated string instructions', () => {
  it('rep movs reads count, pointers, direction and the source, and writes as many bytes', () => {
    const machine = machineWith('abcdefgh', { [RCX]: 5n, [RSI]: 0x1000n, [RDI]: 0x1020n });
    expect(perform(machine, 'movs')).toEqual({
      sources: locations(RCX, RSI, RDI, DF),
      destinations: locations(RCX, RSI, RDI),
      loads: [{ address: 0x1000, length: 5 }],
      stores: [{ address: 0x1020, length: 5 }],
    });
  });

  it('with a count of 0 they touch registers only', () => {
    for (const name of ['movs', 'stos', 'lods', 'scas', 'cmps']) {
      const { loads, stores, destinations } = perform(machineWith('', { [RCX]: 0n }), name);
      expect({ name, loads, stores }).toEqual({ name, loads: [], stores: [] });
      expect(destinations).toEqual(expect.arrayContaining(locations(RCX)));
    }
  });

  it('repne scas, as strlen has it, reads up to the byte that it finds', () => {
    const machine = machineWith('word\0rest', { [RCX]: -1n, [RDI]: 0x1000n, [RAX]: 0n });
    const { loads, sources, destinations } = perform(machine, 'scas', { until: 'equal' });
    expect(loads).toEqual([{ address: 0x1000, length: 5 }]);
    expect(machine.readI64(RCX)).toBe(-6n);
    // The flags stay where the count is 0.
    expect(sources).toEqual(locations(RAX, RCX, RDI, DF, CF, OF, ZR));
    expect(destinations).toEqual(locations(RCX, RDI, CF, OF, ZR));
  });

  it('repe cmps stops at the first difference', () => {
    const machine = machineWith('same1---same2', { [RCX]: 8n, [RSI]: 0x1000n, [RDI]: 0x1008n });
    expect(perform(machine, 'cmps').loads).toEqual([
      { address: 0x1000, length: 5 },
      { address: 0x1008, length: 5 },
    ]);
  });

  it('downwards, ranges still start at the lowest address', () => {
    const machine = machineWith('', { [RCX]: 3n, [RDI]: 0x1010n });
    machine.set(DF, 1);
    expect(perform(machine, 'stos', { size: 4 }).stores).toEqual([{ address: 0x1008, length: 12 }]);
  });

  it('fault where the memory ends', () => {
    const machine = machineWith('', { [RCX]: 100n, [RDI]: 0x1000n });
    expect(() => perform(machine, 'stos')).toThrow(PageFault);
  });
});

describe('cpuid', () => {
  const leaf = (number: bigint, subleaf = 0n, isa: IsaLevel = 'x86-64'): string[] => {
    const machine = machineWith('', { [RAX]: number, [RCX]: subleaf });
    machine.isa = isa;
    SERVICES.get('cpuid')!(machine, 0);
    return [RAX, RBX, RCX, RDX].map((variable) => machine.readI64(variable).toString(16));
  };

  it('describes a baseline x86-64 processor: SSE2 and nothing later', () => {
    const [, , ecx, edx] = leaf(1n);
    expect(ecx).toBe('0');
    expect(Number.parseInt(edx, 16) & (1 << 26)).not.toBe(0);
    expect(leaf(7n)).toEqual(['0', '0', '0', '0']);
  });

  it('of x86-64-v2 has what the level adds, and no leaf for it', () => {
    // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF.
    expect(leaf(1n, 0n, 'x86-64-v2')[2]).toBe((0x98_2201).toString(16));
    expect(leaf(0x8000_0001n, 0n, 'x86-64-v2')[2]).toBe('1');
    expect(leaf(0n, 0n, 'x86-64-v2')[0]).toBe('4');
    expect(leaf(7n, 0n, 'x86-64-v2')).toEqual(['0', '0', '0', '0']);
  });

  it('of x86-64-v3 has AVX state to save, and neither AES nor AVX-512', () => {
    // As x86-64-v2, with FMA, MOVBE, XSAVE, OSXSAVE, AVX, F16C; LZCNT; BMI1, AVX2, BMI2.
    expect(leaf(1n, 0n, 'x86-64-v3')[2]).toBe((0x3cd8_3201).toString(16));
    expect(leaf(0x8000_0001n, 0n, 'x86-64-v3')[2]).toBe('21');
    expect(leaf(7n, 0n, 'x86-64-v3')).toEqual(['0', '128', '0', '0']);
    expect(leaf(13n, 0n, 'x86-64-v3')).toEqual(['7', '340', '340', '0']);
    expect(leaf(13n, 2n, 'x86-64-v3')).toEqual(['100', '240', '0', '0']);
  });

  it('tells a vendor, caches and a brand', () => {
    expect(leaf(0n)).toEqual(['4', '756e6547', '6c65746e', '49656e69']);
    expect(leaf(4n)).toEqual(['121', '1c0003f', '3f', '0']);
    expect(leaf(4n, 4n)).toEqual(['0', '0', '0', '0']);
    const words = [2n, 3n, 4n].flatMap((part) => leaf(0x8000_0000n + part));
    const text = words
      .map((word) => Buffer.from(word.padStart(8, '0'), 'hex').reverse().toString('latin1'))
      .join('');
    expect(text.replace(/\0+$/, '')).toBe('ILP Gate baseline x86-64 processor');
  });
});

describe('rdtsc', () => {
  it('reads the instruction-count clock into edx:eax, and reads no register', () => {
    const machine = machineWith('', {});
    machine.ticks = 0x1_2345_6789n;
    const effects = SERVICES.get('rdtsc')!(machine, 0);
    expect([machine.readI64(RAX), machine.readI64(RDX)]).toEqual([0x2345_6789n, 1n]);
    expect(effects.sources).toEqual([]);
    expect(effects.destinations).toEqual(locations(RAX, RDX));
  });
});

describe('rdrand and rdseed', () => {
  /** The service's argument: register, and bytes << 4. */
  const draw = (size: number) => {
    const machine = machineWith('', { [RDX]: -1n });
    machine.set(ZR, 0n);
    const { sources, destinations } = SERVICES.get('random')!(machine, 2 | (size << 4));
    return { value: BigInt.asUintN(64, machine.readI64(RDX)), sources, destinations, machine };
  };

  it('take the next of the random numbers of the guest, and always succeed', () => {
    const { value, sources, destinations, machine } = draw(8);
    expect(value).toBe(0x6160_5f5e_5d5c_5b5an);
    expect([machine.readI32(CF), machine.readI32(OF), machine.readI64(ZR) === 0n]).toEqual([1, 0, false]);
    expect(sources).toEqual([]);
    expect(destinations).toEqual(locations(RDX, CF, OF, ZR));
  });

  it('clear the upper half with 4 bytes, and keep, as a source, what 2 bytes leave', () => {
    expect(draw(4).value).toBe(0x5d5c_5b5an);
    expect(draw(2).value).toBe(0xffff_ffff_ffff_5b5an);
    expect(draw(2).sources).toEqual(locations(RDX));
  });
});
