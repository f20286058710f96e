import type {
  AccessSize,
  Block,
  Fault,
  Immediate,
  Instruction,
  Node,
  NodeFactory,
  Statement,
  Terminator,
  VarId,
} from './node.ts';
import { OPS, type Type } from './ops.ts';
import { simplify } from './simplify.ts';

/** What the builder must know of a state variable. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** Its location of rule 3, or undefined for state that carries no dependence (x87 top, sticky bits). */
  readonly location: number | undefined;
}

/**
 * Builds one block: the lifter calls `begin`, describes the instruction by reading and writing variables and memory,
 * and the dependences of rule 4 are recorded on the way. Nodes are hash-consed and simplified as they are made.
 */
export class BlockBuilder implements NodeFactory {
  private readonly variables: readonly Variable[];
  private readonly nodes = new Map<string, Node>();
  private readonly current = new Map<VarId, Node>();
  private readonly uses = new Set<VarId>();
  private readonly statements: Statement[] = [];
  private readonly instructions: Instruction[] = [];
  private readonly guarded = new Set<Node>();
  private readonly stackRises: { instruction: number; value: Node }[] = [];
  private readonly start: number;
  private address: number;
  private length = 0;
  private sources = new Set<number>();
  private destinations = new Set<number>();
  private loads: Instruction['loads'][number][] = [];
  private stores: Instruction['stores'][number][] = [];
  private nextId = 0;

  constructor(variables: readonly Variable[], address: number) {
    this.variables = variables;
    this.start = address;
    this.address = address;
  }

  begin(address: number, length: number): void {
    this.address = address;
    this.length = length;
    this.sources = new Set();
    this.destinations = new Set();
    this.loads = [];
    this.stores = [];
  }

  end(): void {
    const ascending = (set: Set<number>) => [...set].sort((a, b) => a - b);
    this.instructions.push({
      address: this.address,
      length: this.length,
      sources: ascending(this.sources),
      destinations: ascending(this.destinations),
      loads: this.loads,
      stores: this.stores,
    });
  }

  /** Index of the instruction being described. */
  get index(): number {
    return this.instructions.length;
  }

  /** Address after the instruction being described. */
  get nextAddress(): number {
    return this.address + this.length;
  }

  // --- nodes

  op(op: string, ...args: Node[]): Node {
    return this.make(op, args, undefined);
  }

  /** An operation with an immediate: lane number or shuffle pattern. */
  opImm(op: string, imm: Immediate, ...args: Node[]): Node {
    return this.make(op, args, imm);
  }

  i32(value: number): Node {
    return this.intern('const', 'i32', [], value | 0);
  }

  i64(value: bigint | number): Node {
    return this.intern('const', 'i64', [], BigInt.asIntN(64, BigInt(value)));
  }

  /** Two 64-bit halves, low first. */
  v128(low: bigint, high: bigint): Node {
    return this.intern('const', 'v128', [], [BigInt.asUintN(64, low), BigInt.asUintN(64, high)]);
  }

  private make(op: string, args: Node[], imm: Immediate): Node {
    const info = OPS.get(op);
    if (info === undefined) throw new Error(`unknown operation ${op}`);
    return simplify(this, op, args, imm) ?? this.intern(op, info.result, args, imm);
  }

  private intern(op: string, type: Type, args: readonly Node[], imm: Immediate): Node {
    let key = imm === undefined ? op : `${op}:${type}:${imm}`;
    for (const arg of args) key += `,${arg.id}`;
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    const node: Node = { id: this.nextId++, op, type, args, imm };
    this.nodes.set(key, node);
    return node;
  }

  // --- state variables

  /** Reads a variable as a source of the instruction. */
  get(id: VarId): Node {
    this.dependOn(id);
    return this.peek(id);
  }

  /** Reads a variable that the rules do not count as a source here. */
  peek(id: VarId): Node {
    const node = this.current.get(id);
    if (node !== undefined) return node;
    this.uses.add(id);
    const entry = this.intern('get', this.variables[id].type, [], id);
    this.current.set(id, entry);
    return entry;
  }

  /** Writes a variable as a destination of the instruction. */
  set(id: VarId, value: Node): void {
    const location = this.variables[id].location;
    if (location !== undefined) this.destinations.add(location);
    this.poke(id, value);
  }

  /** Writes a variable that the rules do not count as a destination here (undefined flags, sticky bits). */
  poke(id: VarId, value: Node): void {
    if (value.type !== this.variables[id].type)
      throw new Error(`${this.variables[id].name} is ${this.variables[id].type}, not ${value.type}`);
    this.current.set(id, value);
  }

  /** A source whose value the lifted form does not need (control bits under the default mode). */
  dependOn(id: VarId): void {
    const location = this.variables[id].location;
    if (location !== undefined) this.sources.add(location);
  }

  /** The stack pointer may have risen: contexts may close here. */
  markStackRise(value: Node): void {
    this.stackRises.push({ instruction: this.index, value });
  }

  // --- memory and helpers

  load(address: Node, size: AccessSize, type: Type): Node {
    this.loads.push({ address, size });
    const result = this.intern('load', type, [], this.statements.length);
    this.statements.push({ kind: 'load', address, size, result, instruction: this.index });
    return result;
  }

  /** Bytes that a load node was read from: its bits above them are 0. */
  loadSize(node: Node): AccessSize {
    return (this.statements[node.imm as number] as { size: AccessSize }).size;
  }

  store(address: Node, size: AccessSize, value: Node): void {
    this.stores.push({ address, size });
    this.statements.push({ kind: 'store', address, size, value, instruction: this.index });
  }

  /** Calls a helper by name; its results are new nodes of the given types. */
  helper(name: string, args: readonly Node[], results: readonly Type[]): Node[] {
    const statement = this.statements.length;
    const nodes = results.map((type, i) => this.intern('result', type, [], [statement, i]));
    this.statements.push({ kind: 'helper', name, args, results: nodes, instruction: this.index });
    return nodes;
  }

  /** A condition that an earlier guard of the block found to be 0 is not asked again. */
  guard(condition: Node, fault: Fault): void {
    if (this.guarded.has(condition)) return;
    this.guarded.add(condition);
    this.statements.push({ kind: 'guard', condition, fault, instruction: this.index });
  }

  finish(terminator: Terminator): Block {
    const assignments = new Map<VarId, Node>();
    for (const [id, node] of this.current)
      if (!(node.op === 'get' && node.imm === id)) assignments.set(id, node);
    return {
      address: this.start,
      end: this.address + this.length,
      instructions: this.instructions,
      statements: this.statements,
      assignments,
      uses: this.uses,
      terminator,
      stackRises: this.stackRises,
    };
  }
}
