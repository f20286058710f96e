import { GuestFault } from '../../../src/emulator/machine/fault.ts';
import { ServiceFault } from '../../../src/x86/service.ts';
import { SERVICES } from '../../../src/x86/services/index.ts';
import { isTrap, SIGNALS } from '../native/emulated.ts';
import { HandlerRunner, Stopped } from '../native/handled.ts';
import type { NativeCase } from '../native/runner.ts';
import {
  CODE_ADDRESS,
  DATA_ADDRESS,
  DATA_MARGIN,
  DATA_SIZE,
  FX_MXCSR,
  type State,
  TAKEN_ADDRESS,
} from '../native/state.ts';
import { loadState, MXCSR_STICKY, savedState } from '../native/transfer.ts';

/** The two ways in which the emulator executes code. */
export const TIERS = ['interpreter', 'regions'] as const;
export type Tier = (typeof TIERS)[number];

const LIMITS = {
  interpreter: { blockInstructions: 1, hotEntries: 0x7fff_ffff },
  // Every block becomes a region when control first comes to it.
  regions: { hotEntries: 1, warmEntries: 0, without: ['cold entries'] },
} as const;

/** Behind a case's code and where its branches go: a system call, before which the engine has all state in memory. */
const END = Uint8Array.of(0x0f, 0x05);

/** Control got to an END. */
class Left extends Error {
  readonly at: number;

  constructor(at: number) {
    super('the case is over');
    this.at = at;
  }
}

/** More than any case has, so that the slice does not end before the case. */
const FUEL = 1000;
const SIGSEGV = 11;
/** Cases after which everything that was made is thrown away: what the engine keeps of code that was replaced adds up. */
const LIFETIME = 4000;

export type Outcome = State | { readonly unsupported: string };

/** One tier of the emulator, with everything that belongs to it. */
export class Engine {
  private readonly tier: Tier;
  /** By whether sticky exceptions are kept: each can hold code for so many modes. */
  private readonly runners = new Map<boolean, HandlerRunner>();
  private codes = 0;

  constructor(tier: Tier) {
    this.tier = tier;
  }

  private runnerFor(keepsStatus: boolean): HandlerRunner {
    const known = this.runners.get(keepsStatus);
    if (known !== undefined) return known;
    const runner = new HandlerRunner({
      limits: LIMITS[this.tier],
      serve: (machine, { service, argument, address }) => {
        if (service === 'syscall') throw new Left(address);
        try {
          SERVICES.get(service)?.(machine, argument);
        } catch (problem) {
          if (problem instanceof ServiceFault) throw new Stopped(problem.fault, address);
          throw problem instanceof GuestFault ? new Stopped('page-fault') : problem;
        }
      },
    });
    this.runners.set(keepsStatus, runner);
    return runner;
  }

  /** Runs one code on several states. */
  run(code: Uint8Array, befores: readonly State[], keepsStatus: boolean): Outcome[] {
    if (++this.codes % LIFETIME === 0) this.runners.clear();
    this.runnerFor(keepsStatus).place(code, [
      [CODE_ADDRESS + code.length, END],
      [TAKEN_ADDRESS, END],
    ]);
    return befores.map((before) => this.runOne({ code, before }, keepsStatus));
  }

  private runOne({ code, before }: NativeCase, keepsStatus: boolean): Outcome {
    const runner = this.runnerFor(keepsStatus);
    const { machine, guest } = runner;
    loadState(machine, before);
    guest.bytes.fill(0, DATA_ADDRESS - DATA_MARGIN, DATA_ADDRESS + DATA_SIZE + DATA_MARGIN);
    guest.bytes.set(before.data, DATA_ADDRESS);
    const mxcsr = before.fx.getUint32(FX_MXCSR, true) & ~MXCSR_STICKY;
    const saved = () => {
      const state = savedState(machine);
      state.data.set(guest.bytes.subarray(DATA_ADDRESS, DATA_ADDRESS + DATA_SIZE));
      return state;
    };
    try {
      return finished(runner.dispatch(mxcsr, FUEL, keepsStatus), saved());
    } catch (problem) {
      if (problem instanceof Left) return finished(problem.at, saved());
      if (!(problem instanceof Stopped)) throw problem;
      const { fault, at } = problem;
      if (fault === 'unsupported') return { unsupported: String(at) };
      if (fault === 'service') throw new Error('a service that is run stopped');
      const after = saved();
      after.signal = fault === 'page-fault' ? SIGSEGV : SIGNALS[fault];
      // A trap is reported after the instruction.
      after.rip = BigInt(at === '' ? CODE_ADDRESS : isTrap(fault) ? CODE_ADDRESS + code.length : at);
      return after;
    }
  }
}

/** The state where control came to an address outside the case. */
function finished(at: number, after: State): State {
  after.taken = at === TAKEN_ADDRESS;
  return after;
}
