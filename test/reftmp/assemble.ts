import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Assembles each text (GNU assembler, Intel syntax) to its own bytes, at most `slot` of them. */
export function assembleTexts(texts: readonly string[], slot = 1024): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-texts-'));
  try {
    const source = join(folder, 'texts.s');
    const object = join(folder, 'texts.o');
    const image = join(folder, 'texts.bin');
    // Each slot starts with the length of its text, which begins 64 bytes further so that it can be aligned; the labels are no numbers, those belong to the texts.
    const slots = texts.map(
      (text, i) =>
        `.org ${i * slot}\n.short .Lend${i} - .Lstart${i}\n.balign 64\n.Lstart${i}:\n${text}\n.Lend${i}:\n`,
    );
    writeFileSync(source, `.intel_syntax noprefix\n.text\n${slots.join('')}.org ${texts.length * slot}\n`);
    execFileSync('gcc', ['-c', '-x', 'assembler', '-o', object, source], { stdio: 'pipe' });
    execFileSync('objcopy', ['-O', 'binary', '-j', '.text', object, image], { stdio: 'pipe' });
    const bytes = readFileSync(image);
    return texts.map((_, i) => {
      const at = i * slot;
      return new Uint8Array(bytes.subarray(at + 64, at + 64 + bytes.readUInt16LE(at)));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
