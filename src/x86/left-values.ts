import { type Instruction, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';
import { type Location, locationOf } from './locations.ts';
import { IMMEDIATE, sameSources } from './operands.ts';

/** What is known of the value that an instruction leaves in a general register, for telling equal addresses. */
export type Value =
  | { readonly kind: 'sum'; readonly to: Location; readonly from: Location; readonly plus: number }
  | { readonly kind: 'constant'; readonly to: Location; readonly value: number }
  | { readonly kind: 'loaded'; readonly to: Location }
  | {
      readonly kind: 'address';
      readonly to: Location;
      readonly base: Location | undefined;
      readonly index: Location | undefined;
      readonly scale: number;
      readonly plus: number;
    };

export function valueLeftBy(instruction: Instruction): Value | undefined {
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Register) return undefined;
  const size = RegisterExt.size(instruction.op0Register);
  if (!RegisterExt.isGPR(instruction.op0Register) || size < 4) return undefined;
  const to = locationOf(instruction.op0Register)!;
  const second = instruction.opCount > 1 ? instruction.op1Kind : undefined;
  const constant =
    second !== undefined && IMMEDIATE.has(second)
      ? Number(BigInt.asIntN(64, instruction.immediate(1)))
      : undefined;
  switch (instruction.mnemonic) {
    case Mnemonic.Mov:
      if (constant !== undefined) return { kind: 'constant', to, value: constant };
      if (second === OpKind.Memory) return { kind: 'loaded', to };
      if (second === OpKind.Register && RegisterExt.isGPR(instruction.op1Register))
        return { kind: 'sum', to, from: locationOf(instruction.op1Register)!, plus: 0 };
      return undefined;
    case Mnemonic.Pop:
      return { kind: 'loaded', to };
    case Mnemonic.Add:
      return constant === undefined || size < 8 ? undefined : { kind: 'sum', to, from: to, plus: constant };
    case Mnemonic.Sub:
      if (constant !== undefined && size === 8) return { kind: 'sum', to, from: to, plus: -constant };
      return sameSources(instruction) ? { kind: 'constant', to, value: 0 } : undefined;
    case Mnemonic.Xor:
      return sameSources(instruction) ? { kind: 'constant', to, value: 0 } : undefined;
    case Mnemonic.Inc:
      return size < 8 ? undefined : { kind: 'sum', to, from: to, plus: 1 };
    case Mnemonic.Dec:
      return size < 8 ? undefined : { kind: 'sum', to, from: to, plus: -1 };
    case Mnemonic.Lea: {
      const plus = Number(BigInt.asIntN(64, instruction.memoryDisplacement));
      if (instruction.memoryBase === Register.RIP) return { kind: 'constant', to, value: plus };
      const base = locationOf(instruction.memoryBase);
      const index = locationOf(instruction.memoryIndex);
      if (size < 8) return undefined;
      return { kind: 'address', to, base, index, scale: instruction.memoryIndexScale, plus };
    }
    default:
      return undefined;
  }
}

export function storePlusOf(instruction: Instruction): { readonly storePlus?: number } {
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Memory) return {};
  const step = (): number | undefined =>
    IMMEDIATE.has(instruction.op1Kind) ? Number(BigInt.asIntN(32, instruction.immediate(1))) : undefined;
  switch (instruction.mnemonic) {
    case Mnemonic.Add: {
      const plus = step();
      return plus === undefined ? {} : { storePlus: plus };
    }
    case Mnemonic.Sub: {
      const minus = step();
      return minus === undefined ? {} : { storePlus: -minus };
    }
    case Mnemonic.Inc:
      return { storePlus: 1 };
    case Mnemonic.Dec:
      return { storePlus: -1 };
    default:
      return {};
  }
}

/**
 * The same of 32 bits, as counters of loops in C are: that they do not overflow is what a compiler takes for granted, too,
 * where it extends them to index an array.
 */
export function narrowValueLeftBy(instruction: Instruction): Value | undefined {
  const { mnemonic } = instruction;
  if (mnemonic === Mnemonic.Cdqe) return { kind: 'sum', to: 0, from: 0, plus: 0 };
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Register) return undefined;
  if (!RegisterExt.isGPR(instruction.op0Register) || RegisterExt.size(instruction.op0Register) < 4)
    return undefined;
  const to = locationOf(instruction.op0Register)!;
  const second = instruction.opCount > 1 ? instruction.op1Kind : undefined;
  const step =
    second !== undefined && IMMEDIATE.has(second)
      ? Number(BigInt.asIntN(32, instruction.immediate(1)))
      : undefined;
  switch (mnemonic) {
    case Mnemonic.Add:
      return step === undefined ? undefined : { kind: 'sum', to, from: to, plus: step };
    case Mnemonic.Sub:
      return step === undefined ? undefined : { kind: 'sum', to, from: to, plus: -step };
    case Mnemonic.Inc:
      return { kind: 'sum', to, from: to, plus: 1 };
    case Mnemonic.Dec:
      return { kind: 'sum', to, from: to, plus: -1 };
    case Mnemonic.Movsxd:
      if (second === OpKind.Memory) return { kind: 'loaded', to };
      return { kind: 'sum', to, from: locationOf(instruction.op1Register)!, plus: 0 };
    case Mnemonic.Lea: {
      const base = locationOf(instruction.memoryBase);
      const index = locationOf(instruction.memoryIndex);
      const plus = Number(BigInt.asIntN(32, instruction.memoryDisplacement));
      return { kind: 'address', to, base, index, scale: instruction.memoryIndexScale, plus };
    }
    default:
      return undefined;
  }
}
