import type { MeasureProgress, MeasureSinks } from '../pipeline/request.ts';
import { plainName } from '../report/escape.ts';
import { printCount } from '../report/numbers.ts';
import type { Terminal } from './ports.ts';

const ERASE_LINE = '\r\u001b[K';

/**
 * One line on a terminal, redrawn in place; nothing at all in a pipe. The guest may write to the same terminal: the
 * line is taken away before its output, and stays away while the guest has an unfinished line of its own there.
 */
export class ProgressLine {
  private readonly terminal: Terminal;
  /** What is being measured, by target ('' without one), the longest running first. */
  private readonly running = new Map<string, MeasureProgress>();
  private drawn = false;
  private guestLineOpen = false;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  show(state: MeasureProgress & { readonly target?: string }): void {
    this.running.set(state.target ?? '', state);
    this.draw();
  }

  /** The target is not being measured any more. */
  drop(target: string): void {
    this.running.delete(target);
    if (this.running.size === 0) this.clear();
    else this.draw();
  }

  private draw(): void {
    if (!this.terminal.watched || this.guestLineOpen) return;
    const text = [...this.running].map(([target, state]) => describe(target, state)).join('; ');
    this.terminal.stderr(`${ERASE_LINE}${text.slice(0, this.terminal.width - 1)}`);
    this.drawn = true;
  }

  /** Whether what is written next would continue a line of the guest's. */
  get midLine(): boolean {
    return this.guestLineOpen;
  }

  clear(): void {
    if (this.drawn) this.terminal.stderr(ERASE_LINE);
    this.drawn = false;
  }

  /** Sinks that let the guest's output and the line share a terminal. */
  around(write: Pick<MeasureSinks, 'stdout' | 'stderr'>): MeasureSinks {
    const pass = (sink: (bytes: Uint8Array) => void) => (bytes: Uint8Array) => {
      if (bytes.length === 0) return;
      this.clear();
      sink(bytes);
      this.guestLineOpen = bytes[bytes.length - 1] !== 0x0a;
    };
    return {
      stdout: pass((bytes) => write.stdout(bytes)),
      stderr: pass((bytes) => write.stderr(bytes)),
      progress: (state) => this.show(state),
    };
  }
}

function describe(target: string, { phase, pass, passes, instructions }: MeasureProgress): string {
  const about = target === '' ? '' : `${plainName(target)}: `;
  const passWords = passes > 1 ? `, pass ${pass} of ${passes}` : '';
  return `${about}${PHASES[phase]}${passWords}, ${printCount(instructions)} instructions`;
}

const PHASES = {
  counting: 'counting',
  functions: 'measuring functions',
  chains: 'following chains',
  loops: 'sampling loops',
  threads: 'counting for each thread',
} as const;
