import { assemblyFunction } from './build.ts';
import { LEAVE, type Switching } from './random-coroutines.ts';

/** Bytes of the two places that a stack has in turns: neighbours are closer than room that code makes. */
const SIZES = [0x800, 0xc00];

const end = (coroutine: number, which: number): string => `places${which} + ${coroutine * SIZES[which]}`;

/**
 * Coroutines as Go's runtime has them: which one goes on is noted before rsp is set. Every few turns all that is on its
 * stack moves to the other of two places, unless `moves` is false, which changes no call. Main's stack never moves.
 */
export const movingStacks = (every: 1 | 2 | 4, moves: boolean): Switching => ({
  names: ['go'],
  end: (coroutine) => end(coroutine, 0),
  keepsAddresses: false,
  text(coroutines) {
    const numbers = Array.from({ length: coroutines }, (_, i) => i + 1);
    return `
.bss
.balign 16
places0: .skip ${coroutines * SIZES[0]}
places1: .skip ${coroutines * SIZES[1]}
.data
.balign 16
records: .quad 0, 0
${numbers.map((i) => `.quad ${end(i, 0)} - ${SIZES[0]}, ${end(i, 0)}`).join('\n')}
ends: .quad 0, 0
${numbers.map((i) => `.quad ${end(i, 0)}, ${end(i, 1)}`).join('\n')}
running: .quad records
moves: .long ${moves ? 1 : 0}
.section .gopclntab, "a"
.byte 0
.text
${MOVING_GO}
${assemblyFunction('gogo', 'mov fs:[running], rdx\nmov rsp, r10\nret')}
`.replaceAll('EVERY', `${every - 1}`);
  },
});

const MOVING_GO = assemblyFunction(
  'go',
  `${LEAVE}
  mov r10, [rcx+8*rdi]
  shl edi, 4
  lea rdx, records[rip]
  add rdx, rdi
  test edi, edi
  jz gogo
  test dword ptr turns[rip], EVERY
  jnz gogo
  cmp dword ptr moves[rip], 0
  je gogo
  lea r11, ends[rip]
  add rdi, r11
  mov r11, [rdi]
  add r11, [rdi+8]
  mov r9, [rdx+8]
  sub r11, r9
  mov [rdx+8], r11
  lea r8, [r11-${SIZES[0]}]
  mov [rdx], r8
  mov rsi, r10
  mov rcx, r9
  sub rcx, rsi
  sub r11, rcx
  mov r10, r11
  mov rdi, r11
  rep movsb
  jmp gogo`,
);
