// What LLVM's scheduling models say of instructions: llvm-mca -instruction-tables.
import { spawnSync } from 'node:child_process';

/** One instruction in LLVM's words. */
export interface LlvmFacts {
  /** Cycles until the result is there, a load included. */
  readonly latency: number;
  readonly microOps: number;
  /** Cycles of each resource, spread evenly over the units of a group. */
  readonly pressure: ReadonlyMap<string, number>;
}

interface McaJson {
  readonly TargetInfo: { readonly Resources: readonly string[] };
  readonly CodeRegions: readonly {
    readonly Name: string;
    readonly InstructionInfoView: {
      readonly InstructionList: readonly { Latency: number; NumMicroOpcodes: number }[];
    };
    readonly ResourcePressureView: {
      readonly ResourcePressureInfo: readonly {
        InstructionIndex: number;
        ResourceIndex: number;
        ResourceUsage: number;
      }[];
    };
  }[];
}

const TOOL = 'llvm-mca-19';

export function llvmVersion(): string {
  const { stdout } = spawnSync(TOOL, ['--version'], { encoding: 'utf8' });
  return /LLVM version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}

/** For each instruction, in either spelling, its facts; undefined where the model lacks it or LLVM cannot read it. */
export function llvmFacts(
  cpu: string,
  texts: readonly (readonly [string, string])[],
): (LlvmFacts | undefined)[] {
  const facts: (LlvmFacts | undefined)[] = texts.map(() => undefined);
  for (const spelling of [0, 1]) {
    const missing = [...facts.keys()].filter((i) => facts[i] === undefined);
    if (missing.length === 0) break;
    for (const [i, each] of ask(cpu, missing, (at) => texts[at][spelling])) facts[i] = each;
  }
  return facts;
}

/** Every instruction is a region of its own, named by its index, because LLVM leaves out what it does not support. */
function ask(cpu: string, indices: readonly number[], text: (i: number) => string): Map<number, LlvmFacts> {
  const input = indices.map((i) => `# LLVM-MCA-BEGIN ${i}\n${text(i)}\n# LLVM-MCA-END\n`).join('');
  const { stdout, stderr } = spawnSync(
    TOOL,
    [
      `-mcpu=${cpu}`,
      '-mtriple=x86_64-linux-gnu',
      '-instruction-tables',
      '-skip-unsupported-instructions=any',
      '-json',
    ],
    { input, encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  if (!stdout.startsWith('{')) throw new Error(`${TOOL} failed for ${cpu}: ${stderr.slice(-500)}`);
  const { TargetInfo, CodeRegions } = JSON.parse(stdout) as McaJson;
  const names = TargetInfo.Resources.map((name) =>
    name.replaceAll(/[^ -~]/g, (unit) => String(unit.charCodeAt(0))),
  );
  const found = new Map<number, LlvmFacts>();
  for (const { Name, InstructionInfoView, ResourcePressureView } of CodeRegions) {
    const [info] = InstructionInfoView.InstructionList;
    if (info === undefined) continue;
    const usage = ResourcePressureView.ResourcePressureInfo.filter(
      ({ InstructionIndex }) => InstructionIndex === 0,
    );
    const pressure = new Map(
      usage.map(({ ResourceIndex, ResourceUsage }) => [names[ResourceIndex], ResourceUsage]),
    );
    found.set(Number(Name), { latency: info.Latency, microOps: info.NumMicroOpcodes, pressure });
  }
  return found;
}
