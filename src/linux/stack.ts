import { PAGE_SIZE } from '../guest/layout.ts';
import { toBytes } from './bytes.ts';
import { GROUP_ID, USER_ID } from './fs/initial.ts';

/** What the auxiliary vector says of the program. Addresses are the guest's. */
export interface ProgramFacts {
  readonly programHeaders: number;
  readonly programHeaderSize: number;
  readonly programHeaderCount: number;
  /** Where the dynamic linker was loaded, 0 without one. */
  readonly interpreterBase: number;
  readonly entry: number;
  /** CPUID.1:EDX of the ISA level. */
  readonly hwcap: number;
  readonly hwcap2: number;
}

export interface InitialStack {
  /** rsp at the first instruction, a multiple of 16: where `bytes` start. */
  readonly pointer: number;
  /** From `pointer` up to the stack's top. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The auxiliary vector in it. */
  readonly auxiliary: Uint8Array;
}

/** Auxiliary vector entry types: include/uapi/linux/auxvec.h and arch/x86/include/uapi/asm/auxvec.h. */
export const AT = {
  NULL: 0,
  PHDR: 3,
  PHENT: 4,
  PHNUM: 5,
  PAGESZ: 6,
  BASE: 7,
  FLAGS: 8,
  ENTRY: 9,
  UID: 11,
  EUID: 12,
  GID: 13,
  EGID: 14,
  PLATFORM: 15,
  HWCAP: 16,
  CLKTCK: 17,
  SECURE: 23,
  RANDOM: 25,
  HWCAP2: 26,
  EXECFN: 31,
  MINSIGSTKSZ: 51,
} as const;

/** Stack protector and pointer guard come from these 16 bytes; fixed, without a zero byte where one would matter. */
const RANDOM_BYTES = Uint8Array.from([
  0x5a, 0x17, 0x83, 0xc4, 0x2e, 0xf1, 0x96, 0x6b, 0x3d, 0xa8, 0x71, 0x0c, 0xe5, 0x92, 0x4f, 0xb6,
]);

/** MINSIGSTKSZ of the ABI: what a frame without AVX state needs. */
const SIGNAL_STACK_SIZE = 2048;

/**
 * The stack as execve leaves it (System V ABI, AMD64 supplement, figure 3.9; the order of the strings and of the
 * auxiliary vector is that of fs/binfmt_elf.c):
 *
 *     top - 8   zero
 *               file name (AT_EXECFN), environment strings, argument strings: the last ones highest
 *               padding to 16, "x86_64", 16 random bytes, padding to 16
 *               auxiliary vector, AT_NULL last
 *               0, environment pointers ascending
 *               0, argument pointers ascending
 *     rsp       argc
 *
 * Nothing in it comes from the host: the file name is the one that execve was given, of the first program argv[0] as the
 * command has it.
 */
export function initialStack(
  top: number,
  args: readonly string[],
  environment: readonly string[],
  fileName: string,
  facts: ProgramFacts,
): InitialStack {
  const strings = [...args, ...environment, fileName].map((text) => toBytes(`${text}\0`));
  const stringsStart = top - 8 - strings.reduce((sum, string) => sum + string.length, 0);
  const platform = toBytes('x86_64\0');
  // create_elf_tables: arch_align_stack, then each right below the other, whatever its length.
  const platformAt = down16(stringsStart) - platform.length;
  const randomAt = platformAt - RANDOM_BYTES.length;

  const addresses: number[] = [];
  let next = stringsStart;
  for (const string of strings) {
    addresses.push(next);
    next += string.length;
  }
  const auxiliary = auxiliaryVector(facts, {
    fileName: addresses.at(-1)!,
    platform: platformAt,
    random: randomAt,
  }).flat();
  const words = [
    args.length,
    ...addresses.slice(0, args.length),
    0,
    ...addresses.slice(args.length, -1),
    0,
    ...auxiliary,
  ];

  const pointer = down16(randomAt - 8 * words.length);
  const bytes = new Uint8Array(top - pointer);
  bytes.set(new Uint8Array(BigUint64Array.from(words, BigInt).buffer));
  bytes.set(RANDOM_BYTES, randomAt - pointer);
  bytes.set(platform, platformAt - pointer);
  strings.forEach((string, at) => {
    bytes.set(string, addresses[at] - pointer);
  });
  return { pointer, bytes, auxiliary: new Uint8Array(BigUint64Array.from(auxiliary, BigInt).buffer) };
}

function auxiliaryVector(
  facts: ProgramFacts,
  at: { readonly fileName: number; readonly platform: number; readonly random: number },
): [number, number][] {
  return [
    [AT.MINSIGSTKSZ, SIGNAL_STACK_SIZE],
    [AT.HWCAP, facts.hwcap],
    [AT.PAGESZ, PAGE_SIZE],
    [AT.CLKTCK, 100],
    [AT.PHDR, facts.programHeaders],
    [AT.PHENT, facts.programHeaderSize],
    [AT.PHNUM, facts.programHeaderCount],
    [AT.BASE, facts.interpreterBase],
    [AT.FLAGS, 0],
    [AT.ENTRY, facts.entry],
    [AT.UID, USER_ID],
    [AT.EUID, USER_ID],
    [AT.GID, GROUP_ID],
    [AT.EGID, GROUP_ID],
    [AT.SECURE, 0],
    [AT.RANDOM, at.random],
    [AT.HWCAP2, facts.hwcap2],
    [AT.EXECFN, at.fileName],
    [AT.PLATFORM, at.platform],
    [AT.NULL, 0],
  ];
}

function down16(address: number): number {
  return address - (address % 16);
}
