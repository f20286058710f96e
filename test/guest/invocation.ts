import type { IsaLevel } from '../../src/base/isa-level.ts';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';

/** A program to run, on the host or in the emulator. */
export interface Invocation {
  /** Absolute, outside `directory`: both sides then see the same path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Added to PATH and LC_ALL=C. */
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** A file for standard input; absent: empty. */
  readonly stdin?: string;
  /** What CPUID shows; absent: the baseline. */
  readonly isa?: IsaLevel;
  /** Most instructions; the emulator only. */
  readonly fuel?: number;
}

/** What it did. Output is text of one character a byte. */
export interface Result {
  readonly instructions: number;
  /** "exit STATUS" or "signal NUMBER". */
  readonly exit: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** The guest's environment in the emulator's order: by name. */
export function environmentOf(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries({ LC_ALL: 'C', PATH: DEFAULT_PATH, ...env });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}
