import type { KnownCode } from '../../x86/lift/form.ts';
import type { EngineLimits } from '../limits.ts';
import type { Field } from './record.ts';
import { COMMON_HANDLERS } from './support.ts';

/** What a decoder must know of a form that a handler executes. */
export interface HandledForm {
  readonly kind: 'handled';
  readonly slot: number;
  readonly fields: readonly Field[];
  readonly size: number;
  readonly ends: boolean;
  readonly topAfter: number;
}

/**
 * Handlers of the forms that most programs meet, made when the tool is built (prepare.ts): making them takes a quarter of
 * the time of the smallest measurement, most of it in code of ours that V8 has not compiled yet. They are what `Handlers`
 * makes when it meets the form, byte for byte.
 */
export interface PreparedHandlers {
  /** Of how many forms there are. */
  readonly count: number;
  /** Fills the slots from PREPARED_SLOT on, in the order of the forms. */
  readonly module: () => WebAssembly.Module;
  /** Asked for when an instruction is decoded: a program that was measured before has none, as a rule. */
  readonly known: () => KnownForms;
}

export interface KnownForms {
  readonly forms: PreparedForms;
  readonly codes: KnownCodes;
}

export const NO_FORMS: KnownForms = { forms: [], codes: [] };

/** Finds those that were made for a key, see `preparedFor`. */
export type HandlerLibrary = (key: string) => PreparedHandlers | undefined;

/** By the number that `FormReader.keyOf` gives the form. */
export type PreparedForms = readonly (readonly [number: number, form: HandledForm])[];
/** By iced's code: what was learned of its instructions when their forms were made. The forms' numbers depend on it. */
export type KnownCodes = readonly (readonly [code: number, known: KnownCode])[];

/** All that a handler's code depends on, but for what somebody asks for in addition. */
export function preparedFor(plan: object, limits: EngineLimits, mxcsr: number): string {
  return JSON.stringify([plan, limits, mxcsr]);
}

/** The first slots are those of the interpreter's own handlers. */
export const PREPARED_SLOT = COMMON_HANDLERS.length;
