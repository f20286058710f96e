import { GUEST_END } from '../../guest/layout.ts';
import type { Instruction } from '../../x86/decode.ts';
import type { Operands } from '../../x86/lift/form.ts';
import type { CodePlaces } from '../code-places.ts';
import { CALLS, type Field, GOES_ON, NO_VARIABLE } from './record.ts';

/** Bytes that an instruction's record takes at most. */
const LONGEST_RECORD = 64;

/** Writes the records of one block after the other, where each is decoded: their place in memory is known later. */
export class RecordWriter {
  /** Where among the block's words it is counted how often its branch was taken. */
  taken: number | undefined;
  /** A link leads to a high address: no other run has the same place for it. */
  leadsFar = false;
  private readonly places: CodePlaces;
  private readonly words: Int32Array;
  private length = 0;
  /** Places of fields to be filled in once the block's length is known, with the instruction's number. */
  private readonly following: number[] = [];

  /** For blocks of so many instructions at most. */
  constructor(places: CodePlaces, instructions: number) {
    this.places = places;
    this.words = new Int32Array(((instructions + 4) * LONGEST_RECORD) / 4);
  }

  /** Begins a block. */
  start(): void {
    this.length = 0;
    this.following.length = 0;
    this.taken = undefined;
    this.leadsFar = false;
  }

  put(value: number): void {
    this.words[this.length++] = value;
  }

  private putWide(value: bigint): void {
    this.put(Number(BigInt.asIntN(32, value)));
    this.put(Number(BigInt.asIntN(32, value >> 32n)));
  }

  putPlace(address: number): void {
    this.put(this.places.of(address));
  }

  putLink(target: number, from: number): void {
    this.leadsFar ||= target >= GUEST_END;
    this.put(0);
    this.putPlace(target);
    this.putPlace(from);
  }

  /** The field 'following' of the instruction with that number in the block. */
  putFollowing(number: number): void {
    this.following.push(this.length, number);
    this.put(0);
  }

  putField(field: Field, instruction: Instruction, at: number, next: number, operands: Operands): void {
    switch (field.kind) {
      case 'register':
        return this.put(16 * operands.registers[field.operand]);
      case 'base':
        return this.put(16 * (operands.base < 0 ? NO_VARIABLE : operands.base));
      case 'index':
        return this.put(16 * operands.index);
      case 'scale':
        return this.put(Math.log2(instruction.memoryIndexScale));
      case 'displacement':
        return this.put(Number(BigInt.asIntN(32, instruction.memoryDisplacement)));
      case 'absolute':
        return this.putWide(
          instruction.isIpRelMemoryOperand ? instruction.ipRelMemoryAddress : instruction.memoryDisplacement,
        );
      case 'immediate32':
        return this.put(Number(BigInt.asIntN(32, instruction.immediate(field.operand))));
      case 'immediate64':
        return this.putWide(instruction.immediate(field.operand));
      case 'next':
        return this.putWide(BigInt(next));
      case 'address':
        return this.putPlace(at);
      case 'jump':
        this.putPlace(at);
        return this.put(0);
      case 'taken':
        this.taken = this.length;
        this.put(0);
        return this.put(0);
      case 'link': {
        if (field.to === 'next') return this.putLink(next, GOES_ON);
        const isCall = instruction.isCallNear;
        return this.putLink(Number(instruction.nearBranchTarget), isCall ? CALLS : at);
      }
      case 'following':
        throw new Error('filled in later');
    }
  }

  /** The block's records, of so many instructions, behind the words of its head. */
  finish(head: readonly number[], instructions: number): Int32Array {
    const { following, words, length } = this;
    for (let i = 0; i < following.length; i += 2) words[following[i]] = instructions - 1 - following[i + 1];
    const all = new Int32Array(head.length + length);
    all.set(head);
    all.set(words.subarray(0, length), head.length);
    return all;
  }
}
