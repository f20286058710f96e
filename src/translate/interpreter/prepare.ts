import type { CodeReader } from '../../x86/decode.ts';
import { NO_INSTRUMENTS } from '../instruments.ts';
import { does, type EngineLimits } from '../limits.ts';
import { importSpace } from '../space.ts';
import type { Measure } from '../steps/measure.ts';
import { Handlers } from './handlers.ts';
import { type KnownCodes, PREPARED_SLOT, type PreparedForms } from './prepared.ts';
import { COMMON_HANDLERS, type CommonHandler } from './support.ts';

/** The interpreter's own handlers have the first slots, in their order. */
const FIRST_SLOTS = Object.fromEntries(COMMON_HANDLERS.map((name, slot) => [name, slot])) as Record<
  CommonHandler,
  number
>;

export interface PrepareOptions {
  /** Reads the instructions. */
  readonly code: CodeReader;
  readonly addresses: readonly number[];
  readonly measure: Measure;
  readonly limits: EngineLimits;
  readonly mxcsr: number;
}

/** Makes handlers for the forms of the instructions at addresses, in one module. */
export function prepareHandlers({ code, addresses, measure, limits, mxcsr }: PrepareOptions): {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly forms: PreparedForms;
  readonly codes: KnownCodes;
} {
  let known: KnownCodes = [];
  for (;;) {
    const codes = known;
    let slot = PREPARED_SLOT;
    const handlers = new Handlers({
      code,
      mxcsr,
      measure,
      reserve: () => slot++,
      imports: {},
      importSpace,
      instruments: NO_INSTRUMENTS,
      extras: {
        tallies: false,
        isPrecise: false,
        log: undefined,
        heads: does(limits, 'heads in line') ? FIRST_SLOTS : undefined,
      },
      hints: does(limits, 'branch hints'),
      prepared: { count: 0, known: () => ({ forms: [], codes }) },
    });
    for (const address of addresses) {
      const instruction = code.decode(address);
      handlers.formOf(instruction, handlers.reader.infoOf(instruction), 0);
    }
    const made = handlers.prepared();
    // What rows use besides operands is known only when the code's instructions were lifted; a form's number depends on it.
    if (JSON.stringify(made.codes) === JSON.stringify(known)) return made;
    known = made.codes;
  }
}
