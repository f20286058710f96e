import { type Facts, Failure, type FailureKind } from '../base/failure.ts';
import type { HelpAnswer, HelpJob, MeasureQuietly, QuietMeasurement } from '../pipeline/ports.ts';

export type Request = Parameters<MeasureQuietly>[0];
export type Progress = Parameters<NonNullable<Parameters<MeasureQuietly>[1]>>[0];

/** An argument of a measuring process: it may use code that is kept, as it may not for the action (kept/compile-cache.ts). */
export const KEEPS_CODE = 'keeps-code';

/** What a measuring process is told. Messages are plain data: they are copied from process to process. */
export type Job = {
  /** The process that asks. */
  readonly parent: number;
} & (
  | {
      readonly kind: 'measure';
      readonly request: Request;
      /** Whether anybody wants to hear of progress. */
      readonly watched: boolean;
    }
  | { readonly kind: 'help'; readonly help: HelpJob }
);

/** What it answers: progress any number of times, then one of the others. */
export type Answer =
  | { readonly kind: 'progress'; readonly state: Progress }
  | { readonly kind: 'measured'; readonly measurement: QuietMeasurement }
  | { readonly kind: 'helped'; readonly answer: HelpAnswer }
  | { readonly kind: 'failed'; readonly failure: PlainFailure }
  /** A mistake of our own, with its stack. */
  | { readonly kind: 'mistake'; readonly text: string };

/** A Failure loses its class on the way. */
export interface PlainFailure {
  readonly kind: FailureKind;
  readonly code: string;
  readonly message: string;
  readonly facts: Facts;
}

export function toPlain({ kind, code, message, facts }: Failure): PlainFailure {
  return { kind, code, message, facts };
}

export function fromPlain({ kind, code, message, facts }: PlainFailure): Failure {
  return new Failure(kind, code, message, facts);
}
