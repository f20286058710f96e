import type { Immediate, Node } from './node.ts';
import type { Type } from './ops.ts';

class UniqueNode implements Node {
  readonly id: number;
  readonly op: string;
  readonly type: Type;
  readonly args: readonly Node[];
  readonly imm: Immediate;

  constructor(id: number, op: string, type: Type, args: readonly Node[], imm: Immediate) {
    this.id = id;
    this.op = op;
    this.type = type;
    this.args = args;
    this.imm = imm;
  }
}

type Link = Node | undefined;

const BUCKETS = 16;
const NONE: readonly Node[] = [];

/**
 * The nodes of one block, each once. A node is looked for among those that have the same youngest operand, which are
 * few: no key has to be made of it (measured: a table by strings took a fifth of lifting).
 */
export class UniqueNodes {
  /** Whether equal nodes are one. */
  private readonly shares: boolean;
  /** By node: the youngest of those that were listed with it as their youngest operand, and the one listed before. */
  private readonly users: Link[] = [];
  private readonly next: Link[] = [];
  private readonly i32s: Link[] = new Array(BUCKETS);
  private readonly i64s: Link[] = new Array(BUCKETS);
  private v128s: Link;

  constructor(shares: boolean) {
    this.shares = shares;
  }

  private add(op: string, type: Type, args: readonly Node[], imm: Immediate, next: Link): Node {
    const made = new UniqueNode(this.next.length, op, type, args, imm);
    this.users.push(undefined);
    this.next.push(next);
    return made;
  }

  /** `op` is the one string object of that name. */
  operation(op: string, type: Type, args: readonly Node[], imm: Immediate): Node {
    if (!this.shares) return this.add(op, type, args, imm, undefined);
    let youngest = args[0].id;
    for (let i = 1; i < args.length; i++) if (args[i].id > youngest) youngest = args[i].id;
    const first = this.users[youngest];
    for (let known = first; known !== undefined; known = this.next[known.id])
      if (known.op === op && haveSameItems(known.args, args) && isSameImmediate(known.imm, imm)) return known;
    const made = this.add(op, type, args, imm, first);
    this.users[youngest] = made;
    return made;
  }

  /** A node that the caller makes only once: what a variable, a load or a helper call gives. */
  leaf(op: string, type: Type, imm: Immediate): Node {
    return this.add(op, type, NONE, imm, undefined);
  }

  i32(value: number): Node {
    const bucket = value & (BUCKETS - 1);
    const first = this.i32s[bucket];
    for (let known = first; known !== undefined; known = this.next[known.id])
      if (known.imm === value) return known;
    const made = this.add('const', 'i32', NONE, value, first);
    this.i32s[bucket] = made;
    return made;
  }

  i64(value: number | bigint): Node {
    const imm = BigInt.asIntN(64, BigInt(value));
    const bucket = Number(BigInt.asUintN(32, imm)) & (BUCKETS - 1);
    const first = this.i64s[bucket];
    for (let known = first; known !== undefined; known = this.next[known.id])
      if (known.imm === imm) return known;
    const made = this.add('const', 'i64', NONE, imm, first);
    this.i64s[bucket] = made;
    return made;
  }

  v128(low: bigint, high: bigint): Node {
    for (let known = this.v128s; known !== undefined; known = this.next[known.id]) {
      const halves = known.imm as readonly bigint[];
      if (halves[0] === low && halves[1] === high) return known;
    }
    const made = this.add('const', 'v128', NONE, [low, high], this.v128s);
    this.v128s = made;
    return made;
  }
}

function haveSameItems(x: readonly unknown[], y: readonly unknown[]): boolean {
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return x.length === y.length;
}

/** Of one operation: all have a number, a pattern, or nothing. */
function isSameImmediate(x: Immediate, y: Immediate): boolean {
  return x === y || (Array.isArray(x) && Array.isArray(y) && haveSameItems(x, y));
}
