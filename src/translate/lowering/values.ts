import type { Node, Statement } from '../../ir/node.ts';
import { OPS, type Type } from '../../ir/ops.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { EXPANSIONS } from './expand.ts';
import type { Expansion, ExpansionHost } from './expansion.ts';

/** Types by a small number, so that what is counted for each is an array. */
const TYPES: readonly Type[] = ['i32', 'i64', 'f32', 'f64', 'v128'];
const TYPE_INDEX: ReadonlyMap<Type, number> = new Map(TYPES.map((type, index) => [type, index]));

/** Locals that live no longer than a block, handed out again by the next one. */
export class Scratch {
  private readonly f: FunctionBuilder;
  private readonly pools: readonly number[][] = TYPES.map(() => []);
  private readonly taken: number[] = TYPES.map(() => 0);

  constructor(f: FunctionBuilder) {
    this.f = f;
  }

  take(type: Type): number {
    const at = TYPE_INDEX.get(type)!;
    const pool = this.pools[at];
    const index = this.taken[at]++;
    if (index === pool.length) pool.push(this.f.local(type));
    return pool[index];
  }

  /** All scratch locals are free again. */
  reset(): void {
    this.taken.fill(0);
  }

  /** Runs `emit` and frees what it took, whatever it did: its result is on the stack. */
  within(emit: () => void): void {
    const before = this.taken.slice();
    emit();
    for (let i = 0; i < before.length; i++) this.taken[i] = before[i];
  }
}

/** How an operation becomes instructions: one for one, or in a way of its own. */
type Lowering = 'plain' | 'select' | 'shuffle' | 'lane' | Expansion;

const LOWERINGS: ReadonlyMap<string, Lowering> = new Map(
  [...OPS.keys()].map((op) => [op, loweringOf(op)] as const),
);

function loweringOf(op: string): Lowering {
  if (op in EXPANSIONS) return EXPANSIONS[op];
  if (op.startsWith('select.')) return 'select';
  if (op === 'i8x16.shuffle') return 'shuffle';
  return op.includes('_lane') ? 'lane' : 'plain';
}

const NO_HOME = -1;

/**
 * Lowers the nodes of one block. A node is computed where it is first needed and kept in a local when it is needed again;
 * `get` nodes are the variables' own locals, which change only at the block's end.
 */
export class Values {
  private readonly f: FunctionBuilder;
  private readonly scratch: Scratch;
  private readonly variableLocal: (variable: number) => number;
  private readonly host: ExpansionHost;
  /** By the node's number: a block numbers its nodes from 0, operands before what is made of them. */
  private readonly uses: number[] = [];
  private homes: number[] = [];

  /** `variableLocal` gives the local of a variable. */
  constructor(
    f: FunctionBuilder,
    scratch: Scratch,
    variableLocal: (variable: number) => number,
    host: ExpansionHost,
  ) {
    this.f = f;
    this.scratch = scratch;
    this.variableLocal = variableLocal;
    this.host = host;
  }

  private homeOf(node: Node): number {
    return node.id < this.homes.length ? this.homes[node.id] : NO_HOME;
  }

  private keep(node: Node, local: number): void {
    while (this.homes.length <= node.id) this.homes.push(NO_HOME);
    this.homes[node.id] = local;
  }

  /** Announces that a root will be emitted once more. */
  count(root: Node): void {
    while (this.uses.length <= root.id) this.uses.push(0);
    if (this.uses[root.id]++ > 0) return;
    const { args } = root;
    for (let i = 0; i < args.length; i++) this.count(args[i]);
  }

  countStatement(statement: Statement): void {
    switch (statement.kind) {
      case 'load':
        if (statement.when !== undefined) this.count(statement.when);
        return this.count(statement.address);
      case 'store':
        this.count(statement.address);
        this.count(statement.value);
        if (statement.high !== undefined) this.count(statement.high);
        if (statement.when !== undefined) this.count(statement.when);
        return;
      case 'check':
        this.count(statement.address);
        return this.count(statement.when);
      case 'helper':
        for (const arg of statement.args) this.count(arg);
        return;
      case 'guard':
        return this.count(statement.condition);
    }
  }

  /** Emits one arm of a branch: what it keeps in locals means nothing in the other arm. */
  inArm(emit: () => void): void {
    const before = this.homes.slice();
    emit();
    this.homes = before;
  }

  isUsed(node: Node): boolean {
    return this.uses[node.id] > 0;
  }

  /** Keeps the value on the stack's top as the node's. */
  define(node: Node): void {
    const local = this.scratch.take(node.type);
    this.keep(node, local);
    this.f.set(local);
  }

  /** Gives the node a local that holds 0, to be set later. */
  reserve(node: Node): number {
    const local = this.scratch.take(node.type);
    this.keep(node, local);
    pushZero(this.f, node.type);
    this.f.set(local);
    return local;
  }

  /** Pins the entry values that the nodes still depend on: after this, variables' locals may change. */
  pinEntries(roots: readonly Node[], changing: (variable: number) => boolean): void {
    if (roots.length === 0) return;
    const stack = roots.slice();
    const seen = new Set<Node>();
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (seen.has(node) || this.homeOf(node) !== NO_HOME) continue;
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
    const home = this.homeOf(node);
    if (home !== NO_HOME) return this.f.get(home);
    switch (node.op) {
      case 'const':
        return this.constant(node);
      case 'get':
        return this.f.get(this.variableLocal(node.imm as number));
      case 'load':
      case 'result':
        throw new Error(`${node.op} used before its statement`);
    }
    this.operation(node);
    if (this.uses[node.id] > 1) {
      const local = this.scratch.take(node.type);
      this.keep(node, local);
      this.f.tee(local);
    }
  }

  private operation(node: Node): void {
    const { f, scratch } = this;
    const { op, args } = node;
    const lowering = LOWERINGS.get(op)!;
    if (typeof lowering === 'function') {
      const locals = args.map((arg) => this.asLocal(arg));
      return scratch.within(() => lowering(f, locals, (type) => scratch.take(type), node.imm, this.host));
    }
    for (let i = 0; i < args.length; i++) this.emit(args[i]);
    switch (lowering) {
      case 'plain':
        return f.op(op);
      case 'select':
        return f.op('select');
      case 'shuffle':
        return f.shuffle(node.imm as readonly number[]);
      case 'lane':
        return f.lane(op, node.imm as number);
    }
  }

  /** The local that holds the node's value, evaluating it when there is none yet. */
  asLocal(node: Node): number {
    const home = this.homeOf(node);
    if (home !== NO_HOME) return home;
    if (node.op === 'get') return this.variableLocal(node.imm as number);
    this.emit(node);
    const kept = this.homeOf(node);
    if (kept !== NO_HOME) {
      this.f.op('drop');
      return kept;
    }
    const local = this.scratch.take(node.type);
    this.keep(node, local);
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
}

/** Pushes 0 of a type that loads and steps have. */
export function pushZero(f: FunctionBuilder, type: Type): void {
  if (type === 'i32') f.i32(0);
  else if (type === 'i64') f.i64(0n);
  else if (type === 'v128') f.v128(0n, 0n);
  else throw new Error(`no zero of type ${type} is ever needed`);
}
