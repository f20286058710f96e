import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Explanation, explainLoop } from '../../src/analysis/gaps/explain.ts';
import { boundsOfLoop, type LoopKnowledge } from '../../src/analysis/loops/bounds.ts';
import { describeLoops } from '../../src/analysis/loops/describe.ts';
import { findLoops } from '../../src/analysis/loops/find.ts';
import type { MachineLoop } from '../../src/analysis/loops/machine-loop.ts';
import { essentialCounts } from '../../src/analysis/macs/essential.ts';
import { essentialBounds } from '../../src/analysis/macs/essential-bounds.ts';
import { Places } from '../../src/analysis/places.ts';
import { unrollDegree } from '../../src/analysis/run/unroll-degree.ts';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { FunctionNames } from '../../src/elf/names.ts';
import { parseRelocatable } from '../../src/elf/relocatable.ts';
import { readGrammar } from '../../src/host/grammars.ts';
import { imageTools } from '../../src/host/image-tools.ts';
import { builtInMachine } from '../../src/machines/catalog.ts';
import type { LoopBounds, LoopCause } from '../../src/profile/loops.ts';
import { sourceLoops } from '../../src/source/analyse.ts';

export interface ExplainOptions {
  readonly flags: readonly string[];
  readonly machine?: string;
  readonly isa?: IsaLevel;
  /** Without it, the source is taken not to be there. */
  readonly source?: boolean;
  readonly measured?: number;
  readonly entries?: number;
  readonly iterations?: number;
  readonly memory?: LoopKnowledge['memory'];
  /** How often an iteration executes blocks that are neither its first nor its last. */
  readonly rarely?: number;
  /** The share of times that branches inside of the loop are taken. */
  readonly taken?: number;
  /** Whether the function is taken to lie as in the object file. */
  readonly placed?: boolean;
}

export interface Explained extends Explanation {
  readonly loop: MachineLoop;
  readonly bounds: LoopBounds;
  readonly unroll: number;
}

/** Compiles C with gcc and explains the loops of a function, the innermost and hottest kind of code first as it stands. */
export async function explained(text: string, name: string, options: ExplainOptions): Promise<Explained[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-gaps-'));
  try {
    const file = join(directory, 'loop.c');
    writeFileSync(file, text);
    execFileSync('gcc', ['-g', '-c', ...options.flags, '-o', 'loop.o', file], {
      cwd: directory,
      stdio: 'pipe',
    });
    return await explainObject(directory, text, name, options);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function explainObject(
  directory: string,
  text: string,
  name: string,
  {
    machine: machineName = 'skylake',
    isa = 'x86-64',
    source = true,
    measured,
    entries,
    iterations,
    memory,
    rarely,
    taken,
    placed = false,
  }: ExplainOptions,
): Promise<Explained[]> {
  const machine = await builtInMachine(machineName);
  const path = join(directory, 'loop.o');
  const { image, externals } = parseRelocatable(path, new Uint8Array(readFileSync(path)));
  const module = { path, base: 0, start: 0, end: Number.MAX_SAFE_INTEGER };
  const places = new Places([module], [image], directory, imageTools);
  const found = findLoops(
    image,
    externals,
    new FunctionNames(imageTools.demangle),
    (code) => code.name === name,
  );
  const { loops: demands } = await sourceLoops(text, 'c', readGrammar);
  return found.functions
    .flatMap((looped) => describeLoops(looped, found.bytes, found.callees, (address) => `0x${address}`))
    .filter(({ innermost }) => innermost)
    .flatMap((loop): Explained[] => {
      const often = ({ start }: { readonly start: number }): number =>
        start === loop.address || loop.latches.includes(start) ? 1 : (rarely ?? 1);
      const knowledge: LoopKnowledge = {
        isPlaced: placed,
        ...(memory === undefined ? {} : { memory }),
        ...(rarely === undefined && taken === undefined
          ? {}
          : {
              weights: {
                blocks: new Map(loop.blocks.map((block) => [block.start, often(block)])),
                ...(taken === undefined ? {} : { taken: takenOf(loop, taken) }),
              },
            }),
      };
      const cycles = boundsOfLoop(loop, machine, knowledge);
      if (cycles === undefined) return [];
      const lines = loop.blocks.flatMap(({ instructions }) =>
        instructions.flatMap(({ address }) => places.line(address)?.line ?? []),
      );
      const demand = source
        ? demands.find(
            (each) =>
              each.function === name &&
              each.innermost &&
              lines.some((line) => line >= each.line && line <= each.endLine),
          )
        : undefined;
      const { counts, unrolling } = loop;
      const unroll = unrollDegree(
        unrolling,
        counts,
        { entries: 0, iterations: 0 },
        demand && { demand, essential: essentialCounts(demand), isOnly: false },
      ).degree;
      const essential = demand && essentialBounds(demand, machine, { isa });
      const per = (value: number): number => Math.round((value / unroll) * 10_000) / 10_000;
      const bounds: LoopBounds = {
        ...(essential?.M === undefined ? {} : { M: essential.M }),
        ...(essential === undefined ? {} : { MA: essential.MA }),
        MAC: per(cycles.MAC),
        MACS: per(cycles.MACS),
        ...(measured === undefined ? {} : { measured }),
      };
      const result = explainLoop({
        loop,
        knowledge,
        cycles,
        machine,
        isa,
        unroll,
        bounds,
        ...(demand === undefined ? {} : { source: { demand } }),
        line: (address) => places.line(address),
        nameOf: (address) => found.callees.nameOf(address),
        ...(entries === undefined ? {} : { entries }),
        ...(iterations === undefined ? {} : { iterations }),
      });
      return [{ ...result, loop, bounds, unroll }];
    });
}

export const kindsOf = ({ causes }: Explanation): readonly string[] => causes.map(({ kind }) => kind);

export function causeOf({ causes }: Explanation, kind: string): LoopCause | undefined {
  return causes.find((cause) => cause.kind === kind);
}

/** As often for every branch that does not lead back. */
function takenOf({ blocks, latches }: MachineLoop, share: number): ReadonlyMap<number, number> {
  return new Map(
    blocks.flatMap(({ start, instructions }) =>
      latches.includes(start) ? [] : instructions.map(({ address }) => [address, share] as const),
    ),
  );
}
