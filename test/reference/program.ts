import { mainFunction } from '../../src/elf/main-function.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { stubRanges } from '../../src/elf/plt.ts';
import { type FunctionIndex, functionIndex } from '../../src/elf/symbols.ts';
import { goroutines } from '../../src/emulator/contexts/goroutines.ts';
import { ASKED_REGISTERS } from '../../src/emulator/machine/asked-registers.ts';
import { RT_SIGRETURN } from '../../src/emulator/threads/signals.ts';
import { PAGE_SIZE, SHADOW } from '../../src/guest/layout.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../../src/guest/memory.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { Kernel } from '../../src/linux/kernel.ts';
import { type Command, loadProgram } from '../../src/linux/loader.ts';
import { randomBytes } from '../../src/linux/random.ts';
import type { Module } from '../../src/linux/system.ts';
import { CodeReader } from '../../src/x86/decode.ts';
import { processorFacts } from '../../src/x86/features.ts';
import { readRflags } from '../../src/x86/rflags.ts';
import {
  FPU_CONTROL,
  FS_BASE,
  GPR,
  GS_BASE,
  MXCSR,
  R11,
  RAX,
  RCX,
  RSP,
  SR,
  VARIABLES,
  ZR,
} from '../../src/x86/state.ts';
import type { CodeMap } from './calls.ts';
import { DataFlowGraph } from './graph.ts';
import { type MemoryView, PageFault, ReferenceMachine } from './machine.ts';
import { type ReferenceRun, referenceRun, type SystemCallEffects } from './run.ts';
import { ReferenceSignals } from './signals.ts';
import { ReferenceThreads } from './threads.ts';

/** A finished reference run of an ELF program. */
export interface ProgramRun extends ReferenceRun {
  readonly code: ProgramCode;
  /** Where the call tree begins: main, or the program's entry. */
  readonly root: number;
  /** The ELF entry, which nobody called: code there has no return address. */
  readonly programEntry: number;
  /** By thread: the function that it was started for, and whether its calls are known. */
  readonly roots: ReferenceThreads['roots'];
  readonly status: number;
  readonly stdout: string;
}

const PAGES = SHADOW / 0x1_0000;
/** rdi, rsi, rdx, r10, r8, r9: the kernel's argument registers (psABI A.2.1). */
const ARGUMENTS = [GPR[7], GPR[6], GPR[2], GPR[10], GPR[8], GPR[9]];

/** Loads and runs a program to its end, with the same kernel around it as a measurement has. */
export function runProgram(
  program: string,
  args: readonly string[],
  limit: number,
  graph = new DataFlowGraph(),
  quantum?: number,
): ProgramRun {
  const buffer = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES }).buffer as ArrayBuffer;
  const memory = new GuestMemory(buffer, {
    remap: (start, end) => graph.forget({ address: start, length: end - start }),
    unmapFar: (address) => graph.forget({ address, length: PAGE_SIZE }),
    move: () => {},
  });
  let stdout = '';
  let status = 0;
  /** Otherwise an instruction sees itself counted. */
  let isBetween = false;
  const kernel = new Kernel({
    memory,
    disk: hostDisk(),
    input: emptyInput(),
    output: {
      stdout: (bytes) => {
        stdout += Buffer.from(bytes).toString('latin1');
      },
      stderr: () => {},
    },
    instructions: () => BigInt(graph.length + (isBetween ? 0 : 1)),
    register: (name) => machine.readI64(ASKED_REGISTERS[name]),
    parseImage,
    directory: process.cwd(),
    mentions: [program, ...args],
    processor: BASELINE,
  });
  const loaded = loadProgram(kernel, commandOf(program, args));
  kernel.user.takeWritten();
  const code = new ProgramCode(kernel.modules);
  const machine = new ReferenceMachine(viewOf(memory));
  machine.random = (length) => randomBytes(kernel, length);
  machine.set(RSP, BigInt(loaded.stackPointer));
  // All flags clear: neither zero nor negative.
  machine.set(ZR, 1n);
  machine.set(SR, 1n);
  machine.set(FPU_CONTROL, 0x37f);
  machine.set(MXCSR, 0x1f80);
  const handlers = new ReferenceSignals({ kernel, memory, machine, graph });
  const reader = new CodeReader((address) => fetch(memory, address));
  const threads = new ReferenceThreads({ kernel, machine, graph, code: reader, handlers, quantum });
  const between = <T>(look: () => T): T => {
    isBetween = true;
    try {
      return look();
    } finally {
      isBetween = false;
    }
  };
  const run = referenceRun({
    machine,
    graph,
    code: reader,
    entry: loaded.entry,
    limit,
    stackOwnerAt: goroutines(loaded.modules[0].image, {
      threadBase: () => Number(machine.readI64(FS_BASE)),
      word: (address) =>
        memory.permission(address) & READ
          ? Number(Buffer.from(memory.read(address, 8)).readBigUInt64LE())
          : undefined,
    }),
    fault: (raised) => handlers.fault(raised),
    interrupt: (next, isFresh) =>
      between(() => {
        const effects = handlers.seeTimers(next, isFresh, threads.hasWaiting);
        threads.look();
        return effects;
      }),
    schedule: {
      retired: (address, next) => between(() => threads.retired(address, next)),
      running: () => threads.running(),
      started: () => threads.started(),
    },
    systemCall: (_, address, next) =>
      systemCall({ kernel, machine, handlers, threads }, address, next, (outcome) => {
        if (outcome.kind !== 'exit') throw new Error(`the program ended by a ${outcome.kind}`);
        status = outcome.status;
      }),
  });
  const { base, image } = loaded.modules[0];
  const main = mainFunction(image);
  return {
    ...run,
    code,
    root: main === undefined ? loaded.programEntry : base + main.address,
    programEntry: loaded.programEntry,
    roots: threads.roots,
    status,
    stdout,
  };
}

const BASELINE = processorFacts('x86-64');

/** The command as both runs get it. */
export function commandOf(program: string, args: readonly string[]): Command {
  const { hwcap, hwcap2 } = BASELINE;
  return { program, args, env: {}, hwcap, hwcap2 };
}

function viewOf(memory: GuestMemory): MemoryView {
  return (address, length, write) => {
    const at = Number(BigInt.asUintN(64, address));
    if (!memory.allows(at, length, write ? WRITE : READ))
      throw new PageFault(BigInt.asUintN(64, address), write);
    const offset = memory.offsetOf(at, length);
    if (write)
      for (let page = offset - (offset % 4096); page < offset + length; page += 4096) memory.touch(page);
    return memory.bytes.subarray(offset, offset + length);
  };
}

function fetch(memory: GuestMemory, address: number): Uint8Array {
  let length = 0;
  while (length < 15 && memory.allows(address + length, 1, EXECUTE)) length++;
  return memory.read(address, length);
}

interface Parts {
  readonly kernel: Kernel;
  readonly machine: ReferenceMachine;
  readonly handlers: ReferenceSignals;
  readonly threads: ReferenceThreads;
}

/** Rule 8: reads rax and the prototype's arguments, writes rax, rcx and r11; what the kernel writes is the instruction's. */
function systemCall(
  { kernel, machine, handlers, threads }: Parts,
  address: number,
  next: number,
  end: (outcome: { readonly kind: 'exit'; readonly status: number } | { readonly kind: 'signal' }) => void,
): SystemCallEffects {
  const flags = readRflags(machine);
  const number = Number(BigInt.asIntN(32, machine.readI64(RAX)));
  if (number === RT_SIGRETURN)
    return { sources: at([RAX]), destinations: [], loads: [], stores: [], signals: () => handlers.leave() };
  const outcome = kernel.syscall(
    number,
    ARGUMENTS.map((variable) => machine.readI64(variable)),
    threads.takeWait(),
  );
  if (outcome.kind === 'replaced') throw new Error('the reference runs one program');
  if (outcome.kind === 'wait') {
    threads.called({ kind: 'wait', wait: outcome });
    return { sources: [], destinations: [], loads: [], stores: [], waits: true };
  }
  const sources = [RAX, ...ARGUMENTS.slice(0, outcome.sources)];
  const destinations = [RAX, RCX, R11];
  if (outcome.kind === 'thread-exit') {
    threads.called({ kind: 'exit' });
    return { sources: at(sources), destinations: at(destinations), loads: [], stores: outcome.written };
  }
  if (outcome.kind !== 'return') {
    end(outcome);
    return { sources: at(sources), destinations: at(destinations), loads: [], stores: [], exit: true };
  }
  const restarts = outcome.restarts === true;
  machine.writeI64(RAX, restarts ? BigInt(number) : outcome.result);
  machine.writeI64(RCX, BigInt(next));
  machine.writeI64(R11, flags);
  for (const [variable, value] of [
    [FS_BASE, outcome.fsBase],
    [GS_BASE, outcome.gsBase],
  ] as const) {
    if (value === undefined) continue;
    machine.writeI64(variable, value);
    destinations.push(variable);
  }
  const { delivery, written, started, yields } = outcome;
  threads.called({ kind: 'return', started, yields: yields === true });
  return {
    sources: at(sources),
    destinations: at(destinations),
    loads: [],
    stores: written,
    ...(delivery && { signals: () => handlers.deliver(delivery, restarts ? address : next) }),
  };
}

const at = (variables: readonly number[]): number[] =>
  variables.map((variable) => VARIABLES[variable].location as number);

/** The functions of all mapped files, by guest address. */
export class ProgramCode implements CodeMap {
  private readonly modules: readonly Module[];
  private readonly indexes = new Map<Module, FunctionIndex>();

  constructor(modules: readonly Module[]) {
    this.modules = modules;
  }

  /** Parts that the compiler split off for being cold belong to their function. */
  isEntry(address: number): boolean {
    const symbol = this.look(address, (index, offset) => index.entry(offset));
    return symbol !== undefined && !isColdPart(symbol.name ?? '');
  }

  functionAt(address: number): number | undefined {
    return this.look(address, (index, offset, base) => {
      const symbol = index.covering(offset);
      if (symbol === undefined) return undefined;
      const name = symbol.name ?? '';
      const whole = isColdPart(name) ? index.named(name.replace(COLD, ''))[0] : symbol;
      return whole && whole.address + base;
    });
  }

  isStub(address: number): boolean {
    const module = this.moduleAt(address);
    return module !== undefined && stubRanges(module.image)(address - module.base);
  }

  nameAt(address: number): string | undefined {
    return this.look(address, (index, offset) => index.entry(offset)?.name);
  }

  /** Addresses of a function's entries, whichever of its names is given. */
  named(name: string): number[] {
    return this.modules.flatMap((module) =>
      this.index(module)
        .named(name)
        .map(({ address }) => address + module.base),
    );
  }

  private look<T>(
    address: number,
    ask: (index: FunctionIndex, offset: number, base: number) => T,
  ): T | undefined {
    const module = this.moduleAt(address);
    return module && ask(this.index(module), address - module.base, module.base);
  }

  private moduleAt(address: number): Module | undefined {
    return this.modules.findLast(({ start, end }) => address >= start && address < end);
  }

  private index(module: Module): FunctionIndex {
    let index = this.indexes.get(module);
    if (index === undefined) {
      index = functionIndex(module.image);
      this.indexes.set(module, index);
    }
    return index;
  }
}

const COLD = /\.cold(\.\d+)?$/;
const isColdPart = (name: string): boolean => COLD.test(name);
