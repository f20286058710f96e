/** What is known of a command's instruction count on the processor beside the emulator's. */
export interface Counted {
  /** Makes both sides take the same way. */
  readonly env?: Readonly<Record<string, string>>;
  /** Instructions that are stepped through natively, where it asks for CPUID later than others. */
  readonly stepped?: number;
  /** Why the counts cannot be the same, and how far apart they may be. */
  readonly apart?: { readonly instructions: number; readonly because: string };
  /** How far apart they may be in QEMU, whose pace and time are others, where that is more. */
  readonly inQemu?: number;
}

/** The dynamic linker asks for CPUID, and places libraries, in its first instructions. */
export const STEPPED = 60_000;

/**
 * QEMU describes other caches, and has no restartable sequences: 21 to 130 instructions of a C library's start. Besides, a pipe's
 * contents come in other pieces each time: up to 400 were seen.
 */
export const QEMU_APART = 1000;

const LATER = 250_000;
const WAITING = 'threads that wait for one another do it more or less often';
const DAEMON = "glibc asks the name service's daemon through a socket, of which guests have none";
const SEEDED = { instructions: 2000, because: 'hashes are seeded with the time' };
const CHILDREN = { apart: { instructions: 500, because: 'it waits for its children more or less often' } };

/** By the names of `commands`. Those that are not here count the same. */
export const COUNTED: Readonly<Record<string, Counted>> = {
  sed: { apart: { instructions: 30_000, because: 'libselinux reads /proc/filesystems' } },
  gawk: { apart: { instructions: 100_000, because: 'libsigsegv reads /proc/self/maps' } },
  'sort by two threads': { apart: { instructions: 2000, because: WAITING } },
  'xz -T1': { stepped: LATER },
  'xz -T2': { stepped: LATER, apart: { instructions: 10_000, because: WAITING } },
  zstd: { stepped: LATER, apart: { instructions: 2000, because: WAITING } },
  'zstd -T2': { stepped: LATER, apart: { instructions: 20_000, because: WAITING } },
  pigz: { apart: { instructions: 10_000, because: WAITING } },
  // libcrypto would ask for CPUID after millions of instructions.
  'openssl dgst': { env: { OPENSSL_ia32cap: '0:0' } },
  'openssl enc': { env: { OPENSSL_ia32cap: '0:0' } },
  'lua5.4': {
    apart: { instructions: 50_000, because: 'hashes are seeded with addresses and the time' },
    // 156,900 was seen once, seldom more than 25,000.
    inQemu: 300_000,
  },
  sqlite3: { apart: { instructions: 60_000, because: DAEMON } },
  rg: {
    stepped: LATER,
    apart: { instructions: 600_000, because: 'Rust looks for the stack in /proc/self/maps' },
  },
  'rg by threads': {
    stepped: LATER,
    apart: { instructions: 600_000, because: 'Rust looks for the stack in /proc/self/maps' },
  },
  // In QEMU, whose pace is slower, 20,000 to 190,000 more of 16 and of 96 million.
  gofmt: {
    apart: { instructions: 50_000, because: 'an idle thread looks for work for as long as the clock says' },
    inQemu: 300_000,
  },
  'xz there and back': CHILDREN,
  'zip and unzip': CHILDREN,
  'cpio there and back': CHILDREN,
  nasm: CHILDREN,
  bison: CHILDREN,
  minisat: CHILDREN,
  xmllint: { apart: SEEDED },
  'xmllint by path': { apart: SEEDED },
  git: CHILDREN,
  'git diff': {
    apart: {
      instructions: 50_000,
      because: "it keeps the directory's path, which moves what follows in the heap",
    },
  },
  'a pipeline of the shell': CHILDREN,
  'find and xargs': CHILDREN,
  'busybox sh': CHILDREN,
  jq: { apart: { instructions: 150_000, because: 'hashes are seeded at random' } },
  python3: {
    apart: { instructions: 150_000, because: 'objects are hashed by their addresses' },
  },
  'python3 with its libraries': {
    apart: { instructions: 150_000, because: 'objects are hashed by their addresses' },
  },
  // 4,096,382 more were seen.
  node: {
    apart: {
      instructions: 8_000_000,
      because: 'V8 compiles and collects on threads of its own, by the clock',
    },
  },
  // Stepped to the end (81 million), it executes 1099 more than in the emulator, all in hash tables of pointers and in malloc.
  cc1: { apart: { instructions: 30_000, because: 'pointers are hashed' } },
  // With its libraries elsewhere (another one, of 4 KB to 16 MB, before them) it executes 338,767,082 to 338,950,023 in the emulator
  // and 341,438,094 to 341,750,575 under callgrind; a processor counted 333,334 more than the emulator.
  'cc1 -O2': { apart: { instructions: 400_000, because: 'pointers are hashed' } },
  cc1plus: { apart: { instructions: 100_000, because: 'pointers are hashed' } },
  cksum: { stepped: LATER },
  pr: { apart: { instructions: 5000, because: "it formats the input's time" } },
  perl: { env: { PERL_HASH_SEED: '0' } },
};

/**
 * The counter takes interrupts for instructions, too: a loop of 1.2e9 instructions counts 350 to 700 too many on an idle
 * machine, programs of 2e7 up to 60 on one with ten times as many processes as processors.
 */
export const tolerance = (instructions: number): number => 200 + instructions * 5e-6;
