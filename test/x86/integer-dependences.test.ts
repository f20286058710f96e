import {
  Decoder,
  DecoderOptions,
  type Instruction,
  MemorySize,
  MemorySizeExt,
  Mnemonic,
  OpKind,
} from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { type Effects, icedEffects, liftedEffects } from './effects.ts';
import { INTEGER_FORMS } from './integer-forms.ts';
import { liftCase } from './native/emulated.ts';
import { type Example, example, type Form } from './native/forms.ts';
import { Random } from './native/random.ts';

const CASES = Number(process.env.ILP_GATE_CASES ?? 12);

type Correction = (iced: Effects, instruction: Instruction) => Effects;

const including = (names: readonly string[], more: readonly string[]): string[] =>
  [...new Set([...names, ...more])].sort();

/** Rule 4's closed list of zero idioms is longer than iced's: cmp and sbb of a register with itself. */
const idiom: Correction = (iced, instruction) => {
  const registers = [0, 1].map((k) =>
    instruction.opKind(k) === OpKind.Register ? instruction.opRegister(k) : -k,
  );
  if (registers[0] !== registers[1]) return iced;
  const kept = instruction.mnemonic === Mnemonic.Sbb && narrow(instruction);
  return { ...iced, sources: kept ? iced.sources : iced.sources.filter((name) => name === 'cf') };
};

/** 8- and 16-bit registers, by iced's numbers: AL is the first, EAX the first of 32 bits. */
const narrow = (instruction: Instruction): boolean => instruction.opRegister(0) < 37;

/** A count in CL may be 0 and leave every flag that the instruction writes: all are sources and destinations (rule 4). */
const countInCl =
  (flags: readonly string[]): Correction =>
  (iced, instruction) => {
    const last = instruction.opCount - 1;
    if (instruction.opKind(last) !== OpKind.Register) return iced;
    return {
      ...iced,
      sources: including(iced.sources, flags),
      destinations: including(iced.destinations, flags),
    };
  };

/** Reserved at this level: no-operations without source. */
const nothing: Correction = () => ({ sources: [], destinations: [], loads: [], stores: [] });

const shift = countInCl(['cf', 'of', 'szap']);
const rotate = countInCl(['cf', 'of']);

/** A far pointer is read as offset and selector: the same bytes. */
const farPointer: Correction = (iced, instruction) => {
  const size = MemorySizeExt.size(instruction.memorySize);
  const isFar = /^SegPtr/.test(MemorySize[instruction.memorySize]);
  return isFar ? { ...iced, loads: iced.loads.flatMap((n) => (n === size ? [2, n - 2] : [n])).sort() } : iced;
};

/** Segment bases, which iced leaves out. */
const base =
  (side: 'sources' | 'destinations', name: 'fs' | 'gs'): Correction =>
  (iced) => ({ ...iced, [side]: including(iced[side], [name]) });

/** Where rule 4 and the processor's own definition differ from what iced reports, each with its reason above. */
const CORRECTIONS: ReadonlyMap<Mnemonic, Correction> = new Map([
  [Mnemonic.Cmp, idiom],
  [Mnemonic.Sbb, idiom],
  [Mnemonic.Shl, shift],
  [Mnemonic.Sal, shift],
  [Mnemonic.Shr, shift],
  [Mnemonic.Sar, shift],
  [Mnemonic.Shld, shift],
  [Mnemonic.Shrd, shift],
  [Mnemonic.Rol, rotate],
  [Mnemonic.Ror, rotate],
  [Mnemonic.Rcl, rotate],
  [Mnemonic.Rcr, rotate],
  [Mnemonic.Jmp, farPointer],
  [Mnemonic.Call, farPointer],
  [Mnemonic.Lss, farPointer],
  [Mnemonic.Lfs, farPointer],
  [Mnemonic.Lgs, farPointer],
  [Mnemonic.Reservednop, nothing],
  [Mnemonic.Cldemote, nothing],
  [Mnemonic.Rdsspd, nothing],
  [Mnemonic.Rdsspq, nothing],
  [Mnemonic.Rdfsbase, base('sources', 'fs')],
  [Mnemonic.Rdgsbase, base('sources', 'gs')],
  [Mnemonic.Wrfsbase, base('destinations', 'fs')],
  [Mnemonic.Wrgsbase, base('destinations', 'gs')],
  // Evict a line, read none of its bytes.
  [Mnemonic.Clflush, (iced) => ({ ...iced, loads: [] })],
  [Mnemonic.Clflushopt, (iced) => ({ ...iced, loads: [] })],
  [Mnemonic.Clwb, (iced) => ({ ...iced, loads: [] })],
]);

describe('sources and destinations of integer instructions', () => {
  it('are those that iced reports, corrected by rule 4', () => {
    expect(INTEGER_FORMS.flatMap(differences).slice(0, 5)).toEqual([]);
  });
});

function differences(form: Form): string[] {
  const random = new Random(form.code);
  const found: string[] = [];
  for (let n = 0; n < CASES; n++) {
    const made = example(form, random);
    if (made !== undefined) found.push(...difference(made));
  }
  return found;
}

/** Services and faults have no lifted effects. */
function difference(made: Example): string[] {
  const block = liftCase(made);
  if (block.instructions.length === 0) return [];
  const decoder = new Decoder(64, made.code, DecoderOptions.None);
  const instruction = decoder.decode();
  const iced = icedEffects(instruction);
  const expected = CORRECTIONS.get(instruction.mnemonic)?.(iced, instruction) ?? iced;
  const lifted = liftedEffects(block);
  decoder.free();
  instruction.free();
  return show(lifted) === show(expected) ? [] : [`${made.text}: ${show(lifted)}, expected ${show(expected)}`];
}

function show({ sources, destinations, loads, stores }: Effects): string {
  const memory = (sizes: readonly number[]): string[] => sizes.map((size) => `[${size}]`);
  return `${[...sources, ...memory(loads)].join(' ')} -> ${[...destinations, ...memory(stores)].join(' ')}`;
}
