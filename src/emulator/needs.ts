import type { Outgrown } from './memory/measure-plan.ts';
import type { CodeStore } from './ports.ts';

type Lack = Outgrown['what'];

/**
 * What does not depend on how much the guest does, so that another run of the command is as good as sure to need it; a run that does not takes
 * some more time. Where faults are is more than a word.
 */
const LASTING: readonly Lack[] = [
  'threads',
  'far memory',
  'far memory and threads',
  'status',
  'x87 exceptions',
];

/**
 * Room, which depends on how much the guest does: a run that does as much as the last one is as good as sure to need it, too. One that does not
 * takes a pass for fewer contexts, so the next one is to find out again.
 */
const ROOM: readonly Lack[] = ['cycles', 'addresses', 'bytes'];

/** Runs do as much where the numbers of their instructions differ by so small a part. */
const AS_MUCH = 1 / 64;

/**
 * What passes of a command have found too little of, kept for its later runs: these begin with it, instead of anew when they come
 * to it. Numbers are the same either way.
 */
export class Needs {
  /** Of earlier runs; of room as much as they found too little of, in that order. */
  readonly known: readonly Lack[];
  private readonly store: CodeStore;
  private readonly command: string;
  private readonly lasting: Set<Lack>;
  /** What room earlier runs needed, and the instructions of the one that was the last to say so; not a number where none did. */
  private readonly knownRoom: readonly Lack[];
  private readonly knownExecuted: number;
  /** What room this run has found too little of. */
  private readonly foundRoom: Lack[] = [];

  constructor(store: CodeStore, command: string) {
    this.store = store;
    this.command = command;
    const notes = store.findNotes(command);
    this.lasting = new Set(LASTING.filter((lack) => notes.includes(lack)));
    const room = notes.map((note) => note.split(' ')).filter(([what]) => ROOM.includes(what as Lack));
    this.knownRoom = room.map(([what]) => what as Lack);
    this.knownExecuted = Number(room[0]?.[1]);
    this.known = [...this.lasting, ...this.knownRoom];
  }

  /** A pass has found too little of something. */
  note(lack: Lack): void {
    if (ROOM.includes(lack)) this.foundRoom.push(lack);
    if (!LASTING.includes(lack) || this.lasting.has(lack)) return;
    this.lasting.add(lack);
    this.keep(this.knownRoom, this.knownExecuted);
  }

  /** The run had so many instructions. */
  settle(executed: number): void {
    const { knownRoom, knownExecuted, foundRoom } = this;
    // Whoever needs more than was known needs that as well.
    if (foundRoom.length > 0) return this.keep([...knownRoom, ...foundRoom], executed);
    const didAsMuch = Math.abs(executed - knownExecuted) <= knownExecuted * AS_MUCH;
    if (knownRoom.length > 0 && !didAsMuch) this.keep([], executed);
  }

  private keep(room: readonly Lack[], executed: number): void {
    this.store.keepNotes(this.command, [...this.lasting, ...room.map((what) => `${what} ${executed}`)]);
  }
}
