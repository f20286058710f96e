import { evaluateCondition } from '../c/condition.ts';

/** A statement of Fortran: one line, or several that continue each other, or a part of one. */
export interface Line {
  readonly line: number;
  readonly endLine: number;
  /** The number before it; 0 where there is none. */
  readonly label: number;
  /** In lower case outside of strings, without comments. */
  readonly text: string;
}

/** Continuation lines that are joined; a statement of more is no loop's. */
const MOST_CONTINUED = 5000;

export function linesOf(source: string, form: 'free' | 'fixed'): readonly Line[] {
  const raw = conditioned(source.split(/\r\n|\n|\r/));
  return form === 'free' ? freeLines(raw) : fixedLines(raw);
}

/** Lines of a preprocessor become empty, as do those that its conditions leave out; no names are defined but the file's. */
function conditioned(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith('#'))) return lines;
  const defined = new Set<string>();
  const open: { active: boolean; done: boolean; readonly outer: boolean }[] = [];
  const isActive = (): boolean => open.length === 0 || (open.at(-1)!.active && open.at(-1)!.outer);
  const holds = (text: string): boolean =>
    (evaluateCondition(
      text,
      (name) => defined.has(name),
      (x) => x,
    ) ?? 0) !== 0;
  return lines.map((line) => {
    if (!line.startsWith('#')) return isActive() ? line : '';
    const [, word = '', rest = ''] = /^#\s*(\w+)\s*(.*)$/.exec(line) ?? [];
    const top = open.at(-1);
    const begin = (value: boolean): void => {
      const outer = isActive();
      open.push({ active: outer && value, done: outer && value, outer });
    };
    const name = /^\w*/.exec(rest)![0];
    if (word === 'if') begin(holds(rest));
    else if (word === 'ifdef') begin(defined.has(name));
    else if (word === 'ifndef') begin(!defined.has(name));
    else if (word === 'else' && top !== undefined) top.active = !top.done;
    else if (word === 'elif' && top !== undefined) {
      top.active = !top.done && holds(rest);
      top.done ||= top.active;
    } else if (word === 'endif') open.pop();
    else if (word === 'define' && isActive()) defined.add(name);
    else if (word === 'undef' && isActive()) defined.delete(name);
    return '';
  });
}

function freeLines(raw: readonly string[]): readonly Line[] {
  const result: Line[] = [];
  let parts: string[] = [];
  let first = 0;
  raw.forEach((each, i) => {
    const code = withoutComment(each, 'free').trim();
    if (code === '') {
      // Comments may stand between continued lines.
      if (parts.length === 0) return;
      if (i - first < MOST_CONTINUED) return;
    }
    if (parts.length === 0) first = i;
    const start = parts.length > 0 && code.startsWith('&') ? code.slice(1) : code;
    const continues = start.endsWith('&') && parts.length < MOST_CONTINUED;
    parts.push(continues ? start.slice(0, -1) : start);
    if (continues) return;
    emit(parts.join(' '), first + 1, i + 1, result);
    parts = [];
  });
  if (parts.length > 0) emit(parts.join(' '), first + 1, raw.length, result);
  return result;
}

function fixedLines(raw: readonly string[]): readonly Line[] {
  const result: Line[] = [];
  let parts: string[] = [];
  let first = 0;
  let last = 0;
  const flush = (): void => {
    if (parts.length > 0) emit(parts.join(''), first + 1, last + 1, result);
    parts = [];
  };
  raw.forEach((line, i) => {
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
function emit(code: string, line: number, endLine: number, result: Line[]): void {
  for (const part of split(lowered(withoutComment(code, 'free')))) {
    const [whole, label] = /^\s*(\d+)\s+/.exec(part) ?? ['', ''];
    const text = part.slice(whole.length).trim();
    if (text !== '' || label !== '') result.push({ line, endLine, label: Number(label), text });
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
