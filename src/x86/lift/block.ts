import type { Instruction } from 'iced-x86';
import { BlockBuilder } from '../../ir/builder.ts';
import type { Block, Terminator } from '../../ir/node.ts';
import type { CodeReader } from '../decode.ts';
import { missingExtension } from '../extension.ts';
import { mnemonicName } from '../iced-names.ts';
import { FPU_TOP, VARIABLES } from '../state.ts';
import { DEFAULT_MXCSR, Lift } from './context.ts';
import { type Treatment, treatmentOf } from './rows.ts';
import { guardPending } from './x87-stack.ts';

export interface LiftOptions {
  /** Top of the x87 register stack at the block's entry, 0-7. */
  readonly top: number;
  /**
   * MXCSR's control bits when the block runs (default: as at a program's start). Instructions that change them are
   * services, so that they hold for all of a block.
   */
  readonly mxcsr?: number;
  /** Whether another block starts at an address after this block's first: the block ends before it. */
  readonly end?: (address: number) => boolean;
  /** Most instructions of the block, at least 1. */
  readonly limit: number;
  /** Whether a value that is computed twice is one node (default). */
  readonly sharesNodes?: boolean;
}

export interface LiftedBlock extends Block {
  /** Top of the x87 register stack after the block. */
  readonly topAfter: number;
  /** Some instruction works on x87 or MMX registers, so that the block is valid for one `top` only. */
  readonly usesFpu: boolean;
}

/**
 * Lifts the straight run of instructions at an address. `instructions` holds those that the block itself retires: an
 * instruction that runs as a service, faults or is unknown is none of them, but `end` lies after it.
 */
export function liftBlock(code: CodeReader, address: number, options: LiftOptions): LiftedBlock {
  const b = new BlockBuilder(VARIABLES, address, options.sharesNodes);
  const lift = new Lift(b, options.top, options.mxcsr ?? DEFAULT_MXCSR, code.exceptions);
  let fpu = false;
  let terminator: Terminator | undefined;
  do {
    const at = b.nextAddress;
    const instruction = code.decode(at);
    const treatment = treatmentOf(instruction);
    fpu ||= treatment.usesFpu;
    lift.begin(instruction, at);
    terminator = liftInstruction(code, lift, treatment);
    if (b.index === options.limit || options.end?.(b.nextAddress))
      terminator ??= { kind: 'jump', target: b.nextAddress };
  } while (terminator === undefined);
  if (lift.top !== options.top) b.poke(FPU_TOP, b.i32(lift.top));
  return Object.assign(b.finish(terminator), { topAfter: lift.top, usesFpu: fpu });
}

/** Lifts the instruction just begun; gives the terminator when it ends the block. */
export function liftInstruction(code: CodeReader, lift: Lift, treatment: Treatment): Terminator | undefined {
  const { row } = treatment;
  const { instruction, b } = lift;
  if (instruction.isInvalid)
    return { kind: 'fault', fault: code.ranOut ? 'general-protection' : 'invalid-opcode' };
  const served = code.serviceOf(instruction, treatment);
  if (served !== undefined) return { kind: 'service', ...served, next: b.nextAddress };
  if (row === undefined) return { kind: 'unsupported', text: describe(code, instruction) };
  if (treatment.waits && lift.exceptions.signalsX87) guardPending(lift);
  row(lift);
  const { terminator } = lift;
  if (terminator?.kind === 'unsupported')
    return { kind: 'unsupported', text: describe(code, instruction, terminator.text) };
  if (terminator?.kind !== 'fault') b.end();
  return terminator;
}

/** `vaddpd (0x401000, 62 f1 ed 48 58 cb), which needs AVX-512F; build with ...` */
function describe(code: CodeReader, instruction: Instruction, name = ''): string {
  const address = Number(instruction.ip);
  const bytes = Array.from(code.bytes(address, instruction.length), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  const missing = missingExtension(instruction);
  const place = `(0x${address.toString(16)}, ${bytes.join(' ')})`;
  return `${name || mnemonicName(instruction.mnemonic)} ${place}${missing && `, ${missing}`}`;
}
