import { assemblyFunction, START } from './build.ts';
import type { Random } from './random.ts';

/** CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID. */
const CLONE_FLAGS = 0x3d_0f00;
const STACK = 16384;

/**
 * What threads without a library are made of. `spawn` starts the function in rdi on the stack that ends at rsi, with the word
 * at rdx to tell when it ends; `join` waits for that. A new thread comes to its function as those of C libraries do.
 */
export const THREAD_FUNCTIONS = [
  assemblyFunction(
    'spawn',
    `
  mov [rsi-8], rdi
  sub rsi, 8
  mov r10, rdx
  mov r8, rsi
  mov edi, ${CLONE_FLAGS}
  mov eax, 56
  syscall
  test eax, eax
  jz 1f
  ret
1:
  lea rax, first[rip]
  call rax
  hlt`,
  ),
  assemblyFunction(
    'first',
    `
  mov rax, [rsp+8]
  call rax
  xor edi, edi
  mov eax, 60
  syscall`,
  ),
  assemblyFunction(
    'join',
    `
1:
  mov edx, [rdi]
  test edx, edx
  jz 2f
  xor esi, esi
  xor r10d, r10d
  mov eax, 202
  syscall
  jmp 1b
2:
  ret`,
  ),
].join('\n');

/** Starts a thread for each function, and waits for all of them. */
export function startAll(functions: readonly string[]): string {
  const starts = functions.map(
    (name, i) => `
  lea rdi, ${name}[rip]
  lea rsi, stacks[rip+${STACK * (i + 1)}]
  lea rdx, words[rip+${4 * i}]
  call spawn`,
  );
  return starts.join('');
}

export function joinAll(functions: readonly string[]): string {
  return functions.map((_, i) => `\n  lea rdi, words[rip+${4 * i}]\n  call join`).join('');
}

export const threadData = (threads: number): string =>
  `.bss\n.balign 4096\nstacks: .skip ${STACK * threads}\nwords: .skip ${4 * threads}\n.balign 64\nshared: .skip 256\n`;

/** A program whose threads work on the same memory, wait for each other, sleep and yield. It always ends. */
export function randomThreads(random: Random): string {
  const threads = 1 + random.below(4);
  const names = Array.from({ length: threads }, (_, i) => `thread${i}`);
  const helpers = Array.from({ length: 3 }, (_, i) => assemblyFunction(`f${i}`, helperBody(random, i)));
  const bodies = names.map((name) => assemblyFunction(name, threadBody(random)));
  const early = random.chance(3) ? names.slice(1) : names;
  const late = names.filter((name) => !early.includes(name));
  const lateStart =
    late.length === 0
      ? ''
      : `
  lea rdi, ${late[0]}[rip]
  lea rsi, stacks[rip+${STACK * threads}]
  lea rdx, words[rip+${4 * (threads - 1)}]
  call spawn`;
  const main = [
    startAll(early),
    work(random, 3),
    lateStart,
    random.chance(2) ? '\n  call f2' : '',
    joinAll(names),
    work(random, 2),
    random.chance(2) ? '\n  xor eax, eax\n  ret' : '\n  mov eax, 231\n  xor edi, edi\n  syscall',
  ].join('');
  return [
    threadData(threads),
    '.text',
    START,
    THREAD_FUNCTIONS,
    ...helpers,
    ...bodies,
    assemblyFunction('main', main),
  ].join('\n');
}

const REGISTERS = ['rax', 'rcx', 'rdx', 'rbx', 'rbp', 'rsi', 'rdi', 'r9', 'r12', 'r13', 'r14', 'r15'];

/** Functions call those of larger numbers only. */
function helperBody(random: Random, number: number): string {
  const calls = number < 2 && random.chance(2) ? `\n  call f${number + 1 + random.below(2 - number)}` : '';
  return `${work(random, 1 + random.below(3))}${calls}${work(random, 1)}\n  ret`;
}

function threadBody(random: Random): string {
  return `${work(random, 2 + random.below(4))}\n  call f${random.below(3)}${work(random, 1)}\n  ret`;
}

function work(random: Random, pieces: number): string {
  return Array.from({ length: pieces }, () => piece(random)).join('');
}

let labels = 0;

function piece(random: Random): string {
  const kind = random.below(9);
  const [a, b] = [random.pick(REGISTERS), random.pick(REGISTERS)];
  const place = `shared[rip+${8 * random.below(8)}]`;
  switch (kind) {
    case 0:
    case 1:
      return loop(random);
    case 2:
      return `\n  add ${a}, ${b}\n  imul ${b}, ${a}\n  mov ${place}, ${b}`;
    case 3:
      return `\n  mov ${a}, ${place}\n  xor ${b}, ${a}\n  lock add ${place}, ${b}`;
    case 4:
      return `\n  mov eax, ${1 + random.below(9)}\n  lock xadd ${place}, rax\n  cvtsi2sd xmm${random.below(4)}, rax`;
    case 5:
      return `\n  mov eax, 24\n  syscall`;
    case 6:
      // nanosleep of some hundred instructions.
      return `\n  push ${random.below(400)}\n  push 0\n  mov rdi, rsp\n  xor esi, esi\n  mov eax, 35\n  syscall\n  add rsp, 16`;
    case 7:
      return wakeOrWait(random);
    default:
      return `\n  mov ecx, ${1 + random.below(40)}\n  lea rdi, shared[rip+64]\n  mov al, ${random.below(9)}\n  rep stosb`;
  }
}

function loop(random: Random): string {
  const label = `again${labels++}`;
  const place = `shared[rip+${8 * random.below(8)}]`;
  const body = Array.from({ length: 1 + random.below(4) }, () =>
    random.pick([
      '\n  add rbx, r8',
      `\n  add ${place}, rbx`,
      `\n  mov r12, ${place}`,
      '\n  imul r13, r12',
      `\n  lock inc qword ptr ${place}`,
      '\n  mulsd xmm1, xmm2',
      '\n  addsd xmm2, xmm1',
      '\n  pause',
    ]),
  );
  return `\n  mov r8d, ${1 + random.below(300)}\n${label}:${body.join('')}\n  dec r8d\n  jnz ${label}`;
}

/** Waits at most for a while, or wakes whoever waits there. */
function wakeOrWait(random: Random): string {
  const word = `shared[rip+${128 + 4 * random.below(3)}]`;
  if (random.chance(2))
    return `\n  lock inc dword ptr ${word}\n  lea rdi, ${word}\n  mov esi, 1\n  mov edx, ${1 + random.below(3)}\n  mov eax, 202\n  syscall`;
  return `\n  push ${50 + random.below(2000)}\n  push 0\n  mov r10, rsp\n  lea rdi, ${word}\n  xor esi, esi\n  mov edx, [rdi]\n  mov eax, 202\n  syscall\n  add rsp, 16`;
}
