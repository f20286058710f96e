/**
 * What went wrong outside our own code, as data: a stable code, the facts, and a sentence.
 * The front end adds the remedy (see cli/ and action/), so that core code stays free of command lines.
 */
export type FailureKind =
  /** The command line asked for something that does not exist. */
  | 'usage'
  /** A file the user wrote (configuration, baseline, profile) is not acceptable. */
  | 'config'
  /** The machine lacks something (a file, a permission, a network answer). */
  | 'environment'
  /** The program could not be run or measured: not an ELF for us, unsupported instruction, fuel spent, crash. */
  | 'guest';

export type Facts = Readonly<Record<string, string | number | readonly string[]>>;

export class Failure extends Error {
  readonly kind: FailureKind;
  /** Stable, kebab-case, documented: scripts may match on it. */
  readonly code: string;
  readonly facts: Facts;

  constructor(kind: FailureKind, code: string, message: string, facts: Facts = {}) {
    super(message);
    this.name = 'Failure';
    this.kind = kind;
    this.code = code;
    this.facts = facts;
  }
}
