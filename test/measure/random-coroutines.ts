import { assemblyFunction, START } from './build.ts';
import type { Random } from './random.ts';

const STACK = 0x1_0000;

/** What is left goes on where it was left; once that has been done as often as there are turns, main does. */
export const LEAVE = `
  dec dword ptr turns[rip]
  jns 1f
  xor edi, edi
1:
  lea rcx, saved[rip]
  mov eax, dword ptr now[rip]
  mov dword ptr now[rip], edi
  mov [rcx+8*rax], rsp`;

/**
 * Coroutines that go on in each other: `go` leaves the stack for that of the coroutine in edi, where it was left. Once that has been done as
 * often as there are turns, the first one goes on, which is main. Registers change hands without being saved.
 */
const GO = assemblyFunction('go', `${LEAVE}\n  mov rsp, [rcx+8*rdi]\n  ret`);

/** The same by other instructions. */
const LEAP = assemblyFunction(
  'leap',
  `
  dec dword ptr turns[rip]
  jns 1f
  xor edi, edi
1:
  lea rcx, saved[rip]
  mov eax, dword ptr now[rip]
  cmp eax, edi
  je 2f
  mov dword ptr now[rip], edi
  mov rdx, [rcx+8*rdi]
  xchg rsp, rdx
  mov [rcx+8*rax], rdx
2:
  ret`,
);

/** How programs leave a stack for another one. */
export interface Switching {
  /** The functions that do it, for the coroutine in edi, and what they need beside `saved`, `now` and `turns`. */
  readonly names: readonly string[];
  readonly text: (coroutines: number) => string;
  /** Where a coroutine's stack ends at first. */
  readonly end: (coroutine: number) => string;
  /** Whether addresses of a stack may be kept on it. */
  readonly keepsAddresses: boolean;
}

export const STAYING: Switching = {
  names: ['go', 'leap'],
  text: (coroutines) => `
.bss
.balign 16
stacks: .skip ${(coroutines + 1) * STACK}
.text
${GO}
${LEAP}`,
  end: (coroutine) => `stacks + ${coroutine * STACK}`,
  keepsAddresses: true,
};

/** A program of coroutines: their functions call each other, leave for others in between, make room, and unwind. */
export function randomCoroutines(random: Random, switching: Switching = STAYING): string {
  const count = 2 + random.below(3);
  const functions = 2 + random.below(3);
  const turns = 5 + random.below(60);
  const others = Array.from({ length: count }, (_, i) => i + 1);
  const leave = () => `mov edi, ${random.below(count + 1)}\ncall ${random.pick(switching.names)}`;
  const work = () =>
    random.pick([
      'add rbx, 1',
      'add rbx, rbp\nadd rbp, 1',
      'imul rsi, rbx',
      'mov [rsp-8], rbx\nadd rbx, [rsp-8]',
      'add qword ptr shared[rip], rbx',
      'mov rbp, shared[rip]',
    ]);
  /** Room of a size that is computed, as compilers make it for arrays. */
  const room = (inner: string) => `
  mov r8, rsp
  lea r9, [rsp-${16 * (1 + random.below(64))}]
  mov rsp, r9
  push r8
  ${inner}
  pop rsp`;
  const body = (level: number): string =>
    Array.from({ length: 1 + random.below(4) }, () => {
      const kind = random.below(10);
      if (kind < 4) return work();
      if (kind < 6) return leave();
      if (kind < 7) {
        const inner = random.chance(2) ? leave() : work();
        return switching.keepsAddresses ? room(inner) : inner;
      }
      return level < functions ? `call f${level + random.below(functions - level)}` : work();
    }).join('\n');
  const repeated = (inner: string, register: string) => {
    const times = 1 + random.below(3);
    return times === 1
      ? inner
      : `push ${register}\nmov ${register}, ${times}\n9:\n${inner}\ndec ${register}\njnz 9b\npop ${register}`;
  };
  const texts = [
    ...Array.from({ length: functions }, (_, i) => {
      // Some end by a call of another function.
      const isTail = i + 1 < functions && random.chance(4);
      return assemblyFunction(
        `f${i}`,
        `${repeated(body(i + 1), 'r12')}\n${isTail ? `jmp f${i + 1}` : 'ret'}`,
      );
    }),
    ...others.map((i) =>
      assemblyFunction(`body${i}`, `8:\n${body(0)}\n${leave()}\n${random.chance(3) ? leave() : ''}\njmp 8b`),
    ),
  ];
  const main = assemblyFunction(
    'main',
    `
  mov ebx, 1
8:
  ${body(0)}
  ${leave()}
  cmp dword ptr turns[rip], 0
  jge 8b
  xor eax, eax
  ret`,
  );
  const frames = others.map((i) => `.quad ${switching.end(i)} - 8`).join('\n');
  return `
.data
shared: .quad 1
turns: .long ${turns}
now: .long 0
saved: .quad 0
${frames}
${switching.text(count)}
.text
${texts.join('\n')}
${assemblyFunction(
  'start',
  `
${others.map((i) => `lea rax, body${i}[rip]\nmov [rip + ${switching.end(i)} - 8], rax`).join('\n')}
  ret`,
)}
${main.replace('mov ebx, 1', 'call start\nmov ebx, 1')}
${START}
`;
}
