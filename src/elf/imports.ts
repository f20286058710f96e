import { elfFile, u64 } from './file.ts';
import * as elf from './format.ts';
import type { Image, Section } from './image.ts';
import { stubRanges } from './plt.ts';
import { sectionBytes } from './section-headers.ts';

/**
 * Names of what a program calls in other files, by the address of the linkage stub that it calls. Never throws on account of
 * the file: what cannot be read has no name.
 */
export function importNames(image: Image): ReadonlyMap<number, string> {
  const slots = slotNames(image);
  const names = new Map<number, string>();
  if (slots.size === 0) return names;
  const isStub = stubRanges(image);
  for (const section of image.sections) {
    const bytes = isStub(section.address) ? sectionBytes(image.bytes, section) : undefined;
    if (bytes === undefined) continue;
    for (let stub = 0; stub + STUB <= bytes.length; stub += STUB) {
      const slot = slotOf(bytes.subarray(stub, stub + STUB), section.address + stub);
      const name = slot === undefined ? undefined : slots.get(slot);
      if (name !== undefined) names.set(section.address + stub, name);
      // .plt.got has two stubs of 8 bytes in this place.
      const second = slotOf(bytes.subarray(stub + 8, stub + STUB), section.address + stub + 8);
      const other = second === undefined ? undefined : slots.get(second);
      if (other !== undefined) names.set(section.address + stub + 8, other);
    }
  }
  return names;
}

const STUB = 16;

/** Where `jmp [rip+distance]` at the beginning of a stub takes its target from; endbr64 or a bnd prefix may be in front. */
function slotOf(stub: Uint8Array, address: number): number | undefined {
  let at = 0;
  if (stub[0] === 0xf3 && stub[1] === 0x0f && stub[2] === 0x1e && stub[3] === 0xfa) at = 4;
  if (stub[at] === 0xf2) at++;
  if (stub[at] !== 0xff || stub[at + 1] !== 0x25 || at + 6 > stub.length) return undefined;
  const distance = new DataView(stub.buffer, stub.byteOffset, stub.byteLength).getInt32(at + 2, true);
  return address + at + 6 + distance;
}

/** Names by the address of the slot that the dynamic linker fills. */
function slotNames(image: Image): ReadonlyMap<number, string> {
  const { view } = elfFile(image.path, image.bytes);
  const names = new Map<number, string>();
  const symbols = image.sections.find(({ type }) => type === elf.SHT_DYNSYM);
  const strings = image.sections.find(({ name }) => name === '.dynstr');
  const text = strings && sectionBytes(image.bytes, strings);
  if (symbols === undefined || text === undefined) return names;
  if (sectionBytes(image.bytes, symbols) === undefined) return names;
  const nameOf = (symbol: number): string | undefined => {
    const at = symbols.offset + symbol * elf.SYMBOL_SIZE;
    if (symbol === 0 || at + elf.SYMBOL_SIZE > symbols.offset + symbols.size) return undefined;
    const start = view.getUint32(at, true);
    // No further: a crafted file could have a million relocations for a name without an end.
    const name = text.subarray(start, start + LONGEST_NAME);
    const end = name.indexOf(0);
    return end <= 0 ? undefined : decoder.decode(name.subarray(0, end));
  };
  for (const section of image.sections.filter(isRelocations)) {
    if (sectionBytes(image.bytes, section) === undefined) continue;
    for (let at = section.offset; at + 24 <= section.offset + section.size; at += 24) {
      const kind = view.getUint32(at + 8, true);
      if (kind !== R_GLOB_DAT && kind !== R_JUMP_SLOT) continue;
      const name = nameOf(view.getUint32(at + 12, true));
      if (name !== undefined) names.set(u64(view, at), name);
    }
  }
  return names;
}

const decoder = new TextDecoder();
const R_GLOB_DAT = 6;
const R_JUMP_SLOT = 7;
const LONGEST_NAME = 4096;
const isRelocations = ({ name }: Section): boolean => name === '.rela.plt' || name === '.rela.dyn';
