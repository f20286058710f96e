import type {
  AccessSize,
  Block,
  Fault,
  Immediate,
  Instruction,
  Node,
  NodeFactory,
  StackRise,
  Statement,
  Terminator,
  VarId,
} from './node.ts';
import type { Type } from './ops.ts';
import { FORMS, type Form, simplify } from './simplify.ts';
import { UniqueNodes } from './unique-nodes.ts';

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
  private readonly nodes: UniqueNodes;
  /** Values by variable, and the variables that have one in the order in which they got it. */
  private readonly current: (Node | undefined)[];
  private readonly touched: VarId[] = [];
  private readonly uses: VarId[] = [];
  private readonly statements: Statement[] = [];
  private readonly instructions: Instruction[] = [];
  private readonly helpers = new Set<string>();
  private readonly guarded: Node[] = [];
  private readonly stackRises: StackRise[] = [];
  private readonly start: number;
  private address: number;
  private length = 0;
  private sources: number[] = [];
  private destinations: number[] = [];
  private loads: Instruction['loads'][number][] = [];
  private stores: Instruction['stores'][number][] = [];

  /** `sharesNodes`: a value that is computed twice is one node. */
  constructor(variables: readonly Variable[], address: number, sharesNodes = true) {
    this.nodes = new UniqueNodes(sharesNodes);
    this.variables = variables;
    this.current = new Array(variables.length);
    this.start = address;
    this.address = address;
  }

  begin(address: number, length: number): void {
    this.address = address;
    this.length = length;
    this.sources = [];
    this.destinations = [];
    this.loads = [];
    this.stores = [];
  }

  end(): void {
    this.instructions.push({
      address: this.address,
      length: this.length,
      sources: this.sources,
      destinations: this.destinations,
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
    return this.nodes.i32(value | 0);
  }

  i64(value: bigint | number): Node {
    return this.nodes.i64(value);
  }

  /** Two 64-bit halves, low first. */
  v128(low: bigint, high: bigint): Node {
    return this.nodes.v128(BigInt.asUintN(64, low), BigInt.asUintN(64, high));
  }

  private make(op: string, args: Node[], imm: Immediate): Node {
    const form: Form | undefined = FORMS.get(op);
    if (form === undefined) throw new Error(`unknown operation ${op}`);
    if (form.helper !== undefined) this.helpers.add(form.helper);
    return simplify(this, form, args, imm) ?? this.nodes.operation(form.name, form.result, args, imm);
  }

  // --- state variables

  /** Reads a variable as a source of the instruction. */
  get(id: VarId): Node {
    this.dependOn(id);
    return this.peek(id);
  }

  /** Reads a variable that the rules do not count as a source here. */
  peek(id: VarId): Node {
    const node = this.current[id];
    if (node !== undefined) return node;
    this.uses.push(id);
    const entry = this.nodes.leaf('get', this.variables[id].type, id);
    this.current[id] = entry;
    this.touched.push(id);
    return entry;
  }

  /** Writes a variable as a destination of the instruction. */
  set(id: VarId, value: Node): void {
    const location = this.variables[id].location;
    if (location !== undefined) insert(this.destinations, location);
    this.poke(id, value);
  }

  /** Writes a variable that the rules do not count as a destination here (undefined flags, sticky bits). */
  poke(id: VarId, value: Node): void {
    if (value.type !== this.variables[id].type)
      throw new Error(`${this.variables[id].name} is ${this.variables[id].type}, not ${value.type}`);
    if (this.current[id] === undefined) this.touched.push(id);
    this.current[id] = value;
  }

  /** A source whose value the lifted form does not need (control bits under the default mode). */
  dependOn(id: VarId): void {
    const location = this.variables[id].location;
    if (location !== undefined) insert(this.sources, location);
  }

  /** The stack pointer may have risen: contexts may close here. `before`: see StackRise. */
  markStackRise(value: Node, before: Node | undefined): void {
    this.stackRises.push({ instruction: this.index, value, before });
  }

  // --- memory and helpers

  load(address: Node, size: AccessSize, type: Type): Node {
    return this.addLoad(address, size, type, undefined);
  }

  /** Loads unless the condition is 0: then the value is 0. */
  loadWhen(when: Node, address: Node, size: AccessSize, type: 'i32' | 'i64'): Node {
    if (when.op !== 'const') return this.addLoad(address, size, type, when);
    if (when.imm !== 0) return this.load(address, size, type);
    return type === 'i32' ? this.i32(0) : this.i64(0);
  }

  private addLoad(address: Node, size: AccessSize, type: Type, when: Node | undefined): Node {
    const { index } = this;
    this.loads.push({ address, size, when });
    const result = this.nodes.leaf('load', type, this.statements.length);
    this.statements.push({ kind: 'load', address, size, result, high: undefined, when, instruction: index });
    return result;
  }

  /** Loads 32 bytes: the low half, the high half. */
  loadPair(address: Node): readonly [Node, Node] {
    const { index } = this;
    const when = undefined;
    this.loads.push({ address, size: 32, when });
    const [result, high] = [0, 1].map(() => this.nodes.leaf('load', 'v128', this.statements.length));
    this.statements.push({ kind: 'load', address, size: 32, result, high, when, instruction: index });
    return [result, high];
  }

  /** Bytes that a load node was read from: its bits above them are 0. */
  loadSize(node: Node): AccessSize {
    return (this.statements[node.imm as number] as { size: AccessSize }).size;
  }

  store(address: Node, size: AccessSize, value: Node): void {
    this.addStore(address, size, value, undefined, undefined);
  }

  /** Stores 32 bytes: the low half, the high half. */
  storePair(address: Node, [low, high]: readonly [Node, Node]): void {
    this.addStore(address, 32, low, high, undefined);
  }

  /** Stores unless the condition is 0. */
  storeWhen(when: Node, address: Node, size: AccessSize, value: Node): void {
    if (when.op !== 'const') this.addStore(address, size, value, undefined, when);
    else if (when.imm !== 0) this.store(address, size, value);
  }

  private addStore(
    address: Node,
    size: AccessSize,
    value: Node,
    high: Node | undefined,
    when: Node | undefined,
  ): void {
    this.stores.push({ address, size, when });
    this.statements.push({ kind: 'store', address, size, value, high, when, instruction: this.index });
  }

  /** Faults unless so many bytes may be written, where the condition is not 0. */
  checkStore(when: Node, address: Node, size: AccessSize): void {
    if (when.op === 'const' && when.imm === 0) return;
    this.statements.push({ kind: 'check', address, size, when, instruction: this.index });
  }

  /** Calls a helper by name; its results are new nodes of the given types. */
  helper(name: string, args: readonly Node[], results: readonly Type[]): Node[] {
    const statement = this.statements.length;
    const nodes = results.map((type, i) => this.nodes.leaf('result', type, [statement, i]));
    this.statements.push({ kind: 'helper', name, args, results: nodes, instruction: this.index });
    this.helpers.add(name);
    return nodes;
  }

  /** A condition that an earlier guard of the block found to be 0 is not asked again. */
  guard(condition: Node, fault: Fault): void {
    if (this.guarded.includes(condition)) return;
    this.guarded.push(condition);
    this.statements.push({ kind: 'guard', condition, fault, instruction: this.index });
  }

  finish(terminator: Terminator): Block {
    const assignments = new Map<VarId, Node>();
    for (const id of this.touched) {
      const node = this.current[id]!;
      if (!(node.op === 'get' && node.imm === id)) assignments.set(id, node);
    }
    return {
      address: this.start,
      end: this.address + this.length,
      instructions: this.instructions,
      statements: this.statements,
      assignments,
      uses: new Set(this.uses),
      terminator,
      helpers: this.helpers,
      stackRises: this.stackRises,
    };
  }
}

/** Puts a number into an ascending list without duplicates: an instruction has a handful of them. */
function insert(list: number[], item: number): void {
  let at = list.length;
  while (at > 0 && list[at - 1] > item) at--;
  if (at > 0 && list[at - 1] === item) return;
  list.push(item);
  for (let i = list.length - 1; i > at; i--) list[i] = list[i - 1];
  list[at] = item;
}
