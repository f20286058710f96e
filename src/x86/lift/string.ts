import { type Instruction, Mnemonic, OpKind, Register } from 'iced-x86';
import type { Node, VarId } from '../../ir/node.ts';
import { DF, RDI, RSI } from '../state.ts';
import { encodeString } from '../string-form.ts';
import { ACCUMULATORS, type Lift, type Size, sized, typeOf } from './context.ts';
import { setSubtractFlags } from './flags.ts';
import type { Row, Rows, ServiceCall, ServiceRows } from './row.ts';

/**
 * String instructions. Without a repeat prefix they are lifted: the pointers move by the element's size, downwards when
 * DF is set. With one they are services (services/string.ts). `movsd` and `cmpsd` are SSE mnemonics too: iced tells them
 * apart by `isStringInstruction`.
 */
interface Pointer {
  readonly variable: VarId;
  readonly address: Node;
}

const NARROW: ReadonlySet<OpKind> = new Set([OpKind.MemorySegESI, OpKind.MemorySegEDI, OpKind.MemoryESEDI]);

/** rsi or rdi; the segment prefix applies to the source only. */
function pointer(c: Lift, variable: VarId): Pointer {
  const offset = addressOf(c, c.b.get(variable));
  return { variable, address: variable === RSI ? c.inSegment(offset) : offset };
}

function addressOf(c: Lift, value: Node): Node {
  return isNarrow(c.instruction) ? c.b.op('i64.and', value, c.b.i64(0xffff_ffffn)) : value;
}

function isNarrow(instruction: Instruction): boolean {
  for (let k = 0; k < instruction.opCount; k++) if (NARROW.has(instruction.opKind(k))) return true;
  return false;
}

function advance(c: Lift, variables: readonly VarId[], size: Size): void {
  const { b } = c;
  const step = b.op('select.i64', b.i64(-size), b.i64(size), b.get(DF));
  for (const variable of variables) b.set(variable, addressOf(c, b.op('i64.add', b.get(variable), step)));
}

const SIZES: ReadonlyMap<Mnemonic, Size> = new Map<Mnemonic, Size>([
  [Mnemonic.Movsb, 1],
  [Mnemonic.Movsw, 2],
  [Mnemonic.Movsd, 4],
  [Mnemonic.Movsq, 8],
  [Mnemonic.Stosb, 1],
  [Mnemonic.Stosw, 2],
  [Mnemonic.Stosd, 4],
  [Mnemonic.Stosq, 8],
  [Mnemonic.Lodsb, 1],
  [Mnemonic.Lodsw, 2],
  [Mnemonic.Lodsd, 4],
  [Mnemonic.Lodsq, 8],
  [Mnemonic.Scasb, 1],
  [Mnemonic.Scasw, 2],
  [Mnemonic.Scasd, 4],
  [Mnemonic.Scasq, 8],
  [Mnemonic.Cmpsb, 1],
  [Mnemonic.Cmpsw, 2],
  [Mnemonic.Cmpsd, 4],
  [Mnemonic.Cmpsq, 8],
]);

const sizeOf = (c: Lift): Size => SIZES.get(c.instruction.mnemonic) as Size;

function load(c: Lift, variable: VarId, size: Size): Node {
  return c.b.load(pointer(c, variable).address, size, typeOf(size));
}

function move(c: Lift): void {
  const size = sizeOf(c);
  const value = load(c, RSI, size);
  c.b.store(pointer(c, RDI).address, size, value);
  advance(c, [RSI, RDI], size);
}

function store(c: Lift): void {
  const size = sizeOf(c);
  c.b.store(pointer(c, RDI).address, size, c.readRegister(ACCUMULATORS[size]));
  advance(c, [RDI], size);
}

function loadAccumulator(c: Lift): void {
  const size = sizeOf(c);
  c.writeRegister(ACCUMULATORS[size], load(c, RSI, size));
  advance(c, [RSI], size);
}

function compare(c: Lift, x: Node, y: Node, size: Size): void {
  setSubtractFlags(c, x, y, c.b.op(sized('sub', size), x, y), size);
}

function scan(c: Lift): void {
  const size = sizeOf(c);
  compare(c, c.readRegister(ACCUMULATORS[size]), load(c, RDI, size), size);
  advance(c, [RDI], size);
}

function compareStrings(c: Lift): void {
  const size = sizeOf(c);
  const x = load(c, RSI, size);
  compare(c, x, load(c, RDI, size), size);
  advance(c, [RSI, RDI], size);
}

const KINDS: Readonly<Record<string, readonly [row: Row, service: string]>> = {
  Movs: [move, 'movs'],
  Stos: [store, 'stos'],
  Lods: [loadAccumulator, 'lods'],
  Scas: [scan, 'scas'],
  Cmps: [compareStrings, 'cmps'],
};

const kindOf = (mnemonic: Mnemonic) => KINDS[Mnemonic[mnemonic].slice(0, 4)];

export const STRING_ROWS: Rows = [...SIZES.keys()].map((mnemonic) => [mnemonic, kindOf(mnemonic)[0]]);

export const STRING_SERVICES: ServiceRows = [...SIZES].map(([mnemonic, size]) => [
  mnemonic,
  (instruction) => repeated(instruction, kindOf(mnemonic)[1], size),
]);

function repeated(instruction: Instruction, service: string, size: Size): ServiceCall | undefined {
  if (!instruction.isStringInstruction) return undefined;
  if (!instruction.hasRepPrefix && !instruction.hasRepnePrefix) return undefined;
  const segment = instruction.memorySegment;
  const argument = encodeString({
    size,
    narrow: isNarrow(instruction),
    until: instruction.hasRepnePrefix ? 'equal' : 'different',
    segment: segment === Register.FS ? 'fs' : segment === Register.GS ? 'gs' : 'none',
  });
  return { service, argument };
}
