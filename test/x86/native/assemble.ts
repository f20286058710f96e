import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder, DecoderOptions, type Mnemonic } from 'iced-x86';

/** Assembles lines of Intel syntax with the GNU assembler, each to its own bytes, placed at address 0. */
export function assemble(lines: readonly string[]): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-assemble-'));
  try {
    const source = join(folder, 'cases.s');
    const object = join(folder, 'cases.o');
    const image = join(folder, 'cases.bin');
    // Each slot of 32 bytes starts with the length of its instruction.
    const slots = lines.map((line) => `.balign 32\n.byte 2f-1f\n1: ${line}\n2:\n`);
    writeFileSync(source, `.intel_syntax noprefix\n.text\n${slots.join('')}.balign 32\n`);
    execFileSync('gcc', ['-c', '-x', 'assembler', '-o', object, source], { stdio: 'pipe' });
    execFileSync('objcopy', ['-O', 'binary', '-j', '.text', object, image], { stdio: 'pipe' });
    const bytes = readFileSync(image);
    return lines.map((_, i) => new Uint8Array(bytes.subarray(32 * i + 1, 32 * i + 1 + bytes[32 * i])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the first instruction in the bytes. */
export function mnemonicOf(bytes: Uint8Array): Mnemonic {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = decoder.decode();
  const { mnemonic } = instruction;
  instruction.free();
  decoder.free();
  return mnemonic;
}
