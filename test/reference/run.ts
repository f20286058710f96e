import type { OwnedStack, StackOwners } from '../../src/emulator/contexts/stacks.ts';
import { interpret, type Outcome } from '../../src/ir/interpreter.ts';
import type { Access, Fault } from '../../src/ir/node.ts';
import type { Value } from '../../src/ir/value.ts';
import { stackSetIn } from '../../src/translate/regions/stack-offsets.ts';
import { type CodeReader, LONGEST } from '../../src/x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../src/x86/lift/block.ts';
import { SERVICES } from '../../src/x86/services/index.ts';
import { FPU_TOP, MXCSR, RSP } from '../../src/x86/state.ts';
import { type ByteRange, DataFlowGraph, type Dependences } from './graph.ts';
import { PageFault, type ReferenceMachine } from './machine.ts';
import type { Flow, Move, Trace } from './trace.ts';

/** What a system call did, for the graph (rule 8). */
export interface SystemCallEffects extends Dependences {
  /** The program is over. */
  readonly exit?: boolean;
  /** The call has not been answered: it is made again later. */
  readonly waits?: boolean;
  /** What signals do once the instruction is in the graph. */
  readonly signals?: () => SignalEffects;
}

/** A signal's handler was entered or left, or the program is over. */
export interface SignalEffects {
  readonly next: number | undefined;
  readonly move: Move;
  /** rsp before a handler was entered, where that is not the one of the instruction. */
  readonly stackPointer?: number;
}

/** An instruction that did not retire. */
export interface RaisedFault {
  readonly fault: Fault | 'page-fault';
  readonly rip: number;
  /** For a page fault. */
  readonly address: bigint;
  readonly isWrite: boolean;
}

export interface ReferenceOptions {
  readonly machine: ReferenceMachine;
  readonly code: CodeReader;
  readonly entry: number;
  /** Performs the system call in rax. */
  readonly systemCall?: (machine: ReferenceMachine, address: number, next: number) => SystemCallEffects;
  /** Whose stack rsp is on, if the guest's runtime tells. */
  readonly stackOwnerAt?: StackOwners | undefined;
  /** What a fault does; without it the run is an error. */
  readonly fault?: (fault: RaisedFault) => SignalEffects;
  /** Who says which thread runs, once there are several. */
  readonly schedule?: Schedule;
  /** What happens between two instructions, if anything does; whether another thread ran before. */
  readonly interrupt?: (next: number, isFresh: boolean) => SignalEffects | undefined;
  /** The graph that the run fills, for those who tell it of new mappings; by default a new one. */
  readonly graph?: DataFlowGraph;
  /** The run also ends where control reaches this address. */
  readonly until?: number;
  /** Most instructions; more are an error. */
  readonly limit?: number;
}

export interface ReferenceRun {
  readonly graph: DataFlowGraph;
  /** Of the first thread. */
  readonly trace: Trace;
  /** Of all threads, in order of creation. */
  readonly traces: readonly Trace[];
}

/** The threads of a run, by index; the first is 0. */
export interface Schedule {
  /** The running thread has retired the instruction at an address and goes on, or waits in the system call there. */
  retired(address: number, next: number): void;
  /** The thread that runs now, which may be another one; undefined when all have ended. */
  running(): number;
  /** Threads that have begun since this was asked last: where each goes on, and its registers. */
  started(): readonly {
    readonly next: number;
    readonly values: readonly Value[];
    readonly stack: Trace['stack'];
  }[];
}

interface Strand {
  readonly trace: {
    steps: number[];
    flows: Flow[];
    stackPointers: number[];
    stackSets: Map<number, number>;
    stackOwners: Map<number, OwnedStack>;
    moves: Map<number, Move>;
    initialStackPointer: number;
    stack: Trace['stack'];
  };
  next: number | undefined;
  values: Value[];
  /** Whether it is in a system call that has not been answered. */
  waits: boolean;
}

/** Executes a program one instruction at a time in the interpreter and stores its whole data-flow graph. */
export function referenceRun(options: ReferenceOptions): ReferenceRun {
  const { machine, until, limit = 10_000_000, graph = new DataFlowGraph(), schedule } = options;
  const strands = [newStrand(options.entry, machine)];
  let index = 0;
  const lift = lifter(options.code);
  for (;;) {
    const strand = strands[index];
    const { trace, next: address } = strand;
    if (address === undefined || address === until) break;
    if (graph.length >= limit) throw new Error(`the reference run did not end within ${limit} instructions`);
    // What the instruction sees of the clock counts itself.
    machine.ticks = BigInt(graph.length + 1);
    const block = lift(address, machine.readI32(FPU_TOP), machine.readI32(MXCSR));
    const before = rspOf(machine);
    const done = attempt(options, block, graph);
    if ('fault' in done) {
      const { fault } = options;
      if (fault === undefined) throw new Error(`0x${done.rip.toString(16)}: ${done.fault}`);
      const after = fault(done);
      trace.moves.set(trace.steps.length - 1, after.move);
      strand.next = after.next;
      continue;
    }
    strand.waits = done.flow === 'waits';
    if (done.flow !== 'waits') {
      trace.steps.push(graph.length - 1);
      trace.flows.push(done.flow);
      const after = done.signals?.();
      const set = stackSetIn(block);
      const rsp = after?.stackPointer ?? rspOf(machine);
      if (set !== undefined || after !== undefined) {
        trace.stackSets.set(trace.steps.length - 1, before + (set ?? 0));
        const owner = options.stackOwnerAt?.(rsp);
        if (owner !== undefined) trace.stackOwners.set(trace.steps.length - 1, owner);
      }
      trace.stackPointers.push(rsp);
      if (after !== undefined) trace.moves.set(trace.steps.length - 1, after.move);
      strand.next = after === undefined ? done.next : after.next;
    }
    if (schedule !== undefined && strand.next !== undefined) {
      schedule.retired(address, strand.next);
      const { values: own } = machine;
      for (const started of schedule.started()) {
        machine.values = [...started.values];
        strands.push(newStrand(started.next, machine, started.stack));
      }
      machine.values = own;
      const running = schedule.running();
      if (running !== index) {
        strand.values = own;
        index = running;
        machine.values = strands[index].values;
        graph.switchThread(index);
      }
    }
    const now = strands[index];
    // What waits hears of signals when its call is made again.
    if (now.waits || now.next === undefined) continue;
    const interrupted = options.interrupt?.(now.next, now !== strand);
    if (interrupted === undefined) continue;
    now.trace.moves.set(now.trace.steps.length - 1, interrupted.move);
    now.next = interrupted.next;
  }
  return { graph, trace: strands[0].trace, traces: strands.map(({ trace }) => trace) };
}

function newStrand(next: number, machine: ReferenceMachine, stack?: Trace['stack']): Strand {
  const trace = {
    steps: [],
    flows: [],
    stackPointers: [],
    stackSets: new Map(),
    stackOwners: new Map(),
    moves: new Map(),
    initialStackPointer: rspOf(machine),
    stack,
  };
  return { trace, next, values: machine.values, waits: false };
}

const rspOf = (machine: ReferenceMachine): number => Number(BigInt.asUintN(64, machine.readI64(RSP)));

/** Lifts single instructions, each once for each mode it runs in, and again where code was written over. */
function lifter(code: CodeReader): (address: number, top: number, mxcsr: number) => LiftedBlock {
  const known = new Map<string, LiftedBlock>();
  return (address, top, mxcsr) => {
    const key = `${address} ${top} ${mxcsr} ${code.bytes(address, LONGEST).join()}`;
    let block = known.get(key);
    if (block === undefined) {
      code.forget();
      block = liftBlock(code, address, { top, mxcsr, limit: 1 });
      known.set(key, block);
    }
    return block;
  };
}

interface Done {
  readonly flow: Flow | 'waits';
  /** Undefined when the program is over. */
  readonly next: number | undefined;
  readonly signals?: () => SignalEffects;
}

/** Executes one instruction, which may fault: then it has not done anything. */
function attempt(options: ReferenceOptions, block: LiftedBlock, graph: DataFlowGraph): Done | RaisedFault {
  const rip = block.address;
  try {
    return step(options, block, graph);
  } catch (problem) {
    if (!(problem instanceof PageFault)) throw problem;
    return { fault: 'page-fault', rip, address: problem.address, isWrite: problem.isWrite };
  }
}

function step(options: ReferenceOptions, block: LiftedBlock, graph: DataFlowGraph): Done | RaisedFault {
  const { machine } = options;
  const { outcome, value } = interpret(block, machine);
  if (outcome.kind === 'service') return serve(options, block, outcome, graph);
  if (outcome.kind === 'fault')
    return { fault: outcome.fault, rip: block.address, address: 0n, isWrite: false };
  if (outcome.kind === 'unsupported')
    throw new Error(`0x${block.address.toString(16)}: unsupported ${outcome.text}`);
  const [instruction] = block.instructions;
  const range = ({ address, size }: Access): ByteRange => ({
    address: Number(BigInt.asUintN(64, value(address) as bigint)),
    length: size,
  });
  const isDone = ({ when }: Access): boolean => when === undefined || value(when) !== 0;
  graph.append(instruction.address, {
    sources: instruction.sources,
    destinations: instruction.destinations,
    loads: instruction.loads.filter(isDone).map(range),
    stores: instruction.stores.filter(isDone).map(range),
  });
  return { flow: flowOf(options.code, block, outcome), next: outcome.target };
}

function flowOf(code: CodeReader, block: LiftedBlock, outcome: Outcome): Flow {
  if (outcome.kind === 'call' || outcome.kind === 'return') return outcome.kind;
  if (outcome.kind !== 'jump') return 'next';
  if (outcome.target !== block.end) return 'jump';
  // Only an unconditional jump can have been taken to the next instruction in a way that anyone could tell.
  return code.scan(block.address).flow === 'jump' ? 'jump' : 'next';
}

function serve(
  { machine, systemCall }: ReferenceOptions,
  block: LiftedBlock,
  outcome: Extract<Outcome, { kind: 'service' }>,
  graph: DataFlowGraph,
): Done {
  if (outcome.service === 'syscall') {
    if (systemCall === undefined) throw new Error('the reference run has no system calls');
    const effects = systemCall(machine, block.address, outcome.next);
    if (effects.waits === true) return { flow: 'waits', next: block.address };
    graph.append(block.address, effects);
    const next = effects.exit === true ? undefined : outcome.next;
    return { flow: 'next', next, ...(effects.signals && { signals: effects.signals }) };
  }
  const service = SERVICES.get(outcome.service);
  if (service === undefined) throw new Error(`unknown service ${outcome.service}`);
  graph.append(block.address, service(machine, outcome.argument));
  return { flow: 'next', next: outcome.next };
}
