import { readFileSync } from 'node:fs';
import type { Image } from '../../src/elf/image.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { traceLoops } from '../../src/emulator/traces.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import { AWAY, type LoopTrace, type TracedAccess, type TraceRequest } from '../../src/observation/trace.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { DataFlowGraph, type Dependences } from '../reference/graph.ts';
import { commandOf, runProgram } from '../reference/program.ts';

const DISK = frozenDisk(hostDisk());

export function tracesOf(
  program: string,
  requests: readonly TraceRequest[],
  limits: Partial<EngineLimits> = {},
  args: readonly string[] = [],
): LoopTrace[] {
  return traceLoops({
    guest: {
      command: commandOf(program, args),
      isa: 'x86-64',
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output: { stdout: () => {}, stderr: () => {} },
      parseImage,
    },
    requests,
    limits,
  });
}

/** Keeps what each step accessed. */
class AccessGraph extends DataFlowGraph {
  readonly accesses: (readonly TracedAccess[])[] = [];

  override append(address: number, dependences: Dependences): void {
    super.append(address, dependences);
    const of = (kind: 'load' | 'store', ranges: Dependences['loads']) =>
      ranges.map(({ address: at, length }) => ({ kind, instruction: address, address: at, size: length }));
    this.accesses.push([...of('load', dependences.loads), ...of('store', dependences.stores)]);
  }
}

export interface NaiveLoop {
  readonly header: number;
  readonly start: number;
  readonly end: number;
}

/** The same samples, cut out of all that the reference's run accessed. */
export class NaiveTraces {
  private readonly graph = new AccessGraph();
  /** Of calls, by step. */
  private readonly depths: readonly number[];
  /** Whether the step jumped. */
  private readonly jumps: readonly boolean[];

  private readonly image: Image;

  constructor(program: string, args: readonly string[] = []) {
    this.image = parseImage(program, readFileSync(program));
    const { trace } = runProgram(program, args, 3_000_000, this.graph);
    this.jumps = trace.flows.map((flow) => flow === 'jump');
    let depth = 0;
    this.depths = trace.flows.map((flow) => {
      const now = depth;
      depth += flow === 'call' ? 1 : flow === 'return' ? -1 : 0;
      return now;
    });
  }

  /** Of the program's code. */
  bytes(start: number, end: number): Uint8Array {
    const { segments, bytes } = this.image;
    const { address, offset } = segments.find(
      (each) => start >= each.address && end <= each.address + each.fileSize,
    )!;
    return bytes.subarray(offset + start - address, offset + end - address);
  }

  /** How often the instruction was executed. */
  executions(address: number): number {
    let count = 0;
    for (let step = 0; step < this.graph.length; step++) if (this.graph.address(step) === address) count++;
    return count;
  }

  /** Loops with one way in, from their first instruction to the last one that jumps back. */
  loops(): NaiveLoop[] {
    const found = new Map<number, number>();
    for (let step = 1; step < this.graph.length; step++) {
      const [latch, header] = [this.graph.address(step - 1), this.graph.address(step)];
      if (this.jumps[step - 1] && header <= latch && latch - header < 400)
        found.set(header, Math.max(latch + 1, found.get(header) ?? 0));
    }
    return [...found].flatMap(([start, end]) => {
      const ways = this.waysInto(start, end);
      return ways.size === 1 ? [{ header: [...ways][0], start, end }] : [];
    });
  }

  /** Where the range is entered, not by calls. */
  private waysInto(start: number, end: number): Set<number> {
    const isWithin = (address: number) => address >= start && address < end;
    const ways = new Set<number>();
    for (let step = 1; step < this.graph.length; step++) {
      const [from, to] = [this.graph.address(step - 1), this.graph.address(step)];
      if (this.depths[step] === this.depths[step - 1] && !isWithin(from) && isWithin(to)) ways.add(to);
    }
    return ways;
  }

  /** Name of the function that an address is in. */
  functionAt(address: number): string | undefined {
    return this.image.functions.find((each) => address >= each.address && address < each.address + each.size)
      ?.name;
  }

  trace({ header, body, occurrences, iterations, instructions }: TraceRequest): LoopTrace {
    const { graph, depths } = this;
    const isWithin = (address: number) => body.some(({ start, end }) => address >= start && address < end);
    const heads: number[] = [];
    for (let step = 0; step < graph.length; step++) if (graph.address(step) === header) heads.push(step);
    const samples: LoopTrace['samples'][number][] = [];
    let after = 0;
    for (const occurrence of occurrences) {
      if (occurrence < after || occurrence >= heads.length) continue;
      const first = heads[occurrence];
      const made: { entered: boolean; accesses: TracedAccess[] }[] = [];
      let depth = depths[first];
      let away = 0;
      let hasLeft = false;
      let end = first;
      for (; end < graph.length; end++) {
        hasLeft ||= depths[end] <= depth && !isWithin(graph.address(end));
        // The same loop in a call from within it is none of its iterations.
        const isInner = depths[end] > depth;
        if (graph.address(end) === header && !isInner) {
          if (made.length === iterations) break;
          depth = depths[end];
          away = 0;
          hasLeft = false;
          made.push({ entered: end > first && !isWithin(graph.address(end - 1)), accesses: [] });
        }
        if (hasLeft && ++away > AWAY) break;
        if (isWithin(graph.address(end)) && !isInner) made.at(-1)!.accesses.push(...graph.accesses[end]);
        if (end - first + 1 > instructions) {
          if (made.length > 1 && !hasLeft) made.pop();
          break;
        }
      }
      after = heads.filter((head) => head < end).length;
      samples.push({ occurrence, iterations: made });
    }
    return { header, samples };
  }
}
