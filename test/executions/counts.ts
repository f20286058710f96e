import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Executions, Observation } from '../../src/observation/observation.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { usualHandlers } from '../guest/measuring.ts';
import { commandOf, type ProgramRun } from '../reference/program.ts';

const DISK = frozenDisk(hostDisk());

/** Measures a program and counts its executions. */
export function countsOf(
  program: string,
  args: readonly string[] = [],
  limits: Partial<EngineLimits> = {},
  options: { readonly depth?: number; readonly chains?: readonly string[] } = {},
): Observation & { readonly executions: Executions } {
  const { observation } = observe({
    guest: {
      command: commandOf(program, args),
      isa: 'x86-64',
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output: { stdout: () => {}, stderr: () => {} },
      parseImage,
    },
    hasher: { sha256: () => '' },
    depth: options.depth ?? 3,
    functions: [],
    chains: options.chains ?? [],
    counts: true,
    limits,
    prepared: usualHandlers,
  });
  const { executions } = observation;
  if (executions === undefined) throw new Error('no executions were counted');
  return { ...observation, executions };
}

/** Instructions that the counts speak of, executions of replaced ones included: I. */
export const totalOf = ({ ranges, replaced }: Executions): number =>
  ranges.reduce((sum, { instructions, executions }) => sum + instructions * executions, replaced);

/** What the reference's run says, in the same words as `seenBy`. */
export function seenByReference({ graph, traces }: ProgramRun) {
  const executions = new Map<number, number>();
  const taken = new Map<number, number>();
  const ways = new Map<string, number>();
  for (const { steps, flows, moves } of traces)
    for (const [own, step] of steps.entries()) {
      const address = graph.address(step);
      executions.set(address, (executions.get(address) ?? 0) + 1);
      if (flows[own] === 'jump') taken.set(address, (taken.get(address) ?? 0) + 1);
      if (own + 1 === steps.length) continue;
      const way = `${address} ${moves.get(own)?.interrupted ?? graph.address(steps[own + 1])}`;
      ways.set(way, (ways.get(way) ?? 0) + 1);
    }
  return { executions, taken, ways };
}

/** The first thing in which counts differ from the reference's run. */
export function firstError(run: ProgramRun, counts: Executions): string | undefined {
  const { executions, taken, ways } = seenByReference(run);
  if (totalOf(counts) !== run.graph.length) return `all: ${totalOf(counts)}, not ${run.graph.length}`;
  const seen = new Set<number>();
  for (const { start, end, instructions, executions: times } of counts.ranges) {
    let found = 0;
    for (let address: number = start; address < end; address++) {
      const wanted = executions.get(address);
      if (wanted === undefined || seen.has(address)) continue;
      if (wanted !== times) return `0x${address.toString(16)}: ${times}, not ${wanted}`;
      seen.add(address);
      found++;
    }
    if (found !== instructions) return `0x${start.toString(16)}: ${instructions} instructions, not ${found}`;
  }
  if (seen.size !== executions.size) return `${seen.size} instructions, not ${executions.size}`;
  const branches = new Map<number, number>(counts.branches.map((branch) => [branch.address, branch.taken]));
  for (const { address, executions: times, taken: t } of counts.branches) {
    if (times !== executions.get(address)) return `branch 0x${address.toString(16)} executed ${times}`;
    if (t !== (taken.get(address) ?? 0))
      return `branch 0x${address.toString(16)} taken ${t}, not ${taken.get(address)}`;
  }
  const jumps = new Set<number>(counts.jumps.map(({ address }) => address));
  for (const [address, times] of taken)
    if (times !== executions.get(address) && !branches.has(address) && !jumps.has(address))
      return `branch 0x${address.toString(16)} is missing`;
  for (const { address, targets } of counts.jumps) {
    const sum = targets.reduce((total, target) => total + target.executions, 0);
    if (sum !== executions.get(address)) return `jump 0x${address.toString(16)} went ${sum} times`;
    for (const target of targets)
      if (ways.get(`${address} ${target.address}`) !== target.executions)
        return `jump 0x${address.toString(16)} to 0x${target.address.toString(16)}: ${target.executions}`;
  }
  return undefined;
}
