import type { Node, Statement } from '../ir/node.ts';
import type { Type } from '../ir/ops.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { EXPANSIONS } from './expand.ts';

/** Locals that live no longer than a block, handed out again by the next one. */
export class Scratch {
  private readonly f: FunctionBuilder;
  private readonly pools = new Map<Type, number[]>();
  private readonly taken = new Map<Type, number>();

  constructor(f: FunctionBuilder) {
    this.f = f;
  }

  take(type: Type): number {
    const pool = this.pools.get(type) ?? [];
    this.pools.set(type, pool);
    const index = this.taken.get(type) ?? 0;
    this.taken.set(type, index + 1);
    if (index === pool.length) pool.push(this.f.local(type));
    return pool[index];
  }

  /** All scratch locals are free again. */
  reset(): void {
    this.taken.clear();
  }

  /** Runs `emit` and frees what it took, whatever it did: its result is on the stack. */
  within(emit: () => void): void {
    const before = new Map(this.taken);
    emit();
    this.taken.clear();
    for (const [type, count] of before) this.taken.set(type, count);
  }
}

/**
 * Lowers the nodes of one block. A node is computed where it is first needed and kept in a local when it is needed again;
 * `get` nodes are the variables' own locals, which change only at the block's end.
 */
export class Values {
  private readonly f: FunctionBuilder;
  private readonly scratch: Scratch;
  private readonly variableLocal: (variable: number) => number;
  private readonly uses = new Map<Node, number>();
  private homes = new Map<Node, number>();

  constructor(f: FunctionBuilder, scratch: Scratch, variableLocal: (variable: number) => number) {
    this.f = f;
    this.scratch = scratch;
    this.variableLocal = variableLocal;
  }

  /** Announces that a root will be emitted once more. */
  count(root: Node): void {
    const stack = [root];
    while (stack.length > 0) {
      const node = stack.pop()!;
      const known = this.uses.get(node);
      this.uses.set(node, (known ?? 0) + 1);
      if (known === undefined) for (const arg of node.args) stack.push(arg);
    }
  }

  countStatement(statement: Statement): void {
    switch (statement.kind) {
      case 'load':
        return this.count(statement.address);
      case 'store':
        this.count(statement.address);
        return this.count(statement.value);
      case 'helper':
        return statement.args.forEach((arg) => {
          this.count(arg);
        });
      case 'guard':
        return this.count(statement.condition);
    }
  }

  /** Emits one arm of a branch: what it keeps in locals means nothing in the other arm. */
  inArm(emit: () => void): void {
    const before = new Map(this.homes);
    emit();
    this.homes = before;
  }

  isUsed(node: Node): boolean {
    return this.uses.has(node);
  }

  /** Keeps the value on the stack's top as the node's. */
  define(node: Node): void {
    const local = this.scratch.take(node.type);
    this.homes.set(node, local);
    this.f.set(local);
  }

  /** Pins a node to a local, so that its variable may be overwritten or a branch may need it. */
  pin(node: Node): void {
    if (this.homes.has(node) || node.op === 'const') return;
    this.emit(node);
    if (!this.homes.has(node)) this.define(node);
    else this.f.op('drop');
  }

  /** Pins the entry values that the nodes still depend on: after this, variables' locals may change. */
  pinEntries(roots: Iterable<Node>, changing: (variable: number) => boolean): void {
    const stack = [...roots];
    const seen = new Set<Node>();
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (seen.has(node) || this.homes.has(node)) continue;
      seen.add(node);
      if (node.op === 'get' && changing(node.imm as number)) {
        this.f.get(this.variableLocal(node.imm as number));
        this.define(node);
      }
      stack.push(...node.args);
    }
  }

  /** Pushes the node's value. */
  emit(node: Node): void {
    const home = this.homes.get(node);
    if (home !== undefined) return this.f.get(home);
    switch (node.op) {
      case 'const':
        return this.constant(node);
      case 'get':
        return this.f.get(this.variableLocal(node.imm as number));
      case 'load':
      case 'result':
        throw new Error(`${node.op} used before its statement`);
    }
    const expand = EXPANSIONS[node.op];
    if (expand !== undefined) {
      const locals = node.args.map((arg) => this.asLocal(arg));
      this.scratch.within(() => expand(this.f, locals, (type) => this.scratch.take(type)));
    } else {
      for (const arg of node.args) this.emit(arg);
      this.primitive(node);
    }
    if ((this.uses.get(node) ?? 0) > 1) {
      const local = this.scratch.take(node.type);
      this.homes.set(node, local);
      this.f.tee(local);
    }
  }

  /** The local that holds the node's value, evaluating it when there is none yet. */
  asLocal(node: Node): number {
    const home = this.homes.get(node);
    if (home !== undefined) return home;
    if (node.op === 'get') return this.variableLocal(node.imm as number);
    this.emit(node);
    const kept = this.homes.get(node);
    if (kept !== undefined) {
      this.f.op('drop');
      return kept;
    }
    const local = this.scratch.take(node.type);
    this.homes.set(node, local);
    this.f.set(local);
    return local;
  }

  private constant(node: Node): void {
    const { f } = this;
    switch (node.type) {
      case 'i32':
        return f.i32(node.imm as number);
      case 'i64':
        return f.i64(node.imm as bigint);
      case 'f32':
        f.i32(node.imm as number);
        return f.op('f32.reinterpret_i32');
      case 'f64':
        f.i64(node.imm as bigint);
        return f.op('f64.reinterpret_i64');
      case 'v128': {
        const [low, high] = node.imm as readonly bigint[];
        return f.v128(low, high);
      }
    }
  }

  private primitive(node: Node): void {
    const { f } = this;
    if (node.op.startsWith('select.')) return f.op('select');
    if (node.op === 'i8x16.shuffle') return f.shuffle(node.imm as readonly number[]);
    if (node.op.includes('_lane')) return f.lane(node.op, node.imm as number);
    f.op(node.op);
  }
}
