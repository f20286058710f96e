import { Failure } from '../base/failure.ts';

/** A file in a static library. */
export interface ArchiveMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function isArchive(bytes: Uint8Array): boolean {
  return text(bytes, 0, 8) === '!<arch>\n';
}

/**
 * The members of a static library in the common format, with System V's or BSD's long names; without its index of symbols
 * and its table of names. Throws Failure (`guest`, archive-malformed).
 */
export function archiveMembers(path: string, bytes: Uint8Array): readonly ArchiveMember[] {
  const members: ArchiveMember[] = [];
  let names: Uint8Array = new Uint8Array(0);
  let at = 8;
  while (at + HEADER <= bytes.length) {
    const size = Number.parseInt(text(bytes, at + 48, 10), 10);
    const start = at + HEADER;
    if (text(bytes, at + 58, 2) !== '`\n' || !(size >= 0) || start + size > bytes.length)
      throw new Failure(
        'guest',
        'archive-malformed',
        `${path} is a damaged static library: its member at 0x${at.toString(16)} cannot be read.`,
        { path, offset: at },
      );
    const contents = bytes.subarray(start, start + size);
    const name = text(bytes, at, 16).trimEnd();
    if (name === '//') names = contents;
    else if (name !== '/' && name !== '/SYM64/' && !name.startsWith('__.SYMDEF'))
      members.push(member(name, contents, names));
    at = start + size + (size % 2);
  }
  return members;
}

const HEADER = 60;

function member(name: string, contents: Uint8Array, names: Uint8Array): ArchiveMember {
  const long = /^\/(\d+)$/.exec(name);
  if (long !== null) {
    const start = Number(long[1]);
    // No further: a crafted file could have a million members with a name without an end.
    const end = names.subarray(start, start + LONGEST_NAME).indexOf(0x0a);
    const whole = end < 0 ? name : text(names, start, end);
    return { name: whole.replace(/\/$/, ''), bytes: contents };
  }
  const bsd = /^#1\/(\d+)$/.exec(name);
  if (bsd !== null) {
    const length = Number(bsd[1]);
    return { name: text(contents, 0, length).replace(/\0+$/, ''), bytes: contents.subarray(length) };
  }
  return { name: name.replace(/\/$/, ''), bytes: contents };
}

const LONGEST_NAME = 4096;

const text = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + Math.min(length, LONGEST_NAME)));
