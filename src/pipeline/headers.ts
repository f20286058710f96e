import type { ReadHeader } from '../source/ports.ts';

/** Where a compiler that is told nothing else would be pointed to, in the directories above a source. */
const USUAL = ['', 'include', 'inc', 'src'];
const MOST_ABOVE = 8;

/** What of the system's headers matters is known without them. */
const SYSTEM = /^\/usr\/(?:local\/)?include\//;

/**
 * The headers of a source: beside the file that names one, in `include`, and in the directories above the source up to `top`
 * and their `include`, `inc` and `src`. All paths are as `read` takes them, which gives undefined where there is no file.
 */
export function headersOf(
  file: string,
  top: string,
  read: (path: string) => string | undefined,
  include: readonly string[] = [],
): ReadHeader {
  const above = directoriesAbove(file, top);
  const texts = new Map<string, string | undefined>();
  const textOf = (path: string): string | undefined => {
    if (!texts.has(path)) texts.set(path, SYSTEM.test(path) ? undefined : read(path));
    return texts.get(path);
  };
  return ({ name, isQuoted, from }) => {
    if (name.startsWith('/') || name.includes('\0')) return undefined;
    const beside = isQuoted ? [directoryOf(from ?? file)] : [];
    const places = new Set([...beside, ...include, ...above].map((each) => joined(each, name)));
    for (const path of places) {
      const text = textOf(path);
      if (text !== undefined) return { file: path, text };
    }
    return undefined;
  };
}

/** Of `src/a/b.c` up to the top '': `src/a`, `src` and '', each with the usual ones in it. */
function directoriesAbove(file: string, top: string): readonly string[] {
  const result: string[] = [];
  let at = directoryOf(file);
  for (let i = 0; i < MOST_ABOVE; i++) {
    for (const each of USUAL) result.push(joined(at, each));
    if (at === top || at === '' || at === '/') break;
    at = directoryOf(at);
  }
  return result;
}

function directoryOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at > 0 ? path.slice(0, at) : path.slice(0, at + 1);
}

/** Without `.` and `..` as far as they cancel out. */
function joined(directory: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${directory}/${name}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || !directory.startsWith('/')) parts.push(part);
  }
  return `${directory.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
