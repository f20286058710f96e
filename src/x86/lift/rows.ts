import { EncodingKind, type FlowControl, type Instruction, Mnemonic } from 'iced-x86';
import { usesFpu } from '../fpu-use.ts';
import { storesStatus } from '../status-use.ts';
import { ARITHMETIC_ROWS } from './arithmetic.ts';
import { BIT_ROWS } from './bits.ts';
import { BMI_ROWS } from './bmi.ts';
import { CRC32_ROWS } from './crc32.ts';
import { DIVIDE_ROWS } from './divide.ts';
import { FAR_ROWS } from './far.ts';
import { FLAG_ROWS } from './flag-rows.ts';
import { FLOW_ROWS } from './flow.ts';
import { MMX_ROWS, MMX_SERVICES } from './mmx.ts';
import { MOVE_ROWS } from './move.ts';
import { MULTIPLY_ROWS } from './multiply.ts';
import type { Row, ServiceCall } from './row.ts';
import { SEGMENT_ROWS } from './segment.ts';
import { SHIFT_ROWS } from './shift.ts';
import { AVX_ROWS, EXTENSION_ROWS, SSE_ROWS, SSE_SERVICES } from './sse.ts';
import { STACK_ROWS, STACK_SERVICES } from './stack.ts';
import { STRING_ROWS, STRING_SERVICES } from './string.ts';
import { FAULT_ROWS, PORT_STRING_ROWS, SYSTEM_ROWS, SYSTEM_SERVICES } from './system.ts';
import { X87_ROWS, X87_SERVICES } from './x87.ts';

/** Every integer instruction that is lifted. */
export const INTEGER_ROWS: ReadonlyMap<Mnemonic, Row> = new Map([
  ...MOVE_ROWS,
  ...ARITHMETIC_ROWS,
  ...MULTIPLY_ROWS,
  ...DIVIDE_ROWS,
  ...SHIFT_ROWS,
  ...BIT_ROWS,
  ...BMI_ROWS,
  ...CRC32_ROWS,
  ...FLAG_ROWS,
  ...STACK_ROWS,
  ...FLOW_ROWS,
  ...FAR_ROWS,
  ...SEGMENT_ROWS,
  ...SYSTEM_ROWS,
]);

/** Forms on x87 and MMX registers; the latter share mnemonics with those on vector registers. */
const FPU: ReadonlyMap<Mnemonic, Row> = new Map([...X87_ROWS, ...MMX_ROWS]);

const ROWS: ReadonlyMap<Mnemonic, Row> = new Map([
  ...INTEGER_ROWS,
  ...SSE_ROWS,
  ...EXTENSION_ROWS,
  ...AVX_ROWS,
  ...X87_ROWS,
]);

/** String instructions, apart because `movsd` and `cmpsd` name SSE instructions too. */
const STRINGS: ReadonlyMap<Mnemonic, Row> = new Map([...STRING_ROWS, ...PORT_STRING_ROWS]);

/** Instructions that fault in all their forms (`int 0x80` is unsupported, which ends a block as well). */
const FAULTING: ReadonlySet<Mnemonic> = new Set(FAULT_ROWS.map(([mnemonic]) => mnemonic));

const SERVED: ReadonlyMap<Mnemonic, (instruction: Instruction) => ServiceCall | undefined> = new Map([
  ...STRING_SERVICES,
  ...SYSTEM_SERVICES,
  ...STACK_SERVICES,
  ...SSE_SERVICES,
  ...X87_SERVICES,
  ...MMX_SERVICES,
]);

/** x87 instructions that do not look at pending exceptions (SDM volume 1, 8.7; volume 2 of each). */
const NOT_WAITING: ReadonlySet<Mnemonic> = new Set([
  Mnemonic.Fninit,
  Mnemonic.Fnclex,
  Mnemonic.Fnstcw,
  Mnemonic.Fnstsw,
  Mnemonic.Fnstenv,
  Mnemonic.Fnsave,
  Mnemonic.Fnop,
  Mnemonic.Fneni,
  Mnemonic.Fndisi,
  Mnemonic.Fnsetpm,
]);

/** What is done with the instructions of one form. */
export interface Treatment {
  /** The row that lifts it; undefined when it is unknown. */
  readonly row: Row | undefined;
  /** The service that executes it, where one does. */
  readonly service: ((instruction: Instruction) => ServiceCall | undefined) | undefined;
  /** Whether it faults whatever its operands hold, though it has a row; mov of control registers does. */
  readonly alwaysFaults: boolean;
  readonly flowControl: FlowControl;
  readonly usesFpu: boolean;
  /** Whether it waits for the x87: an exception that is pending becomes a fault. */
  readonly waits: boolean;
  /** Whether it stores MXCSR's sticky exception bits, among others. */
  readonly storesStatus: boolean;
}

/** By iced's number of the form: each question to iced is a call into WebAssembly, so it is asked once. */
const treatments: (Treatment | undefined)[] = [];

export function treatmentOf(instruction: Instruction): Treatment {
  const { code } = instruction;
  const known = treatments[code];
  if (known !== undefined) return known;
  const { mnemonic } = instruction;
  const isFpu = usesFpu(instruction);
  const made: Treatment = {
    row: rowOf(instruction, isFpu),
    service: SERVED.get(mnemonic),
    alwaysFaults: FAULTING.has(mnemonic) || instruction.isPrivileged,
    flowControl: instruction.flowControl,
    usesFpu: isFpu,
    waits: mnemonic === Mnemonic.Wait || (isFpu && !NOT_WAITING.has(mnemonic)),
    storesStatus: storesStatus(mnemonic),
  };
  treatments[code] = made;
  return made;
}

/** AVX-512 has the mnemonics of AVX for its forms on more and longer registers. */
function rowOf(instruction: Instruction, isFpu: boolean): Row | undefined {
  const { mnemonic } = instruction;
  if (instruction.isStringInstruction) return STRINGS.get(mnemonic);
  if (instruction.encoding > EncodingKind.VEX) return undefined;
  return (isFpu ? FPU : ROWS).get(mnemonic);
}
