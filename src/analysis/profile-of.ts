import type { Image } from '../elf/image.ts';
import type { ImageTools } from '../elf/ports.ts';
import type {
  CallRecord,
  ChainRecord,
  FunctionRecord,
  Observation,
  ObservedModule,
  ProgramRecord,
  ThreadRecord,
} from '../observation/observation.ts';
import {
  type CallProfile,
  type Chain,
  type ChainLink,
  type FunctionProfile,
  type ModuleFingerprint,
  PROFILE_FORMAT,
  PROFILE_VERSION,
  type Profile,
  type ProgramProfile,
  type ThreadProfile,
  type Totals,
} from '../profile/profile.ts';
import { Places } from './places.ts';

export interface ProfileContext {
  readonly target?: string;
  readonly command: readonly string[];
  /** `images[i]` is the file of `observation.modules[i]`; the program is first. */
  readonly images: readonly Image[];
  /** Of `observation.otherModules`. */
  readonly otherImages?: readonly Image[];
  readonly measuresChildren?: boolean;
  /** Absolute: source paths are relative to it. */
  readonly sourceRoot: string;
  readonly imageTools: ImageTools;
  /** Version of this tool, and of the measurement rules. */
  readonly tool: string;
  /** Hears what could not be found out, one sentence each. */
  readonly note: (text: string) => void;
}

/** Version of the measurement rules (order, quantum, every number): another one makes profiles incomparable. */
export const RULES_VERSION = 1;

/** Gives the observation its names and lines. */
export function profileOf(observation: Observation, context: ProfileContext): Profile {
  const places = new Places(observation.modules, context.images, context.sourceRoot, context.imageTools);
  const { run } = observation;
  const profile: Profile = {
    format: PROFILE_FORMAT,
    version: PROFILE_VERSION,
    ...(context.target !== undefined && { target: context.target }),
    command: context.command,
    total: totals(totalOf(observation)),
    ...(observation.processes && {
      processes: observation.processes.slice(0, MOST_PROGRAMS).map(programProfile),
    }),
    ...(observation.threads && {
      threads: observation.threads.map((thread, index) => threadProfile(thread, index, places)),
    }),
    functions: functionProfiles(observation.functions, places),
    calls: callProfiles(run, places),
    chains: observation.chains.map((chain) => chainProfile(chain, places)),
    environment: {
      tool: context.tool,
      rules: RULES_VERSION,
      isa: observation.isa,
      program: fingerprint(observation.modules[0], context.images[0]),
      libraries: observation.modules.slice(1).map((module, i) => fingerprint(module, context.images[i + 1])),
      ...(context.measuresChildren === true && { children: 'measure' as const }),
      ...(observation.otherModules && {
        others: observation.otherModules.map((module, i) => fingerprint(module, context.otherImages![i])),
      }),
      compilers: context.images[0].compilers,
    },
  };
  for (const problem of places.problems()) context.note(problem);
  const unlisted = (observation.processes?.length ?? 0) - MOST_PROGRAMS;
  if (unlisted > 0)
    context.note(`${unlisted} more programs of child processes are in the total but not listed`);
  return profile;
}

/** Of child processes, listed one by one. */
const MOST_PROGRAMS = 1000;

/** I of all programs that count, and the last cycle of any. */
function totalOf({ run, processes }: Observation): { instructions: number; cycles: number } {
  if (processes === undefined) return run;
  return {
    instructions: processes.reduce((sum, { instructions }) => sum + instructions, 0),
    cycles: processes.reduce((most, { cycles }) => Math.max(most, cycles), 0),
  };
}

function programProfile({ program, process, parent, instructions, cycles }: ProgramRecord): ProgramProfile {
  return { program: program.slice(program.lastIndexOf('/') + 1), process, parent, instructions, cycles };
}

function threadProfile(
  { entry, instructions, cycles }: ThreadRecord,
  index: number,
  places: Places,
): ThreadProfile {
  return {
    index,
    ...(entry !== undefined && { function: places.entryName(entry) }),
    instructions,
    ...(cycles !== undefined && { cycles, ilp: ratio(instructions, cycles) }),
  };
}

const ratio = (a: number, b: number): number => (b === 0 ? 0 : Math.round((a / b) * 10_000) / 10_000);

function totals({ instructions, cycles }: { instructions: number; cycles: number }): Totals {
  return { instructions, cycles, ilp: ratio(instructions, cycles) };
}

function functionProfiles(records: readonly FunctionRecord[], places: Places): FunctionProfile[] {
  const profiles = records.map((record): FunctionProfile => {
    const declaration = places.declaration(record.entry);
    return { name: places.entryName(record.entry), ...declaration, calls: record.calls, ...totals(record) };
  });
  // The address order of equals would follow the layout; file and line follow the source.
  const key = (p: FunctionProfile) => `${p.name}\0${p.file ?? ''}\0${String(p.line ?? 0).padStart(9, '0')}`;
  return profiles.sort((a, b) => b.instructions - a.instructions || (key(a) < key(b) ? -1 : 1));
}

/**
 * With a list of what is left to do: a recursive program's calls nest deeper than our own stack. There may be millions of calls,
 * most of which call nothing: names are looked up once for each function, and nothing is spread (a million calls took 4.6e9 host instructions more).
 */
function callProfiles(root: CallRecord, places: Places): CallProfile[] {
  const names = new Map<number, string>();
  const nameOf = (entry: number): string => {
    let name = names.get(entry);
    if (name === undefined) {
      name = places.entryName(entry);
      names.set(entry, name);
    }
    return name;
  };
  const roots: CallProfile[] = [];
  const work: { readonly record: CallRecord; readonly into: CallProfile[] }[] = [
    { record: root, into: roots },
  ];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { record, into } = next;
    record.calls.forEach((call, index) => {
      const { depth, instructions, cycles } = call;
      const isLeaf = call.calls.length === 0 && call.rest.length === 0;
      const calls: CallProfile[] = isLeaf ? NO_CALLS : [];
      const ilp = ratio(instructions, cycles);
      into.push({ function: nameOf(call.entry), depth, index, instructions, cycles, ilp, calls });
      if (!isLeaf) work.push({ record: call, into: calls });
    });
    record.rest.forEach((sums, i) => {
      into.push({
        function: nameOf(sums.entry),
        depth: record.depth + 1,
        index: record.calls.length + i,
        aggregated: sums.calls,
        ...totals(sums),
        calls: NO_CALLS,
      });
    });
  }
  return roots;
}

/** Of all that call nothing. */
const NO_CALLS: CallProfile[] = [];

function chainProfile(chain: ChainRecord, places: Places): Chain {
  const links = chain.links.map(({ address, count }): ChainLink => {
    const name = places.coveringName(address);
    const inlined = places.inlined(address);
    return {
      address: places.address(address),
      instruction: places.instruction(address),
      ...(name !== undefined && { function: name }),
      ...places.line(address),
      ...(inlined.length > 0 && { inlined }),
      count,
      share: ratio(count, chain.length),
    };
  });
  return {
    ...(chain.entry !== undefined && { function: places.entryName(chain.entry), call: chain.callIndex }),
    length: chain.length,
    links,
  };
}

function fingerprint(module: ObservedModule, image: Image): ModuleFingerprint {
  return {
    name: module.path.slice(module.path.lastIndexOf('/') + 1),
    ...(image.buildId !== undefined && { buildId: image.buildId }),
    sha256: module.sha256,
    loaded: module.loadedSha256,
  };
}
