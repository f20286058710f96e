import { Decoder, DecoderError, DecoderOptions, FlowControl, Instruction } from 'iced-x86';
import type { Exceptions } from './lift/context.ts';
import type { ServiceCall } from './lift/row.ts';
import { type Treatment, treatmentOf } from './lift/rows.ts';
import { observesStatus } from './status-use.ts';
import { storesElsewhere } from './stores.ts';

export type { Instruction } from 'iced-x86';

/** What a code scanner needs to know of one instruction, without lifting it. */
export interface Scan {
  readonly address: number;
  readonly length: number;
  readonly flow: Flow;
  /** Of 'jump', 'branch' and 'call'. */
  readonly target: number | undefined;
  /** Touches the x87 or MMX registers: what it means depends on the top of the x87 stack. */
  readonly usesFpu: boolean;
}

export type Flow =
  | 'next'
  | 'jump'
  | 'branch'
  | 'indirect-jump'
  | 'call'
  | 'indirect-call'
  | 'return'
  /** Runs outside generated code; the block ends here, execution goes on after it. */
  | 'service'
  /** Faults, or is not known to us. */
  | 'fault';

/** No instruction is longer (SDM volume 2, 2.3.11). */
export const LONGEST = 15;
/** The smallest page (SDM volume 3, 4.3). */
const PAGE = 4096;
const pageOf = (address: number): number => Math.floor(address / PAGE);

/** Executable bytes from an address on. */
interface Stretch {
  readonly start: number;
  readonly bytes: Uint8Array;
}

const NOWHERE: Stretch = { start: 0, bytes: new Uint8Array(0) };

const covers = ({ start, bytes }: Stretch, address: number, length: number): boolean =>
  address >= start && address + length <= start + bytes.length;

/** What the decoder's WebAssembly keeps for a reader; nobody collects its memory. */
interface Held {
  /** Made with the first decoder: readers of code that an earlier run has decoded need none. */
  instruction: Instruction | undefined;
  /** A decoder copies its bytes, so one serves for all instructions of its stretch. */
  decoder: Decoder | undefined;
}

function release({ instruction, decoder }: Held): void {
  decoder?.free();
  instruction?.free();
}

/** Readers live as long as the code caches that they read for, which end without being told. */
const abandoned = new FinalizationRegistry<Held>(release);

/** Decodes at any address. One instruction object is reused: it is valid until the next call. */
export class CodeReader {
  private readonly fetch: (address: number) => Uint8Array;
  private readonly held: Held = { instruction: undefined, decoder: undefined };
  private decoded = NOWHERE;
  /** The address that the decoder goes on from when it is not told another one. */
  private next = -1;
  /** The page that the decoder's bytes are of, when whoever changes code there says so. */
  private watched = -1;
  readonly exceptions: Exceptions;
  /** What was found of instructions that store them, by address and the code there. */
  private readonly observing = new Map<string, boolean>();
  private readonly observers = new Set<number>();
  /** The last instruction is invalid because executable memory ended within it. */
  ranOut = false;

  /** `fetch` gives 15 or more executable bytes from an address: fewer at the end of executable memory, none outside it. */
  constructor(fetch: (address: number) => Uint8Array, exceptions: Exceptions = ALL_EXCEPTIONS) {
    this.fetch = fetch;
    this.exceptions = exceptions;
    abandoned.register(this, this.held, this.held);
  }

  /** The service that executes an instruction, if one does. */
  serviceOf(instruction: Instruction, { service, storesStatus }: Treatment): ServiceCall | undefined {
    if (storesStatus && !this.exceptions.keepsStatus && this.mayObserve(Number(instruction.ip)))
      return STATUS_OBSERVED;
    return service?.(instruction);
  }

  /** Whether the instruction at an address was executed in one way or the other because of what follows. */
  looksAhead(address: number): boolean {
    return this.observers.has(address);
  }

  private mayObserve(address: number): boolean {
    this.observers.add(address);
    const key = `${address} ${this.bytes(address, COMPARED).join()}`;
    const known = this.observing.get(key);
    if (known !== undefined) return known;
    const found = observesStatus(this.fetch, address);
    this.observing.set(key, found);
    return found;
  }

  /** The instruction at the address, `isInvalid` when there is none. */
  decode(address: number): Instruction {
    const decoder = this.decoderFor(address);
    this.held.instruction ??= new Instruction();
    const { instruction } = this.held;
    if (address !== this.next) {
      decoder.position = address - this.decoded.start;
      decoder.ip = BigInt(address);
    }
    decoder.decodeOut(instruction);
    const { isInvalid } = instruction;
    this.ranOut = isInvalid && decoder.lastError === DecoderError.NoMoreBytes;
    this.next = isInvalid ? -1 : address + instruction.length;
    return instruction;
  }

  private decoderFor(address: number): Decoder {
    const { held } = this;
    if (held.decoder !== undefined && covers(this.decoded, address, LONGEST)) return held.decoder;
    held.decoder?.free();
    this.watched = -1;
    // Of one page where that is enough, for code changes hands by pages.
    const bytes = this.fetch(address);
    const rest = PAGE - (address % PAGE);
    this.decoded = { start: address, bytes: rest < LONGEST ? bytes : bytes.subarray(0, rest) };
    held.decoder = new Decoder(64, this.decoded.bytes, DecoderOptions.None);
    this.next = -1;
    return held.decoder;
  }

  /** Code may have changed since it was last read. */
  forget(): void {
    this.held.decoder?.free();
    this.held.decoder = undefined;
    this.watched = -1;
  }

  /** Whoever changes the code in an address's page calls `forget` from now on. Something there was just decoded. */
  watch(address: number): void {
    const page = pageOf(address);
    const { start, bytes } = this.decoded;
    if (pageOf(start) === page && pageOf(start + bytes.length - 1) === page) this.watched = page;
  }

  /** Whether what is decoded at the address next is what is there now. */
  isCurrent(address: number): boolean {
    return this.held.decoder !== undefined && this.watched === pageOf(address);
  }

  /** Nothing is decoded any more. Sooner than the collector would find out, for readers that live for one question. */
  free(): void {
    abandoned.unregister(this.held);
    release(this.held);
  }

  /** A copy of the bytes at an address; fewer where executable memory ends. */
  bytes(address: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const part = this.fetch(address + done).subarray(0, length - done);
      if (part.length === 0) return bytes.subarray(0, done);
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  /** Whether these bytes, or so many of them from some on, which could be executed, still are at an address and can be. */
  has(address: number, bytes: Uint8Array, from = 0, length = bytes.length): boolean {
    for (let done = 0; done < length; ) {
      const now = this.fetch(address + done);
      const part = Math.min(now.length, length - done);
      if (part === 0) return false;
      for (let i = 0; i < part; i++) if (now[i] !== bytes[from + done + i]) return false;
      done += part;
    }
    return true;
  }

  /** A copy of the bytes at an address of which something was just decoded. */
  decodedBytes(address: number, length: number): Uint8Array {
    const { start, bytes } = this.decoded;
    if (!covers(this.decoded, address, length)) return this.bytes(address, length);
    return bytes.slice(address - start, address - start + length);
  }

  /** Whether the instruction at an address stores elsewhere than on the stack. */
  storesElsewhere(address: number): boolean {
    return storesElsewhere(this.decode(address));
  }

  private flowOf(instruction: Instruction, treatment: Treatment): Flow {
    if (instruction.isInvalid) return 'fault';
    if (this.serviceOf(instruction, treatment) !== undefined) return 'service';
    if (treatment.row === undefined || treatment.alwaysFaults) return 'fault';
    return FLOWS.get(treatment.flowControl) ?? 'next';
  }

  scan(address: number): Scan {
    const instruction = this.decode(address);
    const treatment = treatmentOf(instruction);
    const flow = this.flowOf(instruction, treatment);
    const hasTarget = flow === 'jump' || flow === 'branch' || flow === 'call';
    return {
      address,
      length: instruction.length,
      flow,
      target: hasTarget ? Number(instruction.nearBranchTarget) : undefined,
      usesFpu: treatment.usesFpu,
    };
  }
}

/** Where code can be read. */
export type CodeBytes = Pick<CodeReader, 'bytes'>;

const ALL_EXCEPTIONS: Exceptions = { keepsStatus: true, signalsX87: true };

/** In place of an instruction that stores sticky exception bits which are not kept, and which the program may look at. */
const STATUS_OBSERVED: ServiceCall = { service: 'status-observed', argument: 0 };
/** Bytes of code that tell whether it is what it was. */
const COMPARED = 64;

const FLOWS: ReadonlyMap<FlowControl, Flow> = new Map([
  [FlowControl.UnconditionalBranch, 'jump'],
  [FlowControl.ConditionalBranch, 'branch'],
  [FlowControl.IndirectBranch, 'indirect-jump'],
  [FlowControl.Call, 'call'],
  [FlowControl.IndirectCall, 'indirect-call'],
  [FlowControl.Return, 'return'],
  [FlowControl.Exception, 'fault'],
]);
