import { fail } from './errno.ts';

/** linux/mempolicy.h. */
const PREFERRED = 1;
const BIND = 2;
const LOCAL = 4;
const PREFERRED_MANY = 5;
const STATIC_NODES = 0x8000;
const RELATIVE_NODES = 0x4000;
const NUMA_BALANCING = 0x2000;
const FLAGS = STATIC_NODES | RELATIVE_NODES | NUMA_BALANCING;

/** From which nodes memory is to come (set_mempolicy(2)). There is one node: what a program sets it reads back, no more. */
export interface MemoryPolicy {
  /** MPOL_* with its mode flags. */
  readonly mode: number;
  /** As the program named them, a bit for each. */
  readonly nodes: bigint;
}

export const INTERLEAVE = 3;
/** The machine's only node, as a set. */
export const THE_NODE = 1n;
export const DEFAULT_POLICY: MemoryPolicy = { mode: 0, nodes: 0n };

export const modeOf = ({ mode }: MemoryPolicy): number => mode & ~FLAGS;

/**
 * The policy that a program asks for, checked as mm/mempolicy.c of Linux 6.1 does (sanitize_mpol_flags, mpol_new,
 * mpol_set_nodemask); undefined for the default one, which removes what was set.
 */
export function policyFrom(mode: number, nodes: bigint): MemoryPolicy | undefined {
  const flags = mode & FLAGS;
  const kind = mode & ~FLAGS;
  const isRelative = (flags & RELATIVE_NODES) !== 0;
  const isPlaced = isRelative || (flags & STATIC_NODES) !== 0;
  if (kind < 0 || kind > PREFERRED_MANY) fail('EINVAL');
  if (isRelative && (flags & STATIC_NODES) !== 0) fail('EINVAL');
  if ((flags & NUMA_BALANCING) !== 0 && kind !== BIND) fail('EINVAL');
  if (kind === DEFAULT_POLICY.mode) return nodes === 0n ? undefined : fail('EINVAL');
  if (kind === LOCAL || (kind === PREFERRED && nodes === 0n))
    return nodes === 0n && !isPlaced ? { mode: LOCAL, nodes } : fail('EINVAL');
  // Relative nodes are counted round and round among those that there are.
  if ((isRelative ? nodes : nodes & THE_NODE) === 0n) fail('EINVAL');
  return { mode, nodes: flags === 0 ? THE_NODE : nodes };
}
