// Makes the handlers that lie beside the bundle (src/translate/interpreter/prepared.ts) of the instructions of
// scripts/usual-forms.txt, one encoding a line.
import { firstLanes } from '../src/emulator/measure-plan.ts';
import { prepareHandlers } from '../src/translate/interpreter/prepare.ts';
import { preparedFor } from '../src/translate/interpreter/prepared.ts';
import { Lanes } from '../src/translate/lanes.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../src/translate/limits.ts';
import { CodeReader, LONGEST } from '../src/x86/decode.ts';
import { FormReader } from '../src/x86/lift/form.ts';

/** MXCSR as a program finds it (System V ABI, 3.4.1). */
const MXCSR = 0x1f80;
/** What most runs are measured with. */
const PLAN = firstLanes(ENGINE_LIMITS);

/** What goes into the two files. */
export function preparedFiles(
  encodings: readonly string[],
  limits: EngineLimits = ENGINE_LIMITS,
): { readonly wasm: Uint8Array<ArrayBuffer>; readonly json: string } {
  const { bytes, ...known } = prepared(readerOf(encodings), limits);
  return { wasm: bytes, json: JSON.stringify({ key: preparedFor(PLAN, limits, MXCSR), ...known }) };
}

/** The numbers of the forms. */
export function formsOf(encodings: readonly string[]): readonly number[] {
  const instructions = readerOf(encodings);
  const { code, addresses } = instructions;
  const reader = new FormReader(MXCSR, PLAN, undefined, new Map(prepared(instructions, ENGINE_LIMITS).codes));
  return addresses.map((address) => {
    const instruction = code.decode(address);
    return reader.keyOf(instruction, reader.infoOf(instruction), 0);
  });
}

function prepared(instructions: ReturnType<typeof readerOf>, limits: EngineLimits) {
  const measure = new Lanes(PLAN.shape, PLAN, limits);
  return prepareHandlers({ ...instructions, measure, limits, mxcsr: MXCSR });
}

/** The instructions one behind the other, in memory that is as long. */
function readerOf(encodings: readonly string[]) {
  const instructions = encodings.map((text) => Buffer.from(text, 'hex'));
  const bytes = Buffer.concat(instructions);
  let next = 0;
  const addresses = instructions.map(({ length }) => {
    next += length;
    return next - length;
  });
  return { code: new CodeReader((at) => bytes.subarray(at, at + 2 * LONGEST), PLAN), addresses };
}
