// Makes the handlers that lie beside the bundle (src/translate/interpreter/prepared.ts) of the instructions of
// scripts/usual-forms.txt, one encoding a line.

import { measureFor } from '../src/emulator/code/plan-measure.ts';
import {
  firstLanes,
  firstTags,
  type MeasurePlan,
  nextPlan,
  UNMEASURED,
} from '../src/emulator/memory/measure-plan.ts';
import { CodePlaces } from '../src/translate/code-places.ts';
import { prepareHandlers } from '../src/translate/interpreter/prepare.ts';
import { type PreparedHandlers, preparedFor } from '../src/translate/interpreter/prepared.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../src/translate/limits.ts';
import { CodeReader, LONGEST } from '../src/x86/decode.ts';
import { FormReader } from '../src/x86/lift/form.ts';

/** MXCSR as a program finds it (System V ABI, 3.4.1). */
const MXCSR = 0x1f80;

/**
 * What most runs are measured with, by the names of files: programs without and with threads (zstd, OpenMP), with far memory (sbcl) and both (Go),
 * those that look at exceptions of floating point, chains, and processes that are not measured.
 */
function plansFor(limits: EngineLimits): Readonly<Record<string, MeasurePlan>> {
  const lanes = firstLanes(limits);
  const threads = nextPlan(lanes, 'threads', limits);
  const both = nextPlan(threads, 'far memory', limits);
  return {
    lanes,
    'lanes-threads': threads,
    'lanes-far': nextPlan(lanes, 'far memory', limits),
    'lanes-far-threads': both,
    'lanes-status': nextPlan(lanes, 'status', limits),
    tags: firstTags(limits, lanes),
    'tags-threads': firstTags(limits, threads),
    'tags-far-threads': firstTags(limits, both),
    unmeasured: UNMEASURED,
  };
}

/** The files' names and contents. What is known of the forms depends on the kind of the plan only, their handlers on all of it. */
export function preparedFiles(encodings: readonly string[]): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  const index: Record<string, { module: string; forms: string; count: number }> = {};
  for (const [name, plan] of Object.entries(plansFor(ENGINE_LIMITS))) {
    const { bytes, ...known } = prepare(encodings, plan, ENGINE_LIMITS);
    const forms = `forms-of-${plan.kind}`;
    const json = JSON.stringify(known);
    if ((files.get(`${forms}.json`) ?? json) !== json) throw new Error(`${name}: other forms`);
    files.set(`${forms}.json`, json);
    files.set(`${name}.wasm`, bytes);
    index[preparedFor(plan, ENGINE_LIMITS, MXCSR)] = { module: name, forms, count: known.forms.length };
  }
  return files.set('index.json', JSON.stringify(index));
}

/** Those of the files, each made when it is asked for, by their keys. */
export function preparedOnDemand(
  encodings: readonly string[],
  limits: EngineLimits,
): ReadonlyMap<string, () => PreparedHandlers> {
  return new Map(
    Object.values(plansFor(limits)).map((plan) => {
      const make = (): PreparedHandlers => {
        const { bytes, ...known } = prepare(encodings, plan, limits);
        const module = new WebAssembly.Module(bytes);
        return { count: known.forms.length, module: () => module, known: () => known };
      };
      return [preparedFor(plan, limits, MXCSR), make];
    }),
  );
}

/** The numbers of the forms. */
export function formsOf(encodings: readonly string[]): readonly number[] {
  const plan = firstLanes(ENGINE_LIMITS);
  const { code, addresses } = readerOf(encodings, plan);
  const { codes } = prepare(encodings, plan, ENGINE_LIMITS);
  const reader = new FormReader(MXCSR, plan, undefined, () => new Map(codes));
  return addresses.map((address) => {
    const instruction = code.decode(address);
    return reader.keyOf(instruction, reader.infoOf(instruction), 0);
  });
}

function prepare(encodings: readonly string[], plan: MeasurePlan, limits: EngineLimits) {
  const measure = measureFor(plan, new CodePlaces(), limits);
  return prepareHandlers({ ...readerOf(encodings, plan), measure, limits, mxcsr: MXCSR });
}

/** The instructions one behind the other, in memory that is as long. */
function readerOf(encodings: readonly string[], plan: MeasurePlan) {
  const instructions = encodings.map((text) => Buffer.from(text, 'hex'));
  const bytes = Buffer.concat(instructions);
  let next = 0;
  const addresses = instructions.map(({ length }) => {
    next += length;
    return next - length;
  });
  return { code: new CodeReader((at) => bytes.subarray(at, at + 2 * LONGEST), plan), addresses };
}
