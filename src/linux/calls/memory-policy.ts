import { PAGE_SIZE } from '../../guest/layout.ts';
import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import {
  DEFAULT_POLICY,
  INTERLEAVE,
  type MemoryPolicy,
  modeOf,
  policyFrom,
  THE_NODE,
} from '../memory-policy.ts';
import { overlapping, pageUp, placeRegions } from '../regions.ts';

import { row, type SyscallRow, type System } from '../system.ts';

/** Where memory comes from, on a machine of one node: programs for several ask, and set what they want, before they begin. */

/** MAX_NUMNODES, as distributions build Linux for this processor (CONFIG_NODES_SHIFT is 10). */
const MOST_NODES = 1024;
const BITS_OF_PAGE = PAGE_SIZE * 8;
const WORD = 64;

/** A set of nodes. Sizes of sets are one too large: the call counts as libnuma does (get_nodes in mm/mempolicy.c). */
function nodesAt({ user }: System, address: bigint, bits: bigint): bigint {
  const count = size(BigInt.asUintN(64, bits - 1n));
  if (count === 0 || address === 0n) return 0n;
  if (count > BITS_OF_PAGE) fail('EINVAL');
  const bytes = user.read(size(address), Math.ceil(count / WORD) * (WORD / 8));
  const all = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const nodes = BigInt.asUintN(count, all);
  return nodes >> BigInt(MOST_NODES) === 0n ? nodes : fail('EINVAL');
}

/** As many words as the set has; behind the first one, which has all nodes that there can be, they are 0. */
function putNodes({ user }: System, address: bigint, bits: bigint, nodes: bigint): void {
  const bytes = Math.ceil((size(bits) - 1) / WORD) * (WORD / 8);
  if (bytes > PAGE_SIZE) fail('EINVAL');
  const set = new DataView(new ArrayBuffer(bytes));
  if (bytes > 0) set.setBigUint64(0, BigInt.asUintN(WORD, nodes), true);
  user.write(size(address), new Uint8Array(set.buffer));
}

function setPolicy(system: System, [mode, address, bits]: Args): number {
  const nodes = nodesAt(system, address, bits);
  system.state.memoryPolicy = policyFrom(int(mode), nodes) ?? DEFAULT_POLICY;
  return 0;
}

/** Flags of get_mempolicy: which node instead of which policy, of an address, or which nodes are allowed. */
const NODE = 1;
const ADDRESS = 2;
const ALLOWED = 4;

function getPolicy(system: System, [mode, address, bits, place, flagBits]: Args): number {
  const flags = int(flagBits);
  if (address !== 0n && bits === 0n) fail('EINVAL');
  const [number, nodes] = asked(system, flags, size(place));
  if (mode !== 0n) system.user.putI32(size(mode), number);
  if (address !== 0n) putNodes(system, address, bits, nodes);
  return 0;
}

function asked(system: System, flags: number, place: number): readonly [number, bigint] {
  if ((flags & ~(NODE | ADDRESS | ALLOWED)) !== 0) fail('EINVAL');
  if ((flags & ALLOWED) !== 0) return (flags & (NODE | ADDRESS)) === 0 ? [0, THE_NODE] : fail('EINVAL');
  const policy = (flags & ADDRESS) !== 0 ? policyAt(system, place) : system.state.memoryPolicy;
  if ((flags & ADDRESS) === 0 && place !== 0) fail('EINVAL');
  if ((flags & NODE) === 0) return [policy.mode, policy.nodes];
  if ((flags & ADDRESS) !== 0) system.user.read(place, 1);
  else if (modeOf(policy) !== INTERLEAVE) fail('EINVAL');
  return [0, policy.nodes];
}

function policyAt(system: System, place: number): MemoryPolicy {
  const [region] = overlapping(system, place, place + 1);
  return (region ?? fail('EFAULT')).memoryPolicy ?? DEFAULT_POLICY;
}

/** Flags of mbind: pages that lie elsewhere are an error, or move there, or move though others have them, which is root's. */
const STRICT = 1;
const MOVE = 2;
const MOVE_ALL = 4;

function bind(system: System, [address, length, mode, set, bits, flagBits]: Args): number {
  const nodes = nodesAt(system, set, bits);
  const policy = policyFrom(int(mode), nodes);
  const flags = uint(flagBits);
  const start = size(address);
  const end = start + pageUp(size(length));
  if ((flags & ~(STRICT | MOVE | MOVE_ALL)) !== 0) fail('EINVAL');
  if ((flags & MOVE_ALL) !== 0) fail('EPERM');
  if (start % PAGE_SIZE !== 0 || end > 2 ** 64) fail('EINVAL');
  if (start === end) return 0;
  const regions = overlapping(system, start, end);
  const mapped = regions.reduce(
    (sum, region) => sum + Math.min(region.end, end) - Math.max(region.start, start),
    0,
  );
  if (mapped < (policy === undefined ? 1 : end - start)) fail('EFAULT');
  placeRegions(system, start, end, policy);
  return 0;
}

export const MEMORY_POLICY_CALLS: readonly SyscallRow[] = [
  row(237, 'mbind', 6, bind),
  row(238, 'set_mempolicy', 3, setPolicy),
  row(239, 'get_mempolicy', 5, getPolicy),
];
