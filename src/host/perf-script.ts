import type { FileSamples } from '../pipeline/ports.ts';

interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly path: string;
}

interface Samples {
  /** Of all samples in processes that run the program. */
  readonly cycles: number;
  readonly files: ReadonlyMap<string, FileSamples>;
}

/**
 * Reads what `perf script --show-mmap-events -F pid,ip,period` prints, of the processes that run a program, by files:
 *
 *     1886 PERF_RECORD_MMAP2 1886/1886: [0x556860a9a000(0x16000) @ 0x4000 fe:00 260601 0]: r-xp /usr/bin/ls
 *     1886     10007      7f4b25197771
 */
export function readSamples(text: string, program: string): Samples {
  /** What each process that runs the program has mapped; one that does not is a shell before it became one. */
  const processes = new Map<string, Mapping[]>();
  const files = new Map<string, { offset: number; cycles: number }[]>();
  let cycles = 0;
  for (const line of text.split('\n')) {
    const mapped = MAPPED.exec(line);
    if (mapped !== null) {
      const [, process, start, size, offset, path] = mapped;
      if (path === program && !processes.has(process)) processes.set(process, []);
      const from = Number(start);
      processes.get(process)?.push({ start: from, end: from + Number(size), offset: Number(offset), path });
      continue;
    }
    const [, process, period, address] = SAMPLE.exec(line) ?? [];
    const mappings = process === undefined ? undefined : processes.get(process);
    if (mappings === undefined) continue;
    cycles += Number(period);
    const at = Number(`0x${address}`);
    // What was mapped last is what is there.
    const where = mappings.findLast(({ start, end }) => at >= start && at < end);
    if (where === undefined) continue;
    const sample = { offset: at - where.start + where.offset, cycles: Number(period) };
    const known = files.get(where.path);
    if (known === undefined) files.set(where.path, [sample]);
    else known.push(sample);
  }
  return { cycles, files };
}

const MAPPED =
  /^\s*(\d+)\s.*PERF_RECORD_MMAP2? -?\d+\/\d+: \[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) [^\]]*\]: \S+ (.+)$/;
const SAMPLE = /^\s*(\d+)\s+(\d+)\s+([0-9a-f]+)\s*$/;
