import { fail } from '../errno.ts';
import type { FileNode } from './node.ts';

/** What nobody may do to a file of memfd_create any more: F_SEAL_* of fcntl.h. */
export const SEALS = { seal: 1, shrink: 2, grow: 4, write: 8, futureWrite: 16 } as const;
export const ALL_SEALS = 31;

export function requireWritable({ seals = 0, size }: FileNode, end: number): void {
  if ((seals & (SEALS.write | SEALS.futureWrite)) !== 0) fail('EPERM');
  if ((seals & SEALS.grow) !== 0 && end > size) fail('EPERM');
}

export function requireSize({ seals = 0, size }: FileNode, wanted: number): void {
  if ((seals & SEALS.grow) !== 0 && wanted > size) fail('EPERM');
  if ((seals & SEALS.shrink) !== 0 && wanted < size) fail('EPERM');
}
