import { Decoder, DecoderError, DecoderOptions, FlowControl, Instruction } from 'iced-x86';
import { usesFpu } from './fpu-use.ts';
import { FAULTING, rowOf, serviceOf } from './lift/rows.ts';

export type { Instruction } from 'iced-x86';

/** What a code scanner needs to know of one instruction, without lifting it. */
export interface Scan {
  readonly address: number;
  readonly length: number;
  readonly flow: Flow;
  /** Of 'jump', 'branch' and 'call'. */
  readonly target?: number;
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
const LONGEST = 15;

/** Decodes at any address. One instruction object is reused: it is valid until the next call. */
export class CodeReader {
  private readonly fetch: (address: number) => Uint8Array;
  private readonly instruction = new Instruction();
  /** A decoder copies its bytes, so one serves for all instructions of the stretch [start, end). */
  private decoder: Decoder | undefined;
  private start = 0;
  private end = 0;
  /** The last instruction is invalid because executable memory ended within it. */
  ranOut = false;

  /** `fetch` gives 15 or more executable bytes from an address: fewer at the end of executable memory, none outside it. */
  constructor(fetch: (address: number) => Uint8Array) {
    this.fetch = fetch;
  }

  /** The instruction at the address, `isInvalid` when there is none. */
  decode(address: number): Instruction {
    if (this.decoder === undefined || address < this.start || address + LONGEST > this.end)
      this.open(address);
    const decoder = this.decoder!;
    decoder.position = address - this.start;
    decoder.ip = BigInt(address);
    decoder.decodeOut(this.instruction);
    this.ranOut = decoder.lastError === DecoderError.NoMoreBytes;
    return this.instruction;
  }

  /** Code may have changed since it was last read. */
  forget(): void {
    this.decoder?.free();
    this.decoder = undefined;
  }

  private open(address: number): void {
    this.forget();
    const bytes = this.fetch(address);
    this.decoder = new Decoder(64, bytes, DecoderOptions.None);
    this.start = address;
    this.end = address + bytes.length;
  }

  /** Bytes at an address, for messages. */
  bytes(address: number, length: number): Uint8Array {
    return this.fetch(address).subarray(0, length);
  }

  scan(address: number): Scan {
    const instruction = this.decode(address);
    const flow = flowOf(instruction);
    return {
      address,
      length: instruction.length,
      flow,
      ...((flow === 'jump' || flow === 'branch' || flow === 'call') && {
        target: Number(instruction.nearBranchTarget),
      }),
      usesFpu: usesFpu(instruction),
    };
  }
}

const FLOWS: ReadonlyMap<FlowControl, Flow> = new Map([
  [FlowControl.UnconditionalBranch, 'jump'],
  [FlowControl.ConditionalBranch, 'branch'],
  [FlowControl.IndirectBranch, 'indirect-jump'],
  [FlowControl.Call, 'call'],
  [FlowControl.IndirectCall, 'indirect-call'],
  [FlowControl.Return, 'return'],
  [FlowControl.Exception, 'fault'],
]);

function flowOf(instruction: Instruction): Flow {
  if (instruction.isInvalid) return 'fault';
  if (serviceOf(instruction) !== undefined) return 'service';
  const row = rowOf(instruction);
  if (row === undefined || FAULTING.has(instruction.mnemonic)) return 'fault';
  return FLOWS.get(instruction.flowControl) ?? 'next';
}
