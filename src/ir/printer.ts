import type { Variable } from './builder.ts';
import type { Access, Block, Immediate, Instruction, Node, Statement, Terminator } from './node.ts';

/**
 * A block as text, for tests and for people. Nodes get numbers where they are first needed; variables stand for their
 * value at entry, and constants for themselves:
 *
 *     block 0x1000 to 0x1006
 *       0x1000: rax rdi [rdi]4 -> rax
 *       %1 = load 4 rdi
 *       %2 = i64.extend_i32_u %1
 *       rax := %2
 *       jump 0x1006
 */
export function printBlock(block: Block, variables: readonly Variable[]): string {
  return new Printer(variables).block(block);
}

const hex = (address: number): string => `0x${address.toString(16)}`;

class Printer {
  private readonly variables: readonly Variable[];
  private readonly names = new Map<Node, string>();
  private readonly lines: string[] = [];
  private count = 0;

  constructor(variables: readonly Variable[]) {
    this.variables = variables;
  }

  block(block: Block): string {
    this.lines.push(`block ${hex(block.address)} to ${hex(block.end)}`);
    let statement = 0;
    block.instructions.forEach((instruction, i) => {
      // Addresses are nodes: those that no statement names are printed with the instruction.
      const effects = this.effects(instruction);
      this.line(`${hex(instruction.address)}: ${effects}`.trimEnd());
      while (statement < block.statements.length && block.statements[statement].instruction === i)
        this.statement(block.statements[statement++]);
    });
    while (statement < block.statements.length) this.statement(block.statements[statement++]);
    for (const [variable, node] of block.assignments) {
      const value = this.name(node);
      this.line(`${this.variables[variable].name} := ${value}`);
    }
    for (const { instruction, value, before } of block.stackRises) {
      const what = before === undefined ? 'rise to' : `change from ${this.name(before)} to`;
      this.line(`stack may ${what} ${this.name(value)} in ${hex(block.instructions[instruction].address)}`);
    }
    this.terminator(block.terminator);
    return `${this.lines.join('\n')}\n`;
  }

  private line(text: string): void {
    this.lines.push(`  ${text}`);
  }

  private effects({ sources, destinations, loads, stores }: Instruction): string {
    const side = (locations: readonly number[], accesses: readonly Access[]): string =>
      [...locations.map((at) => this.location(at)), ...accesses.map(({ size }) => `[${size}]`)].join(' ');
    return `${side(sources, loads)} -> ${side(destinations, stores)}`.trim();
  }

  /** A location has the name of its first variable. */
  private location(at: number): string {
    return this.variables.find(({ location }) => location === at)?.name ?? `location ${at}`;
  }

  private statement(statement: Statement): void {
    switch (statement.kind) {
      case 'load': {
        const address = this.name(statement.address);
        this.define(statement.result, `load ${statement.size} ${address}${this.condition(statement)}`);
        if (statement.high !== undefined) this.define(statement.high, 'the upper half');
        return;
      }
      case 'store': {
        const address = this.name(statement.address);
        const high = statement.high === undefined ? '' : ` ${this.name(statement.high)}`;
        const value = `${this.name(statement.value)}${high}`;
        this.line(`store ${statement.size} ${address} ${value}${this.condition(statement)}`);
        return;
      }
      case 'check': {
        const address = this.name(statement.address);
        this.line(`check ${statement.size} ${address}${this.condition(statement)}`);
        return;
      }
      case 'helper': {
        const args = statement.args.map((arg) => this.name(arg));
        const results = statement.results.map((result) => this.fresh(result));
        this.line(`${results.join(' ')} = helper ${[statement.name, ...args].join(' ')}`);
        return;
      }
      case 'guard':
        this.line(`guard ${this.name(statement.condition)} ${statement.fault}`);
    }
  }

  private condition({ when }: { readonly when: Node | undefined }): string {
    return when === undefined ? '' : ` when ${this.name(when)}`;
  }

  private terminator(terminator: Terminator): void {
    switch (terminator.kind) {
      case 'jump':
        this.line(`jump ${hex(terminator.target)}`);
        return;
      case 'branch': {
        const condition = this.name(terminator.condition);
        this.line(`branch ${condition} ${hex(terminator.taken)} else ${hex(terminator.next)}`);
        return;
      }
      case 'call': {
        const { target, next } = terminator;
        this.line(`call ${typeof target === 'number' ? hex(target) : this.name(target)} then ${hex(next)}`);
        return;
      }
      case 'indirect-jump':
      case 'return':
        this.line(`${terminator.kind} ${this.name(terminator.target)}`);
        return;
      case 'service':
        this.line(`service ${terminator.service} ${terminator.argument} then ${hex(terminator.next)}`);
        return;
      case 'fault':
        this.line(`fault ${terminator.fault}`);
        return;
      case 'unsupported':
        this.line(`unsupported ${terminator.text}`);
    }
  }

  private name(node: Node): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    if (node.op === 'get') return this.variables[node.imm as number].name;
    if (node.op === 'const') return literal(node.imm);
    const args = node.args.map((arg) => this.name(arg));
    const imm = node.imm === undefined ? [] : [`#${literal(node.imm)}`];
    return this.define(node, [node.op, ...imm, ...args].join(' '));
  }

  private define(node: Node, text: string): string {
    const name = this.fresh(node);
    this.line(`${name} = ${text}`);
    return name;
  }

  private fresh(node: Node): string {
    const name = `%${++this.count}`;
    this.names.set(node, name);
    return name;
  }
}

function literal(imm: Immediate): string {
  if (Array.isArray(imm)) return imm.map((part: number | bigint) => part.toString()).join(',');
  return String(imm);
}
