/**
 * Programs of the classic BPF as seccomp(2) takes them: a machine with an accumulator, an index and sixteen words, whose loads
 * look at the system call (net/core/filter.c, kernel/seccomp.c).
 */

/** struct sock_filter. */
export interface Instruction {
  readonly code: number;
  /** How many instructions a jump passes over where its condition holds, and where not. */
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly operand: number;
}

export const MOST_INSTRUCTIONS = 4096;
const WORDS = 16;
/** sizeof(struct seccomp_data). */
const DATA_SIZE = 64;

/** linux/bpf_common.h: BPF_CLASS. */
const CLASS = {
  LOAD: 0,
  LOAD_INDEX: 1,
  STORE: 2,
  STORE_INDEX: 3,
  ALU: 4,
  JUMP: 5,
  RETURN: 6,
  MOVE: 7,
} as const;
/** BPF_W with BPF_IMM, BPF_ABS, BPF_MEM, BPF_LEN. */
const MODE = { CONSTANT: 0x00, DATA: 0x20, WORD: 0x60, LENGTH: 0x80 } as const;
/** BPF_X: the index is the operand. */
const INDEX = 0x08;
const RETURN_ACCUMULATOR = 0x16;
const TO_INDEX = 0x07;
const TO_ACCUMULATOR = 0x87;
const ALWAYS = 0x00;
const NEGATE = 0x80;

const ARITHMETIC: ReadonlyMap<number, (a: number, b: number) => number> = new Map([
  [0x00, (a, b) => a + b],
  [0x10, (a, b) => a - b],
  [0x20, (a, b) => Math.imul(a, b)],
  [0x30, (a, b) => (b === 0 ? 0 : Math.floor(a / b))],
  [0x40, (a, b) => a | b],
  [0x50, (a, b) => a & b],
  [0x60, (a, b) => (b > 31 ? 0 : a << b)],
  [0x70, (a, b) => (b > 31 ? 0 : a >>> b)],
  [0xa0, (a, b) => a ^ b],
]);
const DIVIDE = 0x30;
const SHIFTS: readonly number[] = [0x60, 0x70];

const CONDITIONS: ReadonlyMap<number, (a: number, b: number) => boolean> = new Map([
  [0x10, (a, b) => a === b],
  [0x20, (a, b) => a > b],
  [0x30, (a, b) => a >= b],
  [0x40, (a, b) => (a & b) !== 0],
]);

const classOf = (code: number): number => code & 7;

/** Whether the kernel takes the program: it knows each instruction, every jump stays inside, and a return ends it. */
export function isValid(program: readonly Instruction[]): boolean {
  if (program.length === 0 || program.length > MOST_INSTRUCTIONS) return false;
  const last = program[program.length - 1];
  return (
    classOf(last.code) === CLASS.RETURN && program.every((each, at) => isKnown(each, program.length - at - 1))
  );
}

/** `rest` instructions follow. */
function isKnown({ code, ifTrue, ifFalse, operand }: Instruction, rest: number): boolean {
  const operation = code & 0xf0;
  const isIndexed = (code & INDEX) !== 0;
  switch (classOf(code)) {
    case CLASS.LOAD:
      if (code === MODE.DATA) return operand % 4 === 0 && operand < DATA_SIZE;
      return code === MODE.CONSTANT || code === MODE.LENGTH || (code === MODE.WORD && operand < WORDS);
    case CLASS.LOAD_INDEX: {
      const mode = code - CLASS.LOAD_INDEX;
      return mode === MODE.CONSTANT || mode === MODE.LENGTH || (mode === MODE.WORD && operand < WORDS);
    }
    case CLASS.STORE:
    case CLASS.STORE_INDEX:
      return operation === 0 && !isIndexed && operand < WORDS;
    case CLASS.ALU:
      if (operation === NEGATE) return !isIndexed;
      if (!isIndexed && operation === DIVIDE && operand === 0) return false;
      if (!isIndexed && SHIFTS.includes(operation) && operand > 31) return false;
      return ARITHMETIC.has(operation);
    case CLASS.JUMP:
      if (operation === ALWAYS) return !isIndexed && operand < rest;
      return CONDITIONS.has(operation) && ifTrue < rest && ifFalse < rest;
    case CLASS.RETURN:
      return code === CLASS.RETURN || code === RETURN_ACCUMULATOR;
    default:
      return code === TO_INDEX || code === TO_ACCUMULATOR;
  }
}

/** What a valid program gives for a system call, `data` being its struct seccomp_data. */
export function run(program: readonly Instruction[], data: DataView): number {
  const words = new Uint32Array(WORDS);
  let a = 0;
  let x = 0;
  for (let at = 0; ; at++) {
    const { code, ifTrue, ifFalse, operand } = program[at];
    const operation = code & 0xf0;
    const b = (code & INDEX) === 0 ? operand : x;
    switch (classOf(code)) {
      case CLASS.LOAD:
        a = loaded(code, operand, words, data);
        break;
      case CLASS.LOAD_INDEX:
        x = loaded(code - CLASS.LOAD_INDEX, operand, words, data);
        break;
      case CLASS.STORE:
        words[operand] = a;
        break;
      case CLASS.STORE_INDEX:
        words[operand] = x;
        break;
      case CLASS.ALU:
        a = (operation === NEGATE ? -a : ARITHMETIC.get(operation)!(a, b)) >>> 0;
        break;
      case CLASS.JUMP:
        if (operation === ALWAYS) at += operand;
        else at += CONDITIONS.get(operation)!(a, b) ? ifTrue : ifFalse;
        break;
      case CLASS.RETURN:
        return code === RETURN_ACCUMULATOR ? a : operand;
      default:
        if (code === TO_INDEX) x = a;
        else a = x;
    }
  }
}

function loaded(mode: number, operand: number, words: Uint32Array, data: DataView): number {
  switch (mode) {
    case MODE.DATA:
      return data.getUint32(operand, true);
    case MODE.WORD:
      return words[operand];
    default:
      return mode === MODE.LENGTH ? DATA_SIZE : operand;
  }
}
