import { afterAll, describe, expect, it } from 'vitest';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { CodeKey, CodeStore, HandlerLibrary, StoredCode } from '../../src/emulator/ports.ts';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../src/translate/limits.ts';
import { hostFuses } from '../../src/translate/lowering/host-fma.ts';
import { handlersFor, usualHandlers } from '../guest/measuring.ts';
import { assemblyFunction, isMissing, START, Workshop } from '../measure/build.ts';
import { expectSame } from '../measure/compare.ts';
import { measureFast } from '../measure/fast.ts';
import { Random } from '../measure/random.ts';
import { randomProgram } from '../measure/random-assembly.ts';
import { answer, type Question } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { HOT } from './hot.ts';

interface Watched extends CodeStore {
  reused: number;
  /** Times that somebody asked for code. */
  asked: number;
  regions(): number;
  /** Whether some region does for hosts alone that multiply and add with one rounding. */
  isFused(): boolean;
  newBlocks(): number;
  handlerModules(): number;
}

/** All programs have the same name here, as builds of one program have. Counts the regions that were used again. */
function watched(store = memoryCodeStore()): Watched {
  const found = new Set<Uint8Array>();
  let kept: StoredCode | undefined;
  const withoutName = ({ program }: CodeKey): CodeKey => {
    const key = JSON.stringify(JSON.parse(program).slice(1));
    return { program: key, command: key };
  };
  return {
    reused: 0,
    asked: 0,
    findNotes: store.findNotes,
    keepNotes: store.keepNotes,
    regions: () => kept!.regions.length,
    isFused: () => kept!.regions.some(({ record }) => record().isFused),
    newBlocks: () => kept!.newBlocks,
    handlerModules: () => kept!.handlers.modules.length,
    find(key) {
      this.asked++;
      const code = store.find(withoutName(key));
      for (const { bytes } of code?.regions ?? []) found.add(bytes);
      return code;
    },
    keep(key, code) {
      kept = code;
      this.reused += code.regions.filter(({ bytes, body }) => body !== undefined && found.has(bytes)).length;
      store.keep(withoutName(key), code);
    },
  };
}

/** Gives what was kept last, whoever asks: what is of another program must be noticed. */
function careless(): CodeStore {
  const store = memoryCodeStore();
  const all = { command: '', program: '' };
  return {
    find: () => store.find(all),
    findNotes: () => store.findNotes(''),
    keep: (_, code) => store.keep(all, code),
    keepNotes: (_, notes) => store.keepNotes('', notes),
  };
}

const prepared = handlersFor({ ...ENGINE_LIMITS, ...HOT });
const none: HandlerLibrary = () => undefined;
/** No regions, so that all that is left are blocks. */
const COLD: Partial<EngineLimits> = {};

const CALLS: Question = { depth: -1, functions: [], chains: [RUN_CHAIN] };

/** Calls `work` often. What it and its caller do is up to the lines. */
const program = (work: string, more = '', calls = 'call work'): string =>
  [
    '.bss\nbuffer: .skip 4096\n.text',
    START,
    assemblyFunction('work', work),
    more,
    assemblyFunction('main', `mov ebx, 50\nxor eax, eax\n1: ${calls}\ndec ebx\njnz 1b\nret`),
  ].join('\n');

const LOOP = 'mov ecx, 9\n2: add rax, rcx\nimul rdx, rax\ndec ecx\njnz 2b\nret';

describe.skipIf(isMissing('gcc'))('code that an earlier run has left', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  /** Measures a program as the reference does. */
  const measure = (
    built: string,
    store: CodeStore,
    question = CALLS,
    limits = HOT,
    isa: IsaLevel = 'x86-64',
    handlers: HandlerLibrary | undefined = limits === COLD ? usualHandlers : prepared,
  ): void => {
    const naive = runProgram(built, [], 3_000_000);
    const measured = measureFast(
      built,
      [],
      question,
      limits,
      undefined,
      false,
      undefined,
      handlers,
      store,
      isa,
    );
    expectSame(measured, answer(naive, question));
    expect(measured.status).toBe(naive.status);
  };

  it('is used from the first entry of each region on', () => {
    const store = watched();
    const built = workshop.assemble(program(LOOP));
    measure(built, store, { ...CALLS, chains: [] });
    expect(store.reused).toBe(0);
    expect(store.newBlocks()).toBe(1);
    const made = store.regions();
    expect(made).toBeGreaterThan(0);
    measure(built, store, { ...CALLS, chains: [] });
    // But the loop's own: the function that has it is there from the start.
    expect(store.reused).toBe(made - 1);
    expect(store.regions()).toBe(made);
    expect(store.newBlocks()).toBe(0);
  });

  it('comes with what the run had to begin anew for', () => {
    const store = watched();
    const lanes = { ...CALLS, chains: [] };
    // The exceptions of inexact divisions are looked at: a pass that does not keep them ends there.
    const divide = `mov eax, 1
cvtsi2sd xmm0, eax
mov eax, 3
cvtsi2sd xmm1, eax
divsd xmm0, xmm1
stmxcsr [rsp - 8]
mov eax, [rsp - 8]
ret`;
    const built = workshop.assemble(program(divide));
    measure(built, store, lanes);
    expect(store.asked).toBe(2);
    measure(built, store, lanes);
    expect(store.asked).toBe(3);
  });

  it('comes with the room that the run had to begin anew for', () => {
    const store = watched();
    const lanes = { ...CALLS, chains: [] };
    // There is none for steps of single bytes.
    const full = { ...HOT, bytePages: 0, stepMemory: 0 };
    const built = workshop.assemble(program('mov [rsp - 8], al\nmov [rsp - 7], cl\nmov rax, [rsp - 8]\nret'));
    measure(built, store, lanes, full);
    const first = store.asked;
    expect(first).toBeGreaterThan(1);
    measure(built, store, lanes, full);
    expect(store.asked).toBe(first + 1);
  });

  it('changes no number where the command needs that no more', () => {
    const notes = [
      'threads',
      'far memory',
      'far memory and threads',
      'status',
      'x87 exceptions',
      'cycles 100',
      'addresses 100',
      'bytes 100',
      'else',
    ];
    const store = { ...memoryCodeStore(), findNotes: () => notes };
    const built = workshop.assemble(program(LOOP));
    measure(built, store);
    measure(built, store);
  });

  it('has the handlers that the run has made', () => {
    const store = watched();
    const lanes = { ...CALLS, chains: [] };
    const built = workshop.assemble(program(LOOP));
    measure(built, store, lanes, COLD, 'x86-64', none);
    expect(store.handlerModules()).toBe(1);
    measure(built, store, lanes, COLD, 'x86-64', none);
    expect(store.newBlocks()).toBe(0);
    expect(store.handlerModules()).toBe(1);
    // Another build has one more form of instruction.
    const other = workshop.assemble(program(`shld rdx, rax, cl\n${LOOP}`));
    measure(other, store, lanes, COLD, 'x86-64', none);
    expect(store.newBlocks()).toBeGreaterThan(0);
    expect(store.handlerModules()).toBe(2);
    measure(other, store, lanes, COLD, 'x86-64', none);
    expect(store.newBlocks()).toBe(0);
    measure(built, store, lanes, HOT, 'x86-64', none);
  });

  it('is not used where the code is other code now', () => {
    const store = watched();
    measure(workshop.assemble(program(LOOP)), store);
    measure(workshop.assemble(program(LOOP.replace('add rax', 'sub rax'))), store);
    measure(workshop.assemble(program(LOOP.replace('mov ecx, 9', 'mov ecx, 8'))), store);
    measure(workshop.assemble(program(`nop\n${LOOP}`)), store);
    // `main` was the same, at the same place, in the first three.
    expect(store.reused).toBeGreaterThan(0);
  });

  it('is not used where the same jump enters a function now, or does so no longer', () => {
    const tail = (symbol: string) => program(`inc rax\njmp tail`, `${symbol}tail:\n${LOOP}`);
    const store = watched();
    const apart = workshop.assemble(tail('.type tail, @function\n.globl tail\n'));
    const within = workshop.assemble(tail(''));
    for (const built of [within, within, apart, within, apart, apart]) measure(built, store);
    expect(store.reused).toBeGreaterThan(0);
  });

  it('is not used where contexts open at other addresses', () => {
    // Control runs on into the other function, which opens a context only where it is asked for.
    const other = assemblyFunction('other', `inc rdx\n${LOOP}`);
    const built = workshop.assemble(program('add rax, 3\nmov esi, 5', other));
    for (const limits of [HOT, COLD])
      for (const first of [[], ['other']]) {
        const store = careless();
        for (const functions of [first, first, ['other'], ['work', 'other'], [], ['work'], ['other']])
          measure(built, store, { depth: -1, functions, chains: [] }, limits);
      }
  });

  it('has the targets of jumps that it learned', () => {
    const cases = Array.from({ length: 6 }, (_, i) => `case${i}: lea rax, [rax + ${i}*4 + 1]\njmp next`);
    const work = `mov esi, 30
      next: dec esi\njs done
      imul edi, esi, 7\nand edi, 7\ncmp edi, 5\ncmova edi, ebp
      lea r8, table[rip]\nmov r8, [r8 + 8*rdi]\njmp r8
      ${cases.join('\n')}\ndone: ret
      .section .rodata\ntable: ${cases.map((_, i) => `.quad case${i}`).join('\n')}\n.text`;
    const store = watched();
    const built = workshop.assemble(program(work, '', 'mov ebp, 2\ncall work'));
    for (let i = 0; i < 4; i++) measure(built, store);
    expect(store.reused).toBeGreaterThan(0);
  });

  it('takes part in all that happens later: other code comes to the same place, regions are made anew', () => {
    // Writes one of two functions to a page, and calls it; the second time both come at other times.
    const kinds = ['lea rax, [rax + 2*rax + 1]\nimul rdx, rax\nret', 'add rax, rdx\nxor rdx, 99\nret'];
    const generated = (first: number) => `
.text
${START}
${kinds.map((body, i) => `kind${i}: ${body}\n.skip 16`).join('\n')}
${assemblyFunction(
  'main',
  `mov edi, 0x10000000\nmov esi, 4096\nmov edx, 7\nmov r10d, 0x32\nmov r8, -1\nxor r9d, r9d\nmov eax, 9\nsyscall
  mov r12d, ${first}\nmov ebp, 6\nxor eax, eax\nxor edx, edx
  1: lea rsi, kind0[rip]\nlea rdi, kind1[rip]\ntest r12d, 1\ncmovnz rsi, rdi
  mov edi, 0x10000000\nmov ecx, 16\nrep movsb
  mov ebx, 20\n2: mov r9d, 0x10000000\ncall r9\ndec ebx\njnz 2b
  inc r12d\ndec ebp\njnz 1b\nret`,
)}`;
    const store = watched();
    const built = [0, 1].map((first) => workshop.assemble(generated(first)));
    for (const each of [built[0], built[1], built[0], built[0], built[1]]) measure(each, store);
    expect(store.reused).toBeGreaterThan(0);
  });

  // At the level of which they have instructions; cpuid would tell that it is not the reference's.
  const texts = Array.from({ length: 24 }, (_, i) => randomProgram(new Random(4001 + i)));
  const random = texts.filter((text) => !text.includes('cpuid'));
  let reused = 0;
  it.each(random.map((_, i) => i))('is used in random program %i, and in the next one', (i) => {
    const store = watched();
    const [built, other] = [i, (i + 1) % random.length].map((each) => workshop.assemble(random[each]));
    const question = { depth: 3, functions: ['f1', 'plunge'], chains: [RUN_CHAIN] };
    // With all handlers of this run's own, too.
    const handlers = i % 2 === 0 ? prepared : none;
    for (const each of [built, built, other, built])
      measure(each, store, question, HOT, 'x86-64-v3', handlers);
    reused += store.reused;
  });
  it('was used in random programs', () => expect(reused).toBeGreaterThan(50));

  it('is let go when eight runs did without it', () => {
    const store = watched();
    const question = { ...CALLS, chains: [] };
    const both = (which: number) =>
      program(
        `test ebp, ebp\njnz other\n${LOOP}`,
        `${assemblyFunction('other', LOOP)}`,
        `mov ebp, ${which}\ncall work`,
      );
    const [work, other] = [0, 1].map((which) => workshop.assemble(both(which)));
    measure(work, store, question);
    const alone = store.regions();
    measure(other, store, question);
    const together = store.regions();
    expect(together).toBeGreaterThan(alone);
    for (let run = 0; run < 8; run++) measure(other, store, question);
    expect(store.regions()).toBeLessThan(together);
  });

  it('has no region whose instructions depend on code behind it', () => {
    // Whether stmxcsr is seen to store the sticky bits depends on what is done with them.
    const rest = 'mov esi, [rsp - 4]\nshr esi, 13\nand esi, 3';
    const kept = ['nop', 'stmxcsr [rsp - 4]'].map((first) => {
      const store = watched();
      const built = workshop.assemble(program(`${first}\n${rest}\n${LOOP}`));
      for (let i = 0; i < 3; i++) measure(built, store, { ...CALLS, chains: [] });
      return store.regions();
    });
    expect(kept[1]).toBeLessThan(kept[0]);
  });

  it('says which regions depend on how the host multiplies and adds', () => {
    for (const [first, isFused] of [
      ['vfmadd231sd xmm0, xmm1, xmm2', hostFuses()],
      ['vaddsd xmm0, xmm1, xmm2', false],
    ] as const) {
      const store = watched();
      const built = workshop.assemble(program(`${first}\n${LOOP}`));
      for (let i = 0; i < 2; i++) measure(built, store, { ...CALLS, chains: [] }, HOT, 'x86-64-v3');
      expect(store.reused).toBeGreaterThan(0);
      expect([first, store.isFused()]).toEqual([first, isFused]);
    }
  });

  it('does for one kind of measurement only', () => {
    const store = memoryCodeStore();
    const built = workshop.assemble(program(LOOP));
    for (const limits of [HOT, { ...HOT, wideFrom: 2 }, { ...HOT, farFrom: 1 }, HOT])
      measure(built, store, CALLS, limits);
  });

  it('has no part where instructions are counted, and none that is above the level of the processor', () => {
    const store = watched();
    const built = workshop.assemble(program(LOOP));
    measureFast(built, [], { ...CALLS, chains: [] }, HOT, undefined, true, undefined, prepared, store);
    const popcnt = workshop.assemble(program(LOOP.replace('imul rdx, rax', 'popcnt rdx, rax')));
    measureFast(popcnt, [], { ...CALLS, chains: [] }, HOT, undefined, false, undefined, prepared, store);
    expect(() => store.regions()).toThrow();
  });
});
