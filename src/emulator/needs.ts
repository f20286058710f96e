import type { Outgrown } from './memory/measure-plan.ts';
import type { CodeStore } from './ports.ts';

type Lack = Outgrown['what'];

/**
 * What does not depend on how much the guest does, so that another run of the command is as good as sure to need it; a run that does not takes
 * some more time. Room for cycles, addresses and bytes does, with the input, and where faults are is more than a word.
 */
const LASTING: readonly Lack[] = [
  'threads',
  'far memory',
  'far memory and threads',
  'status',
  'x87 exceptions',
];

/**
 * What passes of a command have found too little of, kept for its later runs: these begin with it, instead of anew when they come
 * to it. Numbers are the same either way.
 */
export class Needs {
  /** Of earlier runs. */
  readonly known: readonly Lack[];
  private readonly store: CodeStore;
  private readonly command: string;
  private readonly all: Set<Lack>;

  constructor(store: CodeStore, command: string) {
    this.store = store;
    this.command = command;
    const notes = store.findNotes(command);
    this.known = LASTING.filter((lack) => notes.includes(lack));
    this.all = new Set(this.known);
  }

  /** A pass has found too little of something. */
  note(lack: Lack): void {
    if (!LASTING.includes(lack) || this.all.has(lack)) return;
    this.all.add(lack);
    this.store.keepNotes(this.command, [...this.all]);
  }
}
