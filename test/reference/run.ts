import { interpret, type Outcome } from '../../src/ir/interpreter.ts';
import type { Access } from '../../src/ir/node.ts';
import type { CodeReader } from '../../src/x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../src/x86/lift/block.ts';
import { SERVICES } from '../../src/x86/services/index.ts';
import { FPU_TOP, RSP } from '../../src/x86/state.ts';
import { type Call, CallTracker } from './calls.ts';
import { type ByteRange, DataFlowGraph, type Dependences } from './graph.ts';
import type { ReferenceMachine } from './machine.ts';

/** What a system call did, for the graph (rule 8). */
export interface SystemCallEffects extends Dependences {
  /** Memory that is new: nobody has written it. */
  readonly mapped?: readonly ByteRange[];
  /** The program is over. */
  readonly exit?: boolean;
}

export interface ReferenceOptions {
  readonly machine: ReferenceMachine;
  readonly code: CodeReader;
  readonly entry: number;
  /** Function entries, for tail calls. */
  readonly isEntry?: (address: number) => boolean;
  /** Performs the system call in rax. */
  readonly systemCall?: (machine: ReferenceMachine) => SystemCallEffects;
  /** The run also ends where control reaches this address. */
  readonly until?: number;
  /** Most instructions; more are an error. */
  readonly limit?: number;
}

export interface ReferenceRun {
  readonly graph: DataFlowGraph;
  /** The run, with its calls to any depth. */
  readonly run: Call;
}

/** Executes a program one instruction at a time in the interpreter and stores its whole data-flow graph. */
export function referenceRun(options: ReferenceOptions): ReferenceRun {
  const { machine, until, limit = 10_000_000 } = options;
  const graph = new DataFlowGraph();
  const calls = new CallTracker(options.entry, options.isEntry ?? (() => false));
  const lift = lifter(options.code);
  let next: number | undefined = options.entry;
  while (next !== undefined && next !== until) {
    if (graph.length >= limit) throw new Error(`the reference run did not end within ${limit} instructions`);
    next = step(options, lift(next, machine.readI32(FPU_TOP)), graph, calls);
    machine.ticks = BigInt(graph.length);
    calls.retire(rspOf(machine), graph.length);
  }
  return { graph, run: calls.finish(graph.length) };
}

const rspOf = (machine: ReferenceMachine): bigint => BigInt.asUintN(64, machine.readI64(RSP));

/** Lifts single instructions, each once. */
function lifter(code: CodeReader): (address: number, top: number) => LiftedBlock {
  const known = new Map<number, LiftedBlock>();
  return (address, top) => {
    const key = address * 8 + top;
    let block = known.get(key);
    if (block === undefined) {
      block = liftBlock(code, address, { top, limit: 1 });
      known.set(key, block);
    }
    return block;
  };
}

/** Executes one instruction; gives the address of the next one, undefined when the program is over. */
function step(
  options: ReferenceOptions,
  block: LiftedBlock,
  graph: DataFlowGraph,
  calls: CallTracker,
): number | undefined {
  const { machine } = options;
  const { outcome, value } = interpret(block, machine);
  if (outcome.kind === 'service') return serve(options, block, outcome, graph);
  if (outcome.kind === 'fault' || outcome.kind === 'unsupported')
    throw new Error(
      `0x${block.address.toString(16)}: ${outcome.kind} ${outcome.kind === 'fault' ? outcome.fault : outcome.text}`,
    );
  const [instruction] = block.instructions;
  const range = ({ address, size }: Access): ByteRange => ({
    address: Number(BigInt.asUintN(64, value(address) as bigint)),
    length: size,
  });
  graph.append(instruction.address, {
    sources: instruction.sources,
    destinations: instruction.destinations,
    loads: instruction.loads.map(range),
    stores: instruction.stores.map(range),
  });
  if (outcome.kind === 'call') calls.call(outcome.target, rspOf(machine), graph.length);
  else if (outcome.kind === 'jump' && outcome.target !== block.end) calls.jump(outcome.target, graph.length);
  return outcome.target;
}

function serve(
  { machine, systemCall }: ReferenceOptions,
  block: LiftedBlock,
  outcome: Extract<Outcome, { kind: 'service' }>,
  graph: DataFlowGraph,
): number | undefined {
  if (outcome.service === 'syscall') {
    if (systemCall === undefined) throw new Error('the reference run has no system calls');
    const effects = systemCall(machine);
    graph.append(block.address, effects);
    for (const range of effects.mapped ?? []) graph.forget(range);
    return effects.exit === true ? undefined : outcome.next;
  }
  const service = SERVICES.get(outcome.service);
  if (service === undefined) throw new Error(`unknown service ${outcome.service}`);
  graph.append(block.address, service(machine, outcome.argument));
  return outcome.next;
}
