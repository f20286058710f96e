import type { Answer, Disk } from './ports.ts';

export interface FrozenDisk extends Disk {
  /** What was asked so far, and what was answered: a file's bytes, or in words. */
  told(): Iterable<readonly [question: string, answer: Uint8Array]>;
  /** A file that is not what it was for sure any more; undefined where all are. */
  changed(): string | undefined;
}

/**
 * A disk that answers each question once and then from memory: a run is repeated pass by pass, and must find the same
 * files even when somebody changes them in between.
 */
export function frozenDisk(disk: Disk): FrozenDisk {
  const stat = new Remembered((path) => disk.stat(path));
  const read = new Remembered((path) => disk.read(path));
  const list = new Remembered((path) => disk.list(path));
  const readLink = new Remembered((path) => disk.readLink(path));
  return {
    stat: (path) => stat.answer(path),
    read: (path) => read.answer(path),
    list: (path) => list.answer(path),
    readLink: (path) => readLink.answer(path),
    copy: (bytes, room) => disk.copy(bytes, room),
    noteTaken: (bytes) => disk.noteTaken(bytes),
    hasChanged: (bytes) => disk.hasChanged(bytes),
    changed: () => {
      for (const [path, answer] of read.given())
        if ('value' in answer && disk.hasChanged(answer.value)) return path;
      return undefined;
    },
    *told() {
      for (const [kind, questions] of Object.entries({ stat, read, list, readLink }))
        for (const [path, answer] of questions.told()) yield [`${kind} ${path}`, answer];
    },
  };
}

class Remembered<T> {
  private readonly ask: (path: string) => Answer<T>;
  private readonly answers = new Map<string, Answer<T>>();

  constructor(ask: (path: string) => Answer<T>) {
    this.ask = ask;
  }

  answer(path: string): Answer<T> {
    let answer = this.answers.get(path);
    if (answer === undefined) {
      answer = this.ask(path);
      this.answers.set(path, answer);
    }
    return answer;
  }

  given(): Iterable<readonly [path: string, answer: Answer<T>]> {
    return this.answers;
  }

  *told(): Iterable<readonly [path: string, answer: Uint8Array]> {
    for (const [path, answer] of this.answers) {
      const isContent = 'value' in answer && answer.value instanceof Uint8Array;
      yield [path, isContent ? answer.value : new TextEncoder().encode(JSON.stringify(answer))];
    }
  }
}
