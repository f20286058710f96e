import type { AccessSize, Node, Statement } from '../../ir/node.ts';
import { RBP, RSP } from '../../x86/state.ts';

/**
 * Accesses of a block at constant distances from one address, as fields of a structure and slots of a stack frame are. They
 * are checked together, once: with a check for each, six pushes took 80 host instructions (now 30), and half of what real
 * programs execute are accesses.
 */
export interface AccessGroup {
  readonly base: Node;
  /** Bytes of the group, relative to the base: from `low` up to `high`. The distances from `low` are multiples of 4. */
  readonly low: number;
  readonly high: number;
  /** Likewise those that are stored to, if any. */
  readonly stores: { readonly low: number; readonly high: number } | undefined;
  /** In the stack frame: always aligned. */
  readonly isInFrame: boolean;
}

export interface GroupMember {
  readonly group: AccessGroup;
  /** From the group's `low`. */
  readonly distance: number;
}

/** An address at a constant distance from one that is checked for several accesses. */
export interface GroupedAddress {
  readonly check: GroupCheck;
  /** From the lowest byte of the group. */
  readonly distance: number;
}

/** Locals of a group. */
export interface GroupCheck {
  readonly group: AccessGroup;
  /** i64: the base. */
  readonly base: number;
  /** i32: where the lowest byte is; where its granule's entry is in shadow memory. */
  readonly near: number;
  readonly shadow: number;
  /**
   * i32, not 0 where all bytes have shadow memory, stores are fast, and, without `odd`, accesses are aligned to granules. Then loads
   * find the page's steps in line, and stores put them there.
   */
  readonly isChecked: number;
  /** i32, where unaligned accesses are usual: not 0 where these are. */
  readonly odd: number | undefined;
  /** i32, of a group without stores, where loads ask: not 0 where its first page has fast stores, so that it is not quiet, or it lies in two. */
  readonly isNeverQuiet: number | undefined;
}

/** A group lies in two pages at most, and never reaches below address 0 or beyond the tables' reach. */
const SPAN = 2048;

/** By statement, where it is in a group of two or more. Single bytes and pairs are not: they need not be aligned. */
export function groupAccesses(statements: readonly Statement[]): ReadonlyMap<Statement, GroupMember> {
  const byBase = new Map<Node, Access[]>();
  for (const statement of statements) {
    const access = accessOf(statement);
    if (access === undefined) continue;
    const others = byBase.get(access.base);
    if (others === undefined) byBase.set(access.base, [access]);
    else others.push(access);
  }
  const members = new Map<Statement, GroupMember>();
  for (const [base, accesses] of byBase) {
    if (accesses.length < 2) continue;
    for (let residue = 0; residue < 4; residue++)
      for (const together of cut(accesses.filter(({ offset }) => (offset & 3) === residue)))
        addGroup(members, base, together);
  }
  return members;
}

interface Access {
  readonly statement: Statement;
  readonly base: Node;
  readonly offset: number;
  readonly size: AccessSize;
}

function accessOf(statement: Statement): Access | undefined {
  if (statement.kind !== 'load' && statement.kind !== 'store') return undefined;
  const { address, size, when } = statement;
  if (when !== undefined || size < 4 || address.op === 'const') return undefined;
  const distance = address.op === 'i64.add' ? address.args[1] : undefined;
  if (distance?.op !== 'const') return { statement, base: address, offset: 0, size };
  const offset = distance.imm as bigint;
  if (BigInt.asIntN(31, offset) !== offset) return undefined;
  return { statement, base: address.args[0], offset: Number(offset), size };
}

/** Into parts of at most SPAN bytes, from low to high addresses. */
function cut(accesses: Access[]): Access[][] {
  const parts: Access[][] = [];
  for (const access of accesses.sort((a, b) => a.offset - b.offset)) {
    const last = parts.at(-1);
    if (last !== undefined && access.offset + access.size - last[0].offset <= SPAN) last.push(access);
    else parts.push([access]);
  }
  return parts;
}

function addGroup(members: Map<Statement, GroupMember>, base: Node, accesses: readonly Access[]): void {
  if (accesses.length < 2) return;
  const low = accesses[0].offset;
  const stores = accesses.filter(({ statement }) => statement.kind === 'store');
  const group: AccessGroup = {
    base,
    low,
    high: endOf(accesses),
    stores: stores.length === 0 ? undefined : { low: stores[0].offset, high: endOf(stores) },
    isInFrame: base.op === 'get' && (base.imm === RSP || base.imm === RBP),
  };
  for (const { statement, offset } of accesses) members.set(statement, { group, distance: offset - low });
}

const endOf = (accesses: readonly Access[]): number =>
  Math.max(...accesses.map(({ offset, size }) => offset + size));
