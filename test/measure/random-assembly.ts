import { assemblyFunction, START } from './build.ts';
import type { Random } from './random.ts';
import { avxInstruction } from './random-avx.ts';
import { extensionLine } from './random-extensions.ts';

/**
 * Programs of nonsense that always end. Conventions: rdi is the buffer, r12 counts down the calls that are left, rbp
 * counts a loop (saved by whoever loops), everything else is anybody's. Jumps go forward except in counted loops.
 */
export function randomProgram(random: Random, hasAvx = false): string {
  return new Generator(random, hasAvx).program();
}

const BUFFER_BYTES = 192;
const FUNCTIONS = 5;
const CALLS = 60;

type Width = 1 | 2 | 4 | 8;
const WIDTHS: readonly Width[] = [1, 2, 4, 8];
const SIZE_WORD = { 1: 'byte', 2: 'word', 4: 'dword', 8: 'qword', 16: 'xmmword' } as const;
const REGISTERS: Readonly<Record<Width, readonly string[]>> = {
  1: ['al', 'cl', 'dl', 'bl', 'sil', 'r8b', 'r9b', 'r10b', 'r13b', 'ah', 'ch', 'dh', 'bh'],
  2: ['ax', 'cx', 'dx', 'bx', 'si', 'r8w', 'r9w', 'r10w', 'r13w'],
  4: ['eax', 'ecx', 'edx', 'ebx', 'esi', 'r8d', 'r9d', 'r10d', 'r13d'],
  8: ['rax', 'rcx', 'rdx', 'rbx', 'rsi', 'r8', 'r9', 'r10', 'r13'],
};
const CONDITIONS = 'o no b ae e ne be a s ns p np l ge le g'.split(' ');
const XMM = Array.from({ length: 6 }, (_, i) => `xmm${i}`);

const XMM_TO_XMM = [
  ...'paddb paddw paddd paddq psubb psubw psubd psubq pxor pand pandn por pcmpeqb pcmpeqd pcmpgtb pcmpgtw'.split(
    ' ',
  ),
  ...'punpcklbw punpckhwd punpckldq punpcklqdq pmullw pmuludq pavgb pmaxub pminsw psllq psrld psraw'.split(
    ' ',
  ),
  ...'addps mulps subpd addpd andps andnpd orps xorps xorpd minps unpcklps cvtdq2ps cvttps2dq packsswb'.split(
    ' ',
  ),
  ...'movaps movdqa movq movsd movss'.split(' '),
];
const SCALAR_DOUBLE = 'addsd subsd mulsd divsd sqrtsd minsd maxsd ucomisd comisd cvtsd2ss cvtps2pd'.split(
  ' ',
);
const SCALAR_SINGLE = 'addss mulss subss divss sqrtss ucomiss cvtss2sd'.split(' ');

/** Modes of MXCSR that a guest may set, with and without sticky exception bits. */
const MXCSR = [0x1f80, 0x1fa1];

class Generator {
  private readonly random: Random;
  private labels = 0;
  /** Nesting of the pieces being made: deep ones stay small. */
  private nesting = 0;
  private inLoop = false;

  private readonly hasAvx: boolean;

  constructor(random: Random, hasAvx: boolean) {
    this.random = random;
    this.hasAvx = hasAvx;
  }

  program(): string {
    const names = Array.from({ length: FUNCTIONS }, (_, i) => `f${i}`);
    const functions = names.map((name, i) => this.functionText(name, i));
    return [
      '.bss\n.balign 4096\nmargin: .skip 4000\nbuffer: .skip 4096\nsaved: .skip 16\nleaps: .skip 8',
      `.data\ntable: ${names.map((name) => `.quad ${name}`).join('\n')}`,
      '.text',
      START,
      ...functions,
      assemblyFunction('popper', `${this.lines(2)}\npop r15\n${this.lines(1)}\njmp r15`),
      assemblyFunction('cleaner', `${this.lines(3)}\nret 16`),
      assemblyFunction(
        'plunge',
        'push rbx\nsub r11d, 1\njle 1f\ncall plunge\n1: add rbx, [rsp]\npop rcx\nret',
      ),
      assemblyFunction('main', this.mainText()),
    ].join('\n');
  }

  private mainText(): string {
    return [
      'push rbp\npush rbx',
      'lea rdi, buffer[rip+60]',
      `mov r12d, ${CALLS}`,
      'mov dword ptr leaps[rip], 2',
      'lea rax, 9f[rip]\nmov saved[rip+8], rax\nmov saved[rip], rsp',
      this.lines(6),
      'call f0',
      this.lines(4),
      '9:',
      'lea rdi, buffer[rip+60]',
      this.lines(4),
      this.call(),
      this.lines(3),
      'xor rax, [rdi+8]\nmovzx eax, al',
      'pop rbx\npop rbp\nret',
    ].join('\n');
  }

  private functionText(name: string, index: number): string {
    const { random } = this;
    const saves = random.chance(2);
    const size = 3 + random.below(8);
    const body = [saves ? 'push r13\npush rbp' : '', this.lines(size), this.piece(), this.lines(2)];
    const restore = saves ? 'pop rbp\npop r13' : '';
    return assemblyFunction(name, [...body, this.ending(restore, index)].join('\n'));
  }

  private ending(restore: string, index: number): string {
    const after = this.label();
    const guarded = (jump: string) => `${restore}\nsub r12d, 1\njs ${after}\n${jump}\n${after}: ret`;
    switch (this.random.below(8)) {
      case 0:
        return guarded(`jmp f${this.random.below(FUNCTIONS)}`);
      case 1:
        return guarded(`j${this.random.pick(CONDITIONS)} f${this.random.below(FUNCTIONS)}`);
      case 2:
        return guarded(`lea r14, table[rip]\njmp [r14+${8 * this.random.below(FUNCTIONS)}]`);
      case 3:
        return `${restore}\npop r15\njmp r15`;
      case 4:
        return `${restore}\npop r15\n${this.instruction()}\npush r15\nret`;
      case 5:
        return index + 1 < FUNCTIONS ? restore : `${restore}\nret`;
      default:
        return `${restore}\nret`;
    }
  }

  private label(): string {
    return `.L${this.labels++}`;
  }

  private lines(count: number): string {
    return Array.from({ length: count }, () => this.instruction()).join('\n');
  }

  /** Something with control flow in it. */
  private piece(): string {
    if (this.nesting > 2) return this.lines(2);
    this.nesting++;
    const text = this.pieceInside();
    this.nesting--;
    return text;
  }

  private pieceInside(): string {
    const { random } = this;
    const skip = this.label();
    switch (random.below(11)) {
      case 9:
        return `fld ${this.memory(8)}\n${this.loop()}\nfstp ${this.memory(8)}`;
      case 10:
        return `fld1\n${this.piece()}\nfadd ${this.memory(4)}\nfld ${this.memory(4)}\n${this.piece()}\nfaddp\nfistp ${this.memory(4)}`;
      case 0:
        return `j${random.pick(CONDITIONS)} ${skip}\n${this.lines(2)}\n${this.piece()}\n${skip}:`;
      case 1: {
        const otherwise = this.label();
        return `j${random.pick(CONDITIONS)} ${otherwise}\n${this.piece()}\njmp ${skip}\n${otherwise}: ${this.lines(2)}\n${skip}:`;
      }
      case 2:
      case 3:
        return this.loop();
      case 4: {
        const cases = [0, 1, 2, 3].map(() => this.label());
        const jumps = this.label();
        const arms = cases.map((at) => `${at}: ${this.lines(1)}`).join('\n');
        const choose = `and eax, 3\nlea r14, ${jumps}[rip]\nmovsxd rax, dword ptr [r14+rax*4]\nadd rax, r14\njmp rax`;
        return `${choose}\n.balign 4\n${jumps}: ${cases.map((at) => `.long ${at}-${jumps}`).join('\n')}\n${arms}`;
      }
      case 5:
        return `push ${random.pick(REGISTERS[8])}\n${this.piece()}\npop ${random.pick(['rax', 'rcx', 'r8', 'r13'])}`;
      case 6:
        return this.leap(skip);
      default:
        return this.call();
    }
  }

  private loop(): string {
    const { random } = this;
    if (this.inLoop) return this.call();
    this.inLoop = true;
    const top = this.label();
    const middle = this.label();
    const enter = random.chance(3) ? `jmp ${middle}` : '';
    const count = 1 + random.below(9);
    const body = `${this.lines(1 + random.below(4))}\n${random.chance(2) ? this.piece() : ''}`;
    const text = `push rbp\nmov ebp, ${count}\n${enter}\n${top}: ${body}\n${middle}: ${this.lines(2)}\nsub ebp, 1\njg ${top}\npop rbp`;
    this.inLoop = false;
    return text;
  }

  /** longjmp out of everything, a few times in a run. */
  private leap(skip: string): string {
    return `sub dword ptr leaps[rip], 1\njs ${skip}\nmov rsp, saved[rip]\njmp saved[rip+8]\n${skip}:`;
  }

  private call(): string {
    const { random } = this;
    const skip = this.label();
    const here = this.label();
    const target = `f${random.below(FUNCTIONS)}`;
    const calls = [
      `call ${target}`,
      `call ${target}`,
      `lea r14, ${target}[rip]\ncall r14`,
      `lea r14, table[rip]\ncall [r14+${8 * random.below(FUNCTIONS)}]`,
      'call popper',
      'push rax\npush rcx\ncall cleaner',
      `mov r11d, ${1 + random.below(5)}\ncall plunge`,
      `call ${here}\n${here}: pop rax`,
    ];
    return `sub r12d, 1\njs ${skip}\n${random.pick(calls)}\n${skip}:`;
  }

  // --- straight code

  private at(bytes: number): string {
    return `${this.random.below(BUFFER_BYTES - bytes)}`;
  }

  /** A memory operand in the buffer; sometimes its address comes late. */
  private memory(bytes: 1 | 2 | 4 | 8 | 16): string {
    return `${SIZE_WORD[bytes]} ptr [rdi+${this.at(bytes)}]`;
  }

  private instruction(): string {
    const { random } = this;
    if (this.hasAvx && random.chance(2)) return avxInstruction(random, (bytes) => this.at(bytes));
    switch (random.below(14)) {
      case 0:
      case 1:
      case 2:
        return this.integer();
      case 3:
      case 4:
      case 5:
        return this.moving();
      case 6:
        return this.shifting();
      case 7:
        return this.flags();
      case 8:
      case 9:
        return this.vector();
      case 10:
        return this.strings();
      case 11:
      case 12:
        return this.extension();
      default:
        return this.rare();
    }
  }

  private extension(): string {
    return extensionLine(this.random, {
      register: (width) => this.register(width),
      memory: (bytes) => this.memory(bytes),
    });
  }

  private register(width: Width): string {
    return this.random.pick(REGISTERS[width]);
  }

  /** Two registers that one instruction can name: those of the old high bytes need an encoding without REX. */
  private pair(width: Width): readonly [string, string] {
    if (width !== 1) return [this.register(width), this.register(width)];
    const names = this.random.chance(2)
      ? REGISTERS[1].slice(0, 9)
      : ['al', 'bl', 'cl', 'dl', 'ah', 'bh', 'ch', 'dh'];
    return [this.random.pick(names), this.random.pick(names)];
  }

  private integer(): string {
    const { random } = this;
    const width = random.pick(WIDTHS);
    const op = random.pick('add sub and or xor cmp test adc sbb mov'.split(' '));
    const [a, b] = this.pair(width);
    switch (random.below(6)) {
      case 0:
        return `${op} ${a}, ${random.below(100)}`;
      case 1:
        return op === 'test' ? `test ${a}, ${b}` : `${op} ${a}, ${this.memory(width)}`;
      case 2:
        return `${op} ${this.memory(width)}, ${b}`;
      case 3:
        return `${random.pick(['inc', 'dec', 'neg', 'not'])} ${random.chance(2) ? a : this.memory(width)}`;
      default:
        return `${op} ${a}, ${b}`;
    }
  }

  private moving(): string {
    const { random } = this;
    const wide = random.pick(REGISTERS[8]);
    const narrow = random.pick([1, 2] as const);
    switch (random.below(9)) {
      case 0:
        return `movzx ${random.pick(REGISTERS[4])}, ${this.memory(narrow)}`;
      case 1:
        return `movsx ${wide}, ${this.memory(narrow)}`;
      case 2:
        return `movsxd ${wide}, ${this.memory(4)}`;
      case 3:
        return `lea ${wide}, [${random.pick(REGISTERS[8])}+${random.pick(REGISTERS[8])}*${random.pick([1, 2, 4, 8])}+7]`;
      case 4:
        // The address comes from what was computed.
        return `mov r14d, ${random.pick(REGISTERS[4])}\nand r14d, 127\nmov ${wide}, [rdi+r14]`;
      case 5:
        return `mov r14d, ${random.pick(REGISTERS[4])}\nand r14d, 127\nmov [rdi+r14], ${random.pick(REGISTERS[random.pick(WIDTHS)].slice(0, 4))}`;
      case 6: {
        const width = random.pick([2, 4, 8] as const);
        return `mov ${this.memory(1)}, ${random.pick(['al', 'r9b', 'sil'])}\nmov ${this.register(width)}, ${this.memory(width)}`;
      }
      case 7:
        return `mov ${this.memory(8)}, ${wide}`;
      default:
        return `mov ${random.pick(REGISTERS[4])}, ${this.memory(4)}`;
    }
  }

  private shifting(): string {
    const { random } = this;
    const width = random.pick(WIDTHS);
    const [a] = this.pair(width);
    const op = random.pick('shl shr sar rol ror rcl rcr'.split(' '));
    switch (random.below(5)) {
      case 0:
        return `${op} ${a}, ${random.below(9)}`;
      case 1:
        return `${op} ${a}, cl`;
      case 2:
        return `${op} ${this.memory(width)}, ${random.pick(['cl', '1', '3'])}`;
      case 3:
        return `${random.pick(['shld', 'shrd'])} ${this.register(8)}, ${this.register(8)}, ${random.pick(['cl', '5'])}`;
      default:
        return `${op} ${a}, 1`;
    }
  }

  private flags(): string {
    const { random } = this;
    const condition = random.pick(CONDITIONS);
    switch (random.below(5)) {
      case 0:
        return `set${condition} ${random.chance(2) ? this.pair(1)[0] : this.memory(1)}`;
      case 1:
        return `cmov${condition} ${this.register(8)}, ${random.chance(2) ? this.register(8) : this.memory(8)}`;
      case 2: {
        const skip = this.label();
        return `j${condition} ${skip}\n${random.pick(['stc', 'clc', 'cmc', 'nop', 'inc rax', 'mov [rdi+40], cl'])}\n${skip}:`;
      }
      case 3:
        return random.pick([
          'pushfq\npop rax',
          'lahf',
          'sahf',
          'stc',
          'cmc',
          'push rax\nand qword ptr [rsp], 0x8d5\npopfq',
        ]);
      default:
        return `cmp ${this.register(4)}, ${this.memory(4)}\ncmov${condition} ${this.register(4)}, ${this.register(4)}`;
    }
  }

  private vector(): string {
    const { random } = this;
    const a = random.pick(XMM);
    const b = random.pick(XMM);
    switch (random.below(10)) {
      case 0:
        return `${random.pick(['movdqu', 'movups', 'movupd'])} ${a}, ${this.memory(16)}`;
      case 1:
        return `${random.pick(['movdqu', 'movups'])} ${this.memory(16)}, ${a}`;
      case 2:
        return `${random.pick(['movq', 'movsd', 'movlps', 'movhps', 'movhpd'])} ${a}, ${this.memory(8)}`;
      case 3:
        return `${random.pick(['movq', 'movsd', 'movlps', 'movhps'])} ${this.memory(8)}, ${a}`;
      case 4:
        return random.chance(2) ? `movss ${a}, ${this.memory(4)}` : `movd ${this.memory(4)}, ${a}`;
      case 5:
        return random.pick([
          `movq ${a}, ${this.register(8)}`,
          `movd ${this.register(4)}, ${a}`,
          `cvtsi2sd ${a}, ${this.register(8)}`,
          `cvttsd2si ${this.register(8)}, ${a}`,
          `pmovmskb ${this.register(4)}, ${a}`,
          `movmskpd ${this.register(4)}, ${a}`,
        ]);
      case 6:
        return random.pick([
          `pshufd ${a}, ${b}, ${random.below(256)}`,
          `pshuflw ${a}, ${b}, ${random.below(256)}`,
          `shufps ${a}, ${b}, ${random.below(256)}`,
          `psrldq ${a}, ${random.below(17)}`,
          `psllw ${a}, ${random.below(20)}`,
          `pinsrw ${a}, ${this.register(4)}, ${random.below(8)}`,
          `pextrw ${this.register(4)}, ${a}, ${random.below(8)}`,
          `cmpltpd ${a}, ${b}`,
        ]);
      case 7:
        return `${random.pick(SCALAR_DOUBLE)} ${a}, ${random.chance(2) ? b : this.memory(8)}`;
      case 8:
        return `${random.pick(SCALAR_SINGLE)} ${a}, ${random.chance(2) ? b : this.memory(4)}`;
      default:
        return `${random.pick(XMM_TO_XMM)} ${a}, ${b}`;
    }
  }

  private strings(): string {
    const { random } = this;
    const count = random.below(20);
    const width = random.pick(['b', 'w', 'd', 'q']);
    const away = random.chance(4) ? 'std' : 'cld';
    const prefix = random.pick(['rep', 'rep', '']);
    const setUp = `push rdi\nlea rsi, [rdi+${160 + random.below(40)}]\nadd rdi, ${160 + random.below(40)}\nmov ecx, ${count}\n${away}`;
    const op = random.pick([
      `${prefix} movs${width}`,
      `${prefix} stos${width}`,
      `lods${width}`,
      `repe cmps${random.pick(['b', 'q'])}`,
      `repne scas${width}`,
    ]);
    return `${setUp}\n${op}\ncld\npop rdi`;
  }

  private rare(): string {
    const { random } = this;
    const wide = this.register(8);
    const other = this.register(8);
    return random.pick([
      `imul ${wide}, ${other}`,
      `imul ${wide}, ${this.memory(8)}, 11`,
      `mul ${other}`,
      `imul ${this.memory(4)}`,
      'mov ecx, 7\nxor edx, edx\ndiv rcx',
      'mov ecx, 5\ncdq\nmov eax, 100\nidiv ecx',
      'cqo',
      'cdqe',
      `bsf ${wide}, ${other}`,
      `bsr ${wide}, ${other}`,
      `bt ${wide}, ${other}`,
      `bts ${wide}, 9`,
      `btr dword ptr [rdi+64], 5`,
      `bswap ${wide}`,
      `xchg ${wide}, ${this.memory(8)}`,
      `xadd ${this.memory(8)}, ${wide}`,
      `lock add ${this.memory(4)}, 3`,
      `cmpxchg ${this.memory(8)}, ${other}`,
      `push ${wide}\npop ${other}`,
      `push ${this.memory(8)}\npop ${this.memory(8)}`,
      `xor ${wide}, ${wide}`,
      `sbb ${wide}, ${wide}`,
      ...['al', 'cx', 'edx'].map((name) => `sub ${name}, ${name}`),
      'pxor xmm1, xmm1',
      'pcmpeqd xmm2, xmm2',
      `prefetcht0 [rdi+${this.at(1)}]`,
      `fld ${this.memory(8)}\nfmul ${this.memory(8)}\nfstp ${this.memory(8)}`,
      `fild ${this.memory(4)}\nfld1\nfaddp\nfistp ${this.memory(8)}`,
      `fld ${this.memory(4)}\nfld1\nfcomip\nfstp ${this.memory(4)}`,
      'mov eax, 39\nsyscall\nmov rdx, rax',
      'cpuid',
      'mov eax, 228\npush rdi\nlea rsi, [rdi+32]\nmov edi, 1\nsyscall\npop rdi',
      'push rax\nstmxcsr [rsp]\nldmxcsr [rsp]\npop rax',
      `push rax\nmov dword ptr [rsp], ${random.pick(MXCSR)}\nldmxcsr [rsp]\npop rax`,
      'nop',
      'pause',
      'endbr64',
    ]);
  }
}
