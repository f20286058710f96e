import { expect, test } from 'vitest';
import { AT, initialStack, type ProgramFacts } from './stack.ts';

const facts: ProgramFacts = {
  programHeaders: 0x40_0040,
  programHeaderSize: 56,
  programHeaderCount: 13,
  interpreterBase: 0x1001_0000,
  entry: 0x40_1000,
  hwcap: 0x078b_f9ff,
  hwcap2: 0,
};

/** The stack read back as a program's start-up code reads it. */
function parsed(top: number, { pointer, bytes }: { pointer: number; bytes: Uint8Array }) {
  const view = new DataView(bytes.buffer);
  let at = 0;
  const word = () => {
    const value = Number(view.getBigUint64(at, true));
    at += 8;
    return value;
  };
  const text = (address: number) => {
    const start = address - pointer;
    return new TextDecoder('latin1').decode(bytes.subarray(start, bytes.indexOf(0, start)));
  };
  const count = word();
  const args = Array.from({ length: count }, () => text(word()));
  const argsEnd = word();
  const environment: string[] = [];
  for (let pointer = word(); pointer !== 0; pointer = word()) environment.push(text(pointer));
  const auxiliary = new Map<number, number>();
  for (let type = word(); ; type = word()) {
    const value = word();
    if (type === AT.NULL) break;
    auxiliary.set(type, value);
  }
  return {
    count,
    args,
    argsEnd,
    environment,
    auxiliary,
    text,
    lastWord: view.getBigUint64(top - pointer - 8, true),
  };
}

const TOP = 0x1000_0000;

test('start-up code finds arguments, environment and auxiliary vector where the ABI has them', () => {
  const stack = initialStack(TOP, ['./prog', 'one', ''], ['LC_ALL=C', 'PATH=/bin'], './prog', facts);
  const { count, args, argsEnd, environment, auxiliary, text, lastWord } = parsed(TOP, stack);
  expect([count, args, argsEnd, environment]).toEqual([
    3,
    ['./prog', 'one', ''],
    0,
    ['LC_ALL=C', 'PATH=/bin'],
  ]);
  expect(lastWord).toBe(0n);
  expect(text(auxiliary.get(AT.PLATFORM)!)).toBe('x86_64');
  expect(text(auxiliary.get(AT.EXECFN)!)).toBe('./prog');
  const random = auxiliary.get(AT.RANDOM)! - stack.pointer;
  expect(new Set(stack.bytes.subarray(random, random + 16)).size).toBe(16);
  const numbers = [...auxiliary].filter(
    ([type]) => ![AT.PLATFORM, AT.EXECFN, AT.RANDOM].includes(type as never),
  );
  expect(Object.fromEntries(numbers)).toEqual({
    [AT.MINSIGSTKSZ]: 2048,
    [AT.HWCAP]: 0x078b_f9ff,
    [AT.PAGESZ]: 4096,
    [AT.CLKTCK]: 100,
    [AT.PHDR]: 0x40_0040,
    [AT.PHENT]: 56,
    [AT.PHNUM]: 13,
    [AT.BASE]: 0x1001_0000,
    [AT.FLAGS]: 0,
    [AT.ENTRY]: 0x40_1000,
    [AT.UID]: 1000,
    [AT.EUID]: 1000,
    [AT.GID]: 1000,
    [AT.EGID]: 1000,
    [AT.SECURE]: 0,
    [AT.HWCAP2]: 0,
  });
});

test('the stack pointer is a multiple of 16 whatever the lengths', () => {
  for (let length = 0; length < 40; length++)
    for (let count = 1; count < 4; count++) {
      const args = Array.from({ length: count }, () => 'x'.repeat(length));
      const stack = initialStack(TOP, args, [], args[0], facts);
      expect([stack.pointer % 16, stack.pointer + stack.bytes.length]).toEqual([0, TOP]);
      expect(parsed(TOP, stack).args).toEqual(args);
    }
});

test('strings lie as the kernel leaves them: arguments, environment, file name, eight zero bytes', () => {
  const { bytes } = initialStack(TOP, ['p', 'a'], ['E=1'], 'p', facts);
  expect(new TextDecoder('latin1').decode(bytes.subarray(-18))).toBe('p\0a\0E=1\0p\0\0\0\0\0\0\0\0\0');
});
