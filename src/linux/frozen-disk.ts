import type { Answer, Disk } from './ports.ts';

/**
 * A disk that answers each question once and then from memory: a run is repeated pass by pass, and must find the same
 * files even when somebody changes them in between.
 */
export function frozenDisk(disk: Disk): Disk {
  return {
    stat: remembered((path) => disk.stat(path)),
    read: remembered((path) => disk.read(path)),
    list: remembered((path) => disk.list(path)),
    readLink: remembered((path) => disk.readLink(path)),
  };
}

function remembered<T>(ask: (path: string) => Answer<T>): (path: string) => Answer<T> {
  const answers = new Map<string, Answer<T>>();
  return (path) => {
    let answer = answers.get(path);
    if (answer === undefined) {
      answer = ask(path);
      answers.set(path, answer);
    }
    return answer;
  };
}
