import type { IsaLevel } from '../base/isa-level.ts';
import type { Image } from '../elf/image.ts';
import type { Demangle } from '../elf/ports.ts';
import type { Command } from '../linux/loader.ts';
import type { Disk, Input, Output } from '../linux/ports.ts';

/** The program of a run and everything around it that it can see. */
export interface Guest {
  readonly command: Command;
  /** What the processor shows itself to be. */
  readonly isa: IsaLevel;
  readonly directory: string;
  readonly disk: Disk;
  readonly input: Input;
  readonly output: Output;
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  /** Absent: functions have the names of their symbols. */
  readonly demangle?: Demangle;
  /** Most instructions, if there is a limit. */
  readonly fuel?: number;
  readonly progress?: (instructions: number) => void;
  /** Instructions of a thread's turn, for tests: other than usual they make another run. */
  readonly quantum?: number;
}
