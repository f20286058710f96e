import type { Entry, FileNode } from './fs/node.ts';
import type { MemoryPolicy } from './memory-policy.ts';

/** A mapping of a process. */
export interface Region {
  readonly start: number;
  readonly end: number;
  /** READ | WRITE | EXECUTE. */
  readonly protection: number;
  readonly shared: boolean;
  /** For /proc/self/maps: a file's path when it was opened, [heap], [stack] or nothing. */
  readonly label: string;
  /** What the file was opened as, if it has a place. */
  readonly entry?: Entry | undefined;
  readonly file?: FileNode;
  /** The path under which the file was opened. */
  readonly openedAs?: string;
  /** Of a shared mapping: the file was not open for writing, so that stores are never allowed. */
  readonly isReadOnly?: boolean;
  /** Where in the file the region starts. */
  readonly offset: number;
  /** Children of fork find zeros there (MADV_WIPEONFORK). */
  readonly isWipedOnFork?: true;
  /** What mbind set; else the policy of the thread that touches a page. */
  readonly memoryPolicy?: MemoryPolicy;
}
