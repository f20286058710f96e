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

/** By kind: the mnemonics for 1, 2, 4 and 8 bytes. */
const MNEMONICS = {
  movs: [Mnemonic.Movsb, Mnemonic.Movsw, Mnemonic.Movsd, Mnemonic.Movsq],
  stos: [Mnemonic.Stosb, Mnemonic.Stosw, Mnemonic.Stosd, Mnemonic.Stosq],
  lods: [Mnemonic.Lodsb, Mnemonic.Lodsw, Mnemonic.Lodsd, Mnemonic.Lodsq],
  scas: [Mnemonic.Scasb, Mnemonic.Scasw, Mnemonic.Scasd, Mnemonic.Scasq],
  cmps: [Mnemonic.Cmpsb, Mnemonic.Cmpsw, Mnemonic.Cmpsd, Mnemonic.Cmpsq],
};
type Kind = keyof typeof MNEMONICS;

const KINDS = Object.entries(MNEMONICS) as [Kind, Mnemonic[]][];
const SIZES: ReadonlyMap<Mnemonic, Size> = new Map(
  KINDS.flatMap(([, mnemonics]) => mnemonics.map((mnemonic, i) => [mnemonic, (2 ** i) as Size])),
);

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

const ROWS: Readonly<Record<Kind, Row>> = {
  movs: move,
  stos: store,
  lods: loadAccumulator,
  scas: scan,
  cmps: compareStrings,
};

export const STRING_ROWS: Rows = KINDS.flatMap(([kind, mnemonics]) =>
  mnemonics.map((mnemonic) => [mnemonic, ROWS[kind]] as const),
);

export const STRING_SERVICES: ServiceRows = KINDS.flatMap(([kind, mnemonics]) =>
  mnemonics.map(
    (mnemonic, i) =>
      [mnemonic, (instruction: Instruction) => repeated(instruction, kind, (2 ** i) as Size)] as const,
  ),
);

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
