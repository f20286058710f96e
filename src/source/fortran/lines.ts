import type { Surroundings } from '../ports.ts';
import { type RawLine, rawLines } from './raw-lines.ts';

/** A statement of Fortran: one line, or several that continue each other, or a part of one. */
export interface Line {
  readonly line: number;
  readonly endLine: number;
  /** It stands in another file, which that line includes. */
  readonly isIncluded: boolean;
  /** The number before it; 0 where there is none. */
  readonly label: number;
  /** In lower case outside of strings, without comments. */
  readonly text: string;
}

/** Continuation lines that are joined; a statement of more is no loop's. */
const MOST_CONTINUED = 5000;

export function linesOf(source: string, form: 'free' | 'fixed', around: Surroundings): readonly Line[] {
  const raw = rawLines(source, around);
  return form === 'free' ? freeLines(raw) : fixedLines(raw);
}

function freeLines(raw: readonly RawLine[]): readonly Line[] {
  const result: Line[] = [];
  let parts: string[] = [];
  let first = 0;
  let last = 0;
  raw.forEach(({ text, line }, i) => {
    const code = withoutComment(text, 'free').trim();
    if (code === '') {
      // Comments may stand between continued lines.
      if (parts.length === 0) return;
      if (i - first < MOST_CONTINUED) return;
    }
    if (parts.length === 0) first = i;
    last = line;
    const start = parts.length > 0 && code.startsWith('&') ? code.slice(1) : code;
    const continues = start.endsWith('&') && parts.length < MOST_CONTINUED;
    parts.push(continues ? start.slice(0, -1) : start);
    if (continues) return;
    emit(parts.join(' '), raw[first], line, result);
    parts = [];
  });
  if (parts.length > 0) emit(parts.join(' '), raw[first], last, result);
  return result;
}

function fixedLines(raw: readonly RawLine[]): readonly Line[] {
  const result: Line[] = [];
  let parts: string[] = [];
  let first = 0;
  let last = 0;
  const flush = (): void => {
    if (parts.length > 0) emit(parts.join(''), raw[first], raw[last].line, result);
    parts = [];
  };
  raw.forEach(({ text: line }, i) => {
    if (/^[cCdD*!]/.test(line) || /^\s*(?:!|$)/.test(line)) return;
    const tab = /^(\d*)\t([1-9])?/.exec(line);
    const isContinued = tab !== null ? tab[2] !== undefined : /^ {5}[^ 0]/.test(line);
    const body = tab !== null ? line.slice(tab[0].length) : line.slice(6, 72);
    const label = tab !== null ? tab[1] : line.slice(0, 5).trim();
    if (isContinued && parts.length > 0 && parts.length < MOST_CONTINUED) parts.push(body);
    else {
      flush();
      first = i;
      parts = [/^\d+$/.test(label) ? `${label} ${body}` : body];
    }
    last = i;
  });
  flush();
  // A comment after the code; its sign may be within a string that goes on over lines.
  return result;
}

/** Splits at `;`, takes the label off. */
function emit(code: string, { line, isIncluded }: RawLine, endLine: number, result: Line[]): void {
  for (const part of split(lowered(withoutComment(code, 'free')))) {
    const [whole, label] = /^\s*(\d+)\s+/.exec(part) ?? ['', ''];
    const text = part.slice(whole.length).trim();
    if (text !== '' || label !== '') result.push({ line, endLine, isIncluded, label: Number(label), text });
  }
}

function withoutComment(text: string, _form: 'free'): string {
  if (!text.includes('!')) return text;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '!') return text.slice(0, i);
  }
  return text;
}

/** Strings are of no use here: their text is blotted out so that nothing in it is taken for code. */
function lowered(text: string): string {
  return text
    .replace(/'[^']*'?|"[^"]*"?/g, (each) => `'${' '.repeat(Math.max(0, each.length - 2))}'`)
    .toLowerCase();
}

const split = (text: string): readonly string[] => (text.includes(';') ? text.split(';') : [text]);
