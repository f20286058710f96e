import { Failure } from '../../src/base/failure.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { CodeSpace } from '../../src/emulator/code/code-space.ts';
import type { Guest } from '../../src/emulator/guest.ts';
import { Outgrown } from '../../src/emulator/memory/measure-plan.ts';
import { Pass } from '../../src/emulator/pass/pass.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Command } from '../../src/linux/loader.ts';
import type { Input } from '../../src/linux/ports.ts';
import type { GuestExit } from '../../src/observation/observation.ts';
import type { MadeRegion } from '../../src/translate/instruments.ts';
import { ENGINE_LIMITS, type EngineLimits, type Optimisation } from '../../src/translate/limits.ts';
import type { Code } from '../regions/dump.ts';
import { type Difference, firstDifference, type Side } from './differences.ts';

export interface LockstepOptions {
  readonly command: Command;
  readonly directory: string;
  readonly input?: Input;
  readonly kind: 'lanes' | 'tags';
  /** Deepest contexts. */
  readonly depth: number;
  /** Of the execution that translates. */
  readonly limits: Partial<EngineLimits>;
  /** Least instructions of the nth slice of that execution. */
  readonly slice: (n: number) => number;
}

/** Two executions agreed at the end of every slice, or the first place where they did not. */
export type Outcome =
  | {
      readonly kind: 'same';
      readonly exit: GuestExit | Failure;
      readonly instructions: number;
      readonly slices: number;
      readonly regions: number;
      readonly stdout: string;
    }
  | {
      readonly kind: 'different';
      readonly difference: Difference;
      /** Instructions executed when the slice began in which it arose, and when the difference was seen. */
      readonly from: number;
      readonly to: number;
      /** Where the slice began. */
      readonly address: number;
      /** The region that began there last. */
      readonly region: MadeRegion | undefined;
      readonly code: Code;
    };

/** All state must be in memory between slices, of dead variables too; every block deserves a region. */
const TRANSLATES: readonly Optimisation[] = ['slices in place', 'dead state', 'cold entries'];

/** One instruction at a time, never translated. */
const INTERPRETS: Partial<EngineLimits> = { hotEntries: 0x7fff_ffff, blockInstructions: 1 };

/** Longer than any run: the execution goes on to the program's end. */
const TO_THE_END = 2 ** 48;

/**
 * Runs a program twice, side by side: in translated code, and in the interpreter alone, one instruction at a time. After
 * each slice of the first the second is brought to the same instruction, and all that either knows is compared. Where they
 * differ, both begin anew and go on in the smallest slices from the last place where they agreed.
 */
export function lockstep(options: LockstepOptions): Outcome {
  const coarse = new Lockstep(options).run(options.slice);
  if (coarse.kind === 'same') return coarse;
  let executed = 0;
  const fine = new Lockstep(options).run((n, now) => {
    executed = now;
    return executed < coarse.from ? options.slice(n) : 0;
  });
  return fine.kind === 'different' ? fine : coarse;
}

const DISK = frozenDisk(hostDisk());

class Lockstep {
  private readonly options: LockstepOptions;
  private readonly spaces: readonly [CodeSpace, CodeSpace];
  private readonly regions = new Map<number, MadeRegion>();

  constructor(options: LockstepOptions) {
    this.options = options;
    const { kind, limits } = options;
    const without = [...new Set([...TRANSLATES, ...(limits.without ?? [])])];
    this.spaces = [
      new CodeSpace(
        [],
        { ...ENGINE_LIMITS, hotEntries: 1, warmEntries: 1, ...limits, without },
        {
          onRegion: (made) => this.regions.set(made.region.entry, made),
        },
      ),
      new CodeSpace([], { ...ENGINE_LIMITS, ...INTERPRETS, without: ['slices in place'] }),
    ];
    if (kind === 'tags') for (const space of this.spaces) space.followChains();
  }

  run(slice: (n: number, executed: number) => number): Outcome {
    for (;;) {
      try {
        return this.runOnce(slice);
      } catch (problem) {
        if (!(problem instanceof Outgrown)) throw problem;
        for (const space of this.spaces) space.outgrow(problem.what);
      }
    }
  }

  private runOnce(slice: (n: number, executed: number) => number): Outcome {
    const output = [new Output(), new Output()];
    const [a, b] = this.spaces.map((space, i): Side => ({ space, pass: this.newPass(space, output[i]) }));
    for (let n = 0; ; n++) {
      const from = a.pass.executed();
      const address = Number(a.pass.next);
      const different = (difference: Difference): Outcome => ({
        kind: 'different',
        difference,
        from,
        to: a.pass.executed(),
        address,
        region: this.regions.get(address),
        code: { read: (at, length) => a.space.guest.bytes.slice(at, at + length) },
      });
      const ended = ending(() => a.pass.slice(slice(n, from)));
      // A slice is over when its instructions and one more are executed.
      const rest = a.pass.executed() - from - 1;
      const other = ending(() => b.pass.slice(ended === undefined ? rest : TO_THE_END));
      const difference =
        differentText('how the program ended', describe(ended), describe(other)) ??
        differentText('what it printed', output[0].text, output[1].text) ??
        // What faults stops in the midst of a block, its state wherever it was.
        (ended !== undefined && (ended instanceof Failure || ended.kind === 'signal')
          ? undefined
          : firstDifference(a, b));
      if (difference !== undefined) return different(difference);
      if (ended !== undefined)
        return {
          kind: 'same',
          exit: ended,
          instructions: b.pass.executed(),
          slices: n + 1,
          regions: this.regions.size,
          stdout: output[1].text,
        };
    }
  }

  private newPass(space: CodeSpace, output: Output): Pass {
    const { command, directory, input, depth } = this.options;
    const guest: Guest = {
      command,
      isa: 'x86-64',
      directory,
      disk: DISK,
      input: input ?? emptyInput(),
      output,
      parseImage,
    };
    return new Pass({ guest, space, named: [], depth, firstDepth: 0 });
  }
}

class Output {
  text = '';
  readonly stdout = (bytes: Uint8Array): void => {
    this.text += Buffer.from(bytes).toString('latin1');
  };
  readonly stderr = this.stdout;
}

/** How a program ended in a slice, if it did. */
function ending(slice: () => GuestExit | undefined): GuestExit | Failure | undefined {
  try {
    return slice();
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  }
}

function describe(ended: GuestExit | Failure | undefined): string {
  if (ended === undefined) return 'it goes on';
  if (ended instanceof Failure) return ended.message;
  return ended.kind === 'exit' ? `exit ${ended.status}` : `signal ${ended.signal} at ${ended.address}`;
}

function differentText(what: string, x: string, y: string): Difference | undefined {
  return x === y ? undefined : { what, values: [x, y] };
}
