import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oracleMissing } from '../../test/guest/builds.ts';
import { observesStatus } from './status-use.ts';

/** Whether the first stmxcsr or fxsave of the code observes the sticky bits. */
function observes(source: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-status-'));
  try {
    const [text, object, image] = ['a.s', 'a.o', 'a.bin'].map((name) => join(folder, name));
    writeFileSync(text, `.intel_syntax noprefix\nstart:\n${source}\n.fill 64, 1, 0xcc\n`);
    execFileSync('gcc', ['-c', '-o', object, text], { stdio: 'pipe' });
    execFileSync('objcopy', ['-O', 'binary', '-j', '.text', object, image], { stdio: 'pipe' });
    const bytes = new Uint8Array(readFileSync(image));
    return observesStatus((address) => bytes.subarray(address, address + 32), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As gcc and glibc have them. */
const HARMLESS: Readonly<Record<string, string>> = {
  'sin: the rounding mode is looked at, and set where it is another; a dead slot becomes an out-parameter': `
    stmxcsr [rsp + 8]; mov ebx, [rsp + 8]; mov eax, ebx; and ah, 0x9f; mov [rsp + 16], eax; movq rax, xmm0
    xor ebp, ebp; and ebx, 0x6000; jne 2f
  1: lea rsi, [rsp + 16]; lea rdi, [rsp + 24]; call 4f; movsd xmm0, [rsp + 16]
    test ebp, ebp; jne 3f
    add rsp, 40; pop rbx; pop rbp; ret
  2: ldmxcsr [rsp + 16]; mov ebp, 1; jmp 1b
  3: stmxcsr [rsp + 8]; mov eax, [rsp + 8]; and ah, 0x9f; or eax, ebx; mov [rsp + 8], eax; ldmxcsr [rsp + 8]
    add rsp, 40; pop rbx; pop rbp; ret
  4: movsd [rsi], xmm0; movsd [rdi], xmm1; ret`,
  'feholdexcept and fesetenv in a function of their own': `
    stmxcsr [rsp - 8]; mov eax, [rsp - 8]; and eax, 0xffff8040; or eax, 0x1f80; mov [rsp - 4], eax; ldmxcsr [rsp - 4]
    addsd xmm0, xmm1; ldmxcsr [rsp - 8]; xor eax, eax; ret`,
  'the rounding mode is compared': `
    stmxcsr [rsp - 4]; mov eax, [rsp - 4]; mov edx, eax; and edx, 0xffff9fff; cmp edx, eax; jne 1f; xor eax, eax
  1: mov edx, 0; mov eax, 1; ret`,
  fegetround: 'stmxcsr [rsp - 4]; mov eax, [rsp - 4]; shr eax, 13; and eax, 3; ret',
  feclearexcept:
    'stmxcsr [rsp - 4]; not edi; and edi, 0x3f; and [rsp - 4], edi; ldmxcsr [rsp - 4]; xor eax, eax; ret',
  'flush to zero is switched on': 'stmxcsr [rsp - 4]; or dword ptr [rsp - 4], 0x8040; ldmxcsr [rsp - 4]; ret',
  'the resolver of the dynamic linker': `
    fxsave [rsp + 0x40]; mov rsi, [rbx + 16]; mov rdi, [rbx + 8]; call 1f; mov r11, rax; fxrstor [rsp + 0x40]
    mov rax, [rsp]; mov rsp, rbx; mov rbx, [rsp]; add rsp, 0x18; jmp r11
  1: ret`,
};

const OBSERVING: Readonly<Record<string, string>> = {
  _mm_getcsr: 'stmxcsr [rsp - 4]; mov eax, [rsp - 4]; ret',
  '_mm_getcsr() & 0x3f': 'stmxcsr [rsp - 4]; mov eax, [rsp - 4]; and eax, 0x3f; ret',
  fetestexcept: 'stmxcsr [rsp - 4]; mov eax, [rsp - 8]; or eax, [rsp - 4]; and eax, edi; ret',
  'a branch on one of the bits': 'stmxcsr [rsp - 4]; test byte ptr [rsp - 4], 0x20; jne 1f; nop; 1: ret',
  fegetenv: 'stmxcsr [rdi + 28]; xor eax, eax; ret',
  'an argument': 'stmxcsr [rsp + 4]; mov edi, [rsp + 4]; call [rax]; ret',
  'the address of the slot as an argument': 'stmxcsr [rsp + 4]; lea rdi, [rsp + 4]; call [rax]; ret',
  'a function that reads the slot':
    'stmxcsr [rsp + 4]; lea rdi, [rsp + 4]; call 1f; ret; 1: mov eax, [rdi]; ret',
  'the old value, after another was set': `
    stmxcsr [rsp - 4]; mov eax, [rsp - 4]; mov edx, eax; or edx, 0x8040; mov [rsp - 8], edx; ldmxcsr [rsp - 8]; ret`,
  'a store elsewhere': 'stmxcsr [rsp - 4]; mov eax, [rsp - 4]; mov [rdi], eax; ret',
  'a way through a table': 'stmxcsr [rsp + 4]; and ecx, 3; mov rax, [rdx + rcx * 8]; jmp rax',
  'a copy read late': `
    stmxcsr [rsp + 4]; mov eax, [rsp + 4]; mov [rsp + 12], eax; xor eax, eax; call [rbx]; mov eax, [rsp + 12]
    and eax, 0x3d; add rsp, 24; ret`,
  'a conversion': 'stmxcsr [rsp - 4]; mov eax, [rsp - 4]; cvtsi2sd xmm0, eax; ret',
};

describe.skipIf(oracleMissing('gcc', 'objcopy'))("MXCSR's sticky bits", () => {
  test.each(Object.entries(HARMLESS))('are not looked at by %s', (_, source) => {
    expect(observes(source.replace('fnstsw', 'fnstsw word ptr'))).toBe(false);
  });

  test.each(Object.entries(OBSERVING))('may be looked at by %s', (_, source) => {
    expect(observes(source)).toBe(true);
  });
});
