import { basename, join } from 'node:path';
import type { Case, Group } from './case.ts';
import { compile } from './compile.ts';

const KB = 2 ** 10;
const MB = 2 ** 20;

/** Name, source, repetitions, and bytes of the working set where the kernel takes them. */
type Kernel = readonly [name: string, source: string, repetitions: number, bytes?: number];

/**
 * The repetitions are such that callgrind took about two seconds (AMD EPYC, 3.3 GHz); instructions are proportional to them,
 * but for building a list or a tree.
 */
const KERNELS: readonly Kernel[] = [
  ['sum', 'sum', 100_000],
  ['dot', 'dot', 150_000],
  ['horner', 'horner', 5000],
  ['matmul ikj', 'matmul-ikj', 160],
  ['matmul blocked', 'matmul-blocked', 54],
  ['bubble sort', 'bubble-sort', 550],
  ['quick sort', 'quick-sort', 60],
  ['qsort callback', 'qsort-callback', 40],
  ['list 16 KB', 'list-chase', 200_000, 16 * KB],
  ['list 1 MB', 'list-chase', 180_000, MB],
  ['list 16 MB', 'list-chase', 20_000, 16 * MB],
  ['list 64 MB', 'list-chase', 12_000, 64 * MB],
  ['tree 16 KB', 'tree-chase', 6000, 16 * KB],
  ['tree 1 MB', 'tree-chase', 4000, MB],
  ['tree 16 MB', 'tree-chase', 1500, 16 * MB],
  ['tree 64 MB', 'tree-chase', 300, 64 * MB],
  ['byte scan', 'byte-scan', 2600],
  ['histogram', 'histogram', 3000],
  ['crc32', 'crc32', 11_000],
  ['unaligned copy', 'unaligned-copy', 32_000],
  ['unaligned hash', 'unaligned-hash', 1600],
  ['packed fields', 'packed-fields', 1_000_000],
  ['fib', 'fib', 210],
  ['ackermann', 'ackermann', 130],
  ['vm switch', 'vm-switch', 200],
  ['vm goto', 'vm-goto', 550],
  ['large switch', 'large-switch', 180],
  ['hash 64 KB', 'hash-table', 10_000, 64 * KB],
  ['hash 32 MB', 'hash-table', 7000, 32 * MB],
  ['snprintf', 'format', 130],
  ['x87', 'x87', 100_000],
  ['sse2 integer', 'sse2-integer', 60_000],
  ['indirect calls', 'indirect-calls', 21_000],
];

/**
 * Kernels again, as compilers make them for AVX2 and FMA: other instructions, in vectors of 32 bytes, and some that are about
 * those. Their repetitions are likewise.
 */
const VECTORS: readonly Kernel[] = [
  ['dot, FMA', 'dot', 19_000],
  ['horner, FMA', 'horner', 1700],
  ['matmul ikj, FMA', 'matmul-ikj', 80],
  ['matmul blocked, FMA', 'matmul-blocked', 9],
  ['byte scan, AVX2', 'byte-scan', 2000],
  ['histogram, AVX2', 'histogram', 2000],
  ['unaligned copy, AVX2', 'unaligned-copy', 110_000],
  ['unaligned hash, AVX2', 'unaligned-hash', 1500],
  ['sse2 integer, VEX', 'sse2-integer', 40_000],
  ['conversions, AVX2', 'convert', 9000],
];

type Build = (folder: string, wanted: (name: string) => boolean, longer: number) => Case[];

/** Builds those of the cases that `wanted` names, compiled into the folder, with so many times their repetitions. */
const builder =
  (group: Group, cases: readonly Kernel[], flags: readonly string[]): Build =>
  (folder, wanted, longer) => {
    const built = new Map<string, string>();
    return cases
      .filter(([name]) => wanted(name))
      .map(([name, source, repetitions, bytes]) => {
        const file = join(import.meta.dirname, 'kernels', `${source}.c`);
        const program =
          built.get(source) ?? compile('gcc', flags, file, join(folder, `${group}-${basename(file, '.c')}`));
        built.set(source, program);
        return {
          group,
          name,
          program,
          args: [longer * repetitions, ...(bytes ? [bytes] : [])].map(String),
        };
      });
  };

export const kernels = builder('kernels', KERNELS, ['-O2', '-static']);
export const vectors = builder('vectors', VECTORS, ['-O3', '-march=x86-64-v3', '-static']);
