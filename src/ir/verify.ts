import type { Variable } from './builder.ts';
import type { Block, Node, Statement, Terminator } from './node.ts';
import { OPS, type Type } from './ops.ts';

/**
 * What is wrong with a block, in sentences; nothing if it is well-formed: every operation exists and its operands have
 * its types, a loaded value or a helper's result is used after its statement, variables get values of their type, and
 * `uses` names the variables read at entry. Tests run it on everything that is lifted.
 */
export function verifyBlock(block: Block, variables: readonly Variable[]): string[] {
  return new Verifier(block, variables).run();
}

class Verifier {
  private readonly block: Block;
  private readonly variables: readonly Variable[];
  private readonly problems: string[] = [];
  private readonly seen = new Set<Node>();
  /** Results of the statements so far. */
  private readonly defined = new Set<Node>();

  constructor(block: Block, variables: readonly Variable[]) {
    this.block = block;
    this.variables = variables;
  }

  run(): string[] {
    const { block } = this;
    let last = 0;
    for (const statement of block.statements) {
      if (statement.instruction < last) this.report('statements are not in the order of their instructions');
      last = statement.instruction;
      this.statement(statement);
    }
    for (const [id, value] of block.assignments)
      this.value(value, this.variables[id].type, this.variables[id].name);
    for (const { value, before } of block.stackRises) {
      this.value(value, 'i64', 'the risen stack pointer');
      if (before !== undefined) this.value(before, 'i64', 'the stack pointer before');
    }
    for (const { loads, stores, address } of block.instructions)
      for (const access of [...loads, ...stores]) {
        this.value(access.address, 'i64', `an address of 0x${address.toString(16)}`);
        if (access.when !== undefined) this.value(access.when, 'i32', 'whether it is accessed');
      }
    this.terminator(block.terminator);
    return this.problems;
  }

  private report(problem: string): void {
    this.problems.push(problem);
  }

  private statement(statement: Statement): void {
    switch (statement.kind) {
      case 'load':
        this.value(statement.address, 'i64', 'a load address');
        if (statement.when !== undefined) this.value(statement.when, 'i32', 'whether it is loaded');
        this.fits(statement, [statement.result, statement.high], 'a load');
        this.defined.add(statement.result);
        if (statement.high !== undefined) this.defined.add(statement.high);
        return;
      case 'store':
        this.value(statement.address, 'i64', 'a store address');
        if (statement.when !== undefined) this.value(statement.when, 'i32', 'whether it is stored');
        this.value(statement.value, statement.value.type, 'a stored value');
        if (statement.high !== undefined) this.value(statement.high, 'v128', 'a stored upper half');
        this.fits(statement, [statement.value, statement.high], 'a store');
        return;
      case 'check':
        this.value(statement.address, 'i64', 'a checked address');
        this.value(statement.when, 'i32', 'whether it is checked');
        return;
      case 'helper':
        for (const arg of statement.args) this.value(arg, arg.type, `an argument of ${statement.name}`);
        for (const result of statement.results) this.defined.add(result);
        return;
      case 'guard':
        this.value(statement.condition, 'i32', 'a guard');
    }
  }

  private fits(
    { size }: { size: number },
    [low, high]: readonly [Node, Node | undefined],
    what: string,
  ): void {
    const bytes = BYTES[low.type] + (high === undefined ? 0 : BYTES[high.type]);
    // Vector accesses of fewer than 4 bytes have no instruction.
    const least = low.type === 'v128' ? 4 : 1;
    if (size > bytes || size < least || (high !== undefined && size !== bytes))
      this.report(`${what} of ${size} bytes has type ${low.type}`);
  }

  private terminator(terminator: Terminator): void {
    if (terminator.kind === 'branch') this.value(terminator.condition, 'i32', 'the branch condition');
    else if (terminator.kind === 'indirect-jump' || terminator.kind === 'return')
      this.value(terminator.target, 'i64', 'the target');
    else if (terminator.kind === 'call' && typeof terminator.target !== 'number')
      this.value(terminator.target, 'i64', 'the callee');
  }

  private value(node: Node, type: Type, what: string): void {
    if (node.type !== type) this.report(`${what} is ${node.type}, not ${type}`);
    const pending = [node];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.seen.has(next)) continue;
      this.seen.add(next);
      this.node(next);
      pending.push(...next.args);
    }
  }

  private node(node: Node): void {
    switch (node.op) {
      case 'const':
        return;
      case 'get': {
        const { name, type } = this.variables[node.imm as number];
        if (type !== node.type) this.report(`${name} is ${type}, read as ${node.type}`);
        if (!this.block.uses.has(node.imm as number)) this.report(`${name} is read but not among the uses`);
        return;
      }
      case 'load':
      case 'result':
        if (!this.defined.has(node)) this.report(`the ${node.op} ${node.imm} is used before its statement`);
        return;
      default:
        this.operation(node);
    }
  }

  private operation({ op, type, args, imm }: Node): void {
    const info = OPS.get(op);
    if (info === undefined) {
      this.report(`operation ${op} does not exist`);
      return;
    }
    if (info.result !== type) this.report(`${op} gives ${info.result}, not ${type}`);
    const types = args.map((arg) => arg.type);
    if (types.join() !== info.args.join())
      this.report(`${op} takes ${info.args.join()}, not ${types.join()}`);
    const lanes = LANES.exec(op);
    if (lanes !== null && !(Number(imm) >= 0 && Number(imm) < Number(lanes[1])))
      this.report(`${op} has no lane ${imm}`);
    if (op === 'i8x16.shuffle' && !isPattern(imm)) this.report(`${op} needs 16 lane numbers below 32`);
  }
}

const BYTES: Readonly<Record<Type, number>> = { i32: 4, i64: 8, f32: 4, f64: 8, v128: 16 };
const LANES = /^[if]\d+x(\d+)\.(?:extract|replace)_lane/;

function isPattern(imm: unknown): boolean {
  return Array.isArray(imm) && imm.length === 16 && imm.every((lane) => lane >= 0 && lane < 32);
}
