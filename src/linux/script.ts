import { fromBytes } from './bytes.ts';
import { fail } from './errno.ts';

/** Bytes of a script that the kernel looks at (BINPRM_BUF_SIZE); zeros follow a shorter one. */
const LOOKED_AT = 256;

/**
 * What follows `#!`: the interpreter, and all the rest as one argument; undefined of what is no script. Throws LinuxError. Step by step as fs/binfmt_script.c has it, which shows
 * in lines without an end: they keep their blanks, and a name that may go on behind what is looked at is none.
 */
export function scriptOf(
  contents: Uint8Array,
): { readonly interpreter: string; readonly argument: readonly string[] } | undefined {
  if (contents[0] !== 0x23 || contents[1] !== 0x21) return undefined;
  const text = fromBytes(contents.subarray(0, LOOKED_AT)).padEnd(LOOKED_AT, '\0');
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  /** The first of these that is no blank, or that ends a word; `to` is among them. */
  const find = (from: number, to: number, holds: (at: number) => boolean): number | undefined => {
    for (let at = from; at <= to; at++) if (holds(at)) return at;
    return undefined;
  };
  const isWord = (at: number): boolean => !isBlank(at);
  const endsWord = (at: number): boolean => isBlank(at) || text[at] === '\0';
  const line = /^[^\0\n]*\n/.exec(text)?.[0];
  let end = line === undefined ? LOOKED_AT - 1 : line.length - 1;
  const first = find(2, end, isWord);
  if (line === undefined && (first === undefined || find(first, end, endsWord) === undefined))
    fail('ENOEXEC');
  while (isBlank(end - 1)) end--;
  if (first === undefined || first >= end) fail('ENOEXEC');
  const behind = find(first, end, endsWord);
  const second = behind === undefined || text[behind] === '\0' ? undefined : find(behind, end, isWord);
  return {
    interpreter: text.slice(first, behind ?? end),
    argument: second === undefined ? [] : [text.slice(second, end).split('\0', 1)[0]],
  };
}
