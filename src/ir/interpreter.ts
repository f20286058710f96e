import { CONVERSIONS } from './evaluate/conversions.ts';
import { FLOAT } from './evaluate/float.ts';
import { FLUSHED } from './evaluate/flushed.ts';
import { FUSED } from './evaluate/fused.ts';
import { type Evaluate, SCALAR } from './evaluate/scalar.ts';
import { VECTOR } from './evaluate/vector.ts';
import type { AccessSize, Block, Fault, Node, Statement, VarId } from './node.ts';
import { constantValue, fromBytes, toBytes, type Value } from './value.ts';

/** What a block runs on. Inaccessible memory is signalled by throwing. */
export interface AbstractMachine {
  get(variable: VarId): Value;
  set(variable: VarId, value: Value): void;
  /** `size` bytes; the address is unsigned. The bytes are copied at once. */
  load(address: bigint, size: AccessSize): Uint8Array;
  store(address: bigint, bytes: Uint8Array): void;
  /** Signals where `size` bytes may not be stored. */
  checkStore(address: bigint, size: AccessSize): void;
  readonly helpers: ReadonlyMap<string, { run(...args: (number | bigint)[]): readonly (number | bigint)[] }>;
}

/** How a block ended; addresses are unsigned. */
export type Outcome =
  | { readonly kind: 'jump' | 'return'; readonly target: number }
  | { readonly kind: 'call'; readonly target: number; readonly next: number }
  | { readonly kind: 'service'; readonly service: string; readonly argument: number; readonly next: number }
  /** Nothing was assigned; stores of earlier instructions have happened. `instruction` is the index of the faulting one. */
  | { readonly kind: 'fault'; readonly fault: Fault; readonly instruction: number }
  | { readonly kind: 'unsupported'; readonly text: string };

export interface Run {
  readonly outcome: Outcome;
  /** A node's value in this run (an access's address, say). */
  value(node: Node): Value;
}

const EVALUATE: Readonly<Record<string, Evaluate>> = {
  ...SCALAR,
  ...FLOAT,
  ...FUSED,
  ...FLUSHED,
  ...CONVERSIONS,
  ...VECTOR,
};

/** The operations that the interpreter knows: all of ops.ts and the same of other lane shapes. */
export const EVALUATED: ReadonlySet<string> = new Set(Object.keys(EVALUATE));

/** Runs a block: statements in order, then all assignments at once. The reference for the generated code. */
export function interpret(block: Block, machine: AbstractMachine): Run {
  const known = new Map<Node, Value>();
  const value = (node: Node): Value => known.get(node) ?? evaluate(node, known, machine);
  const address = (node: Node): bigint => BigInt.asUintN(64, value(node) as bigint);
  // A variable's node means its value at entry, so it is read before anything is assigned.
  for (const statement of block.statements) {
    const fault = step(statement, known, machine, value, address);
    if (fault !== undefined)
      return { outcome: { kind: 'fault', fault, instruction: statement.instruction }, value };
  }
  const assigned = [...block.assignments].map(([variable, node]) => [variable, value(node)] as const);
  const outcome = end(block, value, address);
  for (const { loads, stores } of block.instructions)
    for (const { address: at, when } of [...loads, ...stores]) {
      value(at);
      if (when !== undefined) value(when);
    }
  for (const [variable, result] of assigned) machine.set(variable, result);
  return { outcome, value };
}

function step(
  statement: Statement,
  known: Map<Node, Value>,
  machine: AbstractMachine,
  value: (node: Node) => Value,
  address: (node: Node) => bigint,
): Fault | undefined {
  switch (statement.kind) {
    case 'load': {
      const isDone = statement.when === undefined || value(statement.when) !== 0;
      const bytes = isDone
        ? machine.load(address(statement.address), statement.size)
        : new Uint8Array(statement.size);
      known.set(statement.result, fromBytes(bytes.subarray(0, 16), statement.result.type));
      if (statement.high !== undefined) known.set(statement.high, fromBytes(bytes.subarray(16), 'v128'));
      return undefined;
    }
    case 'store':
      if (statement.when !== undefined && value(statement.when) === 0) return undefined;
      machine.store(address(statement.address), stored(statement, value));
      return undefined;
    case 'check':
      if (value(statement.when) !== 0) machine.checkStore(address(statement.address), statement.size);
      return undefined;
    case 'helper': {
      const helper = machine.helpers.get(statement.name);
      if (helper === undefined) throw new Error(`unknown helper ${statement.name}`);
      const results = helper.run(...statement.args.map((arg) => value(arg) as number | bigint));
      statement.results.forEach((node, i) => {
        known.set(node, results[i]);
      });
      return undefined;
    }
    case 'guard':
      return value(statement.condition) !== 0 ? statement.fault : undefined;
  }
}

function stored(
  { value, high, size }: Extract<Statement, { kind: 'store' }>,
  valueIn: (node: Node) => Value,
): Uint8Array {
  if (high === undefined) return toBytes(valueIn(value), size);
  return Uint8Array.from([value, high].flatMap((half) => [...toBytes(valueIn(half), 16)]));
}

function end(block: Block, value: (node: Node) => Value, address: (node: Node) => bigint): Outcome {
  const { terminator } = block;
  const target = (node: Node): number => Number(address(node));
  switch (terminator.kind) {
    case 'jump':
      return { kind: 'jump', target: terminator.target };
    case 'branch':
      return { kind: 'jump', target: value(terminator.condition) !== 0 ? terminator.taken : terminator.next };
    case 'indirect-jump':
      return { kind: 'jump', target: target(terminator.target) };
    case 'call': {
      const callee = typeof terminator.target === 'number' ? terminator.target : target(terminator.target);
      return { kind: 'call', target: callee, next: terminator.next };
    }
    case 'return':
      return { kind: 'return', target: target(terminator.target) };
    case 'service':
    case 'unsupported':
      return terminator;
    case 'fault':
      return { kind: 'fault', fault: terminator.fault, instruction: block.instructions.length };
  }
}

/** Evaluates a node after its operands, without recursion: chains in long blocks are thousands of nodes deep. */
function evaluate(root: Node, known: Map<Node, Value>, machine: AbstractMachine): Value {
  const pending = [root];
  while (pending.length > 0) {
    const node = pending[pending.length - 1];
    const missing = known.has(node) ? [] : node.args.filter((arg) => !known.has(arg));
    if (missing.length > 0) pending.push(...missing);
    else {
      pending.pop();
      if (!known.has(node)) known.set(node, compute(node, known, machine));
    }
  }
  return known.get(root) as Value;
}

function compute(node: Node, known: Map<Node, Value>, machine: AbstractMachine): Value {
  switch (node.op) {
    case 'const':
      return constantValue(node.type, node.imm);
    case 'get':
      return machine.get(node.imm as VarId);
    case 'load':
    case 'result':
      throw new Error(`a ${node.op} is used before its statement`);
    default: {
      const run = EVALUATE[node.op];
      if (run === undefined) throw new Error(`unknown operation ${node.op}`);
      return run(
        node.args.map((arg) => known.get(arg) as Value),
        node.imm,
      );
    }
  }
}
