import type { Node, NodeFactory } from '../ir/node.ts';

/** A number is a constant of the other operands' type. */
export type Operand = Node | number | bigint;

/** Writes integer operations briefly: the type is that of the first operand. */
export class Calculator {
  readonly b: NodeFactory;

  constructor(b: NodeFactory) {
    this.b = b;
  }

  /** `op('add', x, 1)` */
  op(name: string, x: Node, ...rest: Operand[]): Node {
    return this.b.op(`${x.type}.${name}`, x, ...rest.map((operand) => this.like(x, operand)));
  }

  i32(value: number): Node {
    return this.b.i32(value);
  }

  i64(value: bigint): Node {
    return this.b.i64(value);
  }

  /** An i32 as unsigned i64. */
  wide(x: Node): Node {
    return this.b.op('i64.extend_i32_u', x);
  }

  /** The low half of an i64. */
  narrow(x: Node): Node {
    return this.b.op('i32.wrap_i64', x);
  }

  /** High half of the unsigned 128-bit product. */
  highProduct(x: Node, y: Node): Node {
    return this.b.op('x86.mulhi_u', x, y);
  }

  choose(condition: Node, ifTrue: Node, ifFalse: Operand): Node {
    return this.b.op(`select.${ifTrue.type}`, ifTrue, this.like(ifTrue, ifFalse), condition);
  }

  /** 1 when all the conditions, each 0 or 1, are. */
  all(first: Node, ...others: Node[]): Node {
    return others.reduce((all, condition) => this.op('and', all, condition), first);
  }

  not(condition: Node): Node {
    return this.op('eqz', condition);
  }

  private like(x: Node, operand: Operand): Node {
    if (typeof operand === 'object') return operand;
    return x.type === 'i32' ? this.b.i32(Number(operand)) : this.b.i64(operand);
  }
}
