import { Headers, isBalanced } from '../headers.ts';
import type { ReadHeader, Surroundings } from '../ports.ts';
import { evaluateCondition } from './condition.ts';

/**
 * A preprocessor that keeps every line where it is: macros are expanded and conditions decided, so that the parser sees plain
 * C. What a header says stands in the line that includes it. What one that cannot be read defines is unknown: in a condition it
 * is 0, as in C.
 */
export interface Preprocessed {
  readonly text: string;
  /** Lines that hold what headers say. */
  readonly included: ReadonlySet<number>;
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

interface Macro {
  /** Undefined for one without parentheses. */
  readonly parameters: readonly string[] | undefined;
  readonly body: readonly string[];
}

/** What compilers add to the language and what does not matter here. */
const COMPILER_WORDS = `
#define __restrict
#define __restrict__
#define __extension__
#define __inline inline
#define __inline__ inline
#define __forceinline inline
#define __volatile__ volatile
#define __const const
#define __signed__ signed
#define __attribute__(x)
#define __declspec(x)
#define _Pragma(x)
#define __builtin_expect(x,y) (x)
#define __builtin_assume_aligned(p,...) (p)
#define __asm__ asm
#define __x86_64__ 1
#define __amd64__ 1
#define __LP64__ 1
#define _LP64 1
#define __linux__ 1
#define __unix__ 1
#define __STDC__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __CHAR_BIT__ 8
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ 1234
`;

const TOKEN =
  /[A-Za-z_$][\w$]*|\.?\d(?:[\w.']|[eEpP][+-])*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\S\n]+|##|[\s\S]/gy;
const WORD = /^[A-Za-z_$]/;

/** Expansions may not make more of a file than this many tokens for each of its own, with a base for small files. */
const MOST_GROWTH = 8;
const LEAST_BUDGET = 200_000;
const DEEPEST = 64;

export function preprocess(source: string, cpp: boolean, around: Surroundings): Preprocessed {
  const state = new Preprocessor(source.length, around.readHeader);
  for (const line of COMPILER_WORDS.split('\n')) if (line !== '') state.define(line.slice('#define '.length));
  state.define(cpp ? '__cplusplus 202002L' : '__STDC_VERSION__ 201710L');
  for (const each of around.defines) state.define(each);
  return state.run(withoutComments(source));
}

class Preprocessor {
  private readonly macros = new Map<string, Macro>();
  private readonly problems: { line: number; why: string }[] = [];
  private readonly headers: Headers;
  private readonly included = new Set<number>();
  private out: string[] = [];
  /** For each open `#if`: whether its lines count now, and whether a part of it did already. */
  private readonly conditions: { active: boolean; done: boolean; readonly outer: boolean }[] = [];
  private budget: number;
  private line = 1;
  private exhausted = false;

  constructor(size: number, readHeader: ReadHeader) {
    this.budget = LEAST_BUDGET + MOST_GROWTH * size;
    this.headers = new Headers(readHeader);
  }

  run(source: string): Preprocessed {
    this.file(source);
    return { text: this.out.join(''), included: this.included, problems: this.problems };
  }

  private file(source: string): void {
    let text: string[] = [];
    let at = 0;
    let first = 1;
    let line = 1;
    const flush = (): void => {
      if (text.length > 0) {
        if (!this.headers.isInside()) this.line = first;
        this.expandText(text.join(''));
      }
      text = [];
    };
    while (at < source.length) {
      let end = endOfLine(source, at);
      const isDirective = /^[^\S\n]*#/.test(source.slice(at, Math.min(end, at + 200)));
      if (!isDirective) {
        const whole = source.slice(at, end + 1);
        if (this.active()) {
          if (text.length === 0) first = line;
          text.push(whole);
        } else this.out.push(whole.endsWith('\n') ? '\n' : '');
        line++;
        at = end + 1;
        continue;
      }
      const lines: string[] = [];
      for (;;) {
        const part = source.slice(at, end);
        at = end + 1;
        if (!/\\[^\S\n]*$/.test(part.slice(-80)) || at >= source.length) {
          lines.push(part);
          break;
        }
        lines.push(part.replace(/\\[^\S\n]*$/, ' '));
        end = endOfLine(source, at);
      }
      flush();
      if (!this.headers.isInside()) this.line = line;
      this.directive(lines.join('').trim().slice(1).trim());
      this.out.push('\n'.repeat(lines.length));
      line += lines.length;
    }
    flush();
  }

  /** What the header says, in one line: the parser's lines stay those of the source. */
  private include(text: string): void {
    if (!this.active()) return;
    const header = this.headers.open(/^[<"]/.test(text) ? text : this.expanded(text).trim());
    if (header === undefined) return;
    const { out, line } = this;
    const depth = this.conditions.length;
    this.budget += MOST_GROWTH * header.text.length;
    this.out = [];
    this.file(withoutComments(header.text));
    this.headers.close();
    this.conditions.length = Math.min(depth, this.conditions.length);
    const said = this.out
      .join('')
      .replace(/\\?\s+/g, ' ')
      .trim();
    this.out = out;
    this.line = line;
    // What ends in another header, such as `extern "C" {`, would take the rest of the file along.
    if (said === '' || !isBalanced(said)) return;
    this.out.push(said);
    this.included.add(line);
  }

  define(text: string): void {
    const match = /^([A-Za-z_$][\w$]*)(\(([^()]*)\))?/.exec(text);
    if (match === null) return;
    const [head, name, parentheses, list] = match;
    const parameters =
      parentheses === undefined
        ? undefined
        : list
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== '');
    const body = tokens(text.slice(head.length).trim());
    this.macros.set(name, { parameters, body });
  }

  private active(): boolean {
    const top = this.conditions.at(-1);
    return top === undefined || (top.active && top.outer);
  }

  private directive(text: string): void {
    const [, name = '', rest = ''] = /^([a-z_]+)\b\s*([\s\S]*)$/.exec(text) ?? [];
    const top = this.conditions.at(-1);
    switch (name) {
      case 'if':
        return this.open(() => this.holds(rest));
      case 'ifdef':
        return this.open(() => this.macros.has(rest.trim()));
      case 'ifndef':
        return this.open(() => !this.macros.has(rest.trim()));
      case 'elif':
        if (top !== undefined) {
          top.active = false;
          top.active = !top.done && top.outer && this.holds(rest);
          top.done ||= top.active;
        }
        return;
      case 'else':
        if (top !== undefined) {
          top.active = !top.done;
          top.done = true;
        }
        return;
      case 'endif':
        this.conditions.pop();
        return;
      case 'define':
        if (this.active()) this.define(rest);
        return;
      case 'undef':
        if (this.active()) this.macros.delete(rest.trim());
        return;
      case 'include':
      case 'include_next':
        return this.include(rest.trim());
      case 'pragma':
        if (rest.trim() === 'once' && this.active()) this.headers.once();
        return;
    }
  }

  private open(holds: () => boolean): void {
    const outer = this.active();
    const active = outer && holds();
    this.conditions.push({ active, done: active, outer });
  }

  private holds(text: string): boolean {
    const value = evaluateCondition(
      text,
      (name) => this.macros.has(name),
      (plain) => this.expanded(plain),
    );
    if (value === undefined) this.problem('this #if was not understood and counts as false');
    return value !== undefined && value !== 0;
  }

  /** Of a header nothing is said: what is missing is told where it is used. */
  private problem(why: string): void {
    if (!this.headers.isInside()) this.problems.push({ line: this.line, why });
  }

  private expanded(text: string): string {
    const result: string[] = [];
    this.expand(tokens(text), result, new Set(), 0);
    return result.join('');
  }

  private expandText(text: string): void {
    this.expand(tokens(text), this.out, NOTHING, 0);
  }

  /** Appends `input` with its macros expanded. Lines within the arguments of a macro come after what it stands for. */
  private expand(input: readonly string[], out: string[], hidden: ReadonlySet<string>, depth: number): void {
    for (let i = 0; i < input.length; i++) {
      const token = input[i];
      if (depth === 0 && token === '\n' && !this.headers.isInside()) this.line++;
      const macro = WORD.test(token) && !hidden.has(token) ? this.macros.get(token) : undefined;
      if (macro === undefined || depth > DEEPEST || this.budget < 0) {
        if (macro !== undefined && this.budget < 0 && !this.exhausted) {
          this.exhausted = true;
          this.problem(`the macro ${token} takes too long to expand; from here on macros stay as they are`);
        }
        out.push(token);
        continue;
      }
      let args: readonly (readonly string[])[] = [];
      let end = i;
      if (macro.parameters !== undefined) {
        const call = argumentsAt(input, i + 1);
        // A list without end is looked for from every name before it.
        if (call === undefined && depth === 0) this.budget -= Math.min(LONGEST_CALL, input.length - i) / 16;
        if (call === undefined) {
          out.push(token);
          continue;
        }
        args = call.args;
        end = call.end;
      }
      const replaced = substituted(macro, args, (argument) => {
        const result: string[] = [];
        this.expand(argument, result, hidden, depth + 1);
        return result;
      });
      this.budget -= replaced.length;
      this.expand(replaced, out, new Set([...hidden, token]), depth + 1);
      if (depth === 0)
        for (const each of input.slice(i, end + 1))
          if (each === '\n') {
            out.push('\n');
            if (!this.headers.isInside()) this.line++;
          }
      i = end;
    }
  }
}

/** The replacement of a macro with its arguments in place; newlines of arguments become spaces. */
function substituted(
  { parameters, body }: Macro,
  args: readonly (readonly string[])[],
  expand: (argument: readonly string[]) => readonly string[],
): readonly string[] {
  if (parameters === undefined) return body;
  const variadic = parameters.at(-1) === '...';
  const named = variadic ? parameters.slice(0, -1) : parameters;
  const rest = args.slice(named.length).flatMap((each, i) => (i === 0 ? each : [',', ...each]));
  const raw = (name: string): readonly string[] | undefined => {
    if (variadic && name === '__VA_ARGS__') return rest;
    const at = named.indexOf(name);
    return at < 0 ? undefined : (args[at] ?? []);
  };
  const flat = (argument: readonly string[]): string[] =>
    argument.map((each) => (each === '\n' ? ' ' : each));
  const full = new Map<string, readonly string[]>();
  const result: string[] = [];
  for (const [i, token] of body.entries()) {
    const argument = WORD.test(token) ? raw(token) : undefined;
    // Beside ## and after # the argument stays as it is written.
    const before = argument && body.slice(0, i).findLast((each) => each.trim() !== '');
    const after = argument && body.slice(i + 1).find((each) => each.trim() !== '');
    if (argument === undefined) result.push(token);
    else if (before === '#') {
      result.pop();
      result.push('""');
    } else if (before === '##' || after === '##') append(result, flat(argument));
    else {
      let whole = full.get(token);
      if (whole === undefined) {
        whole = flat(expand(argument));
        full.set(token, whole);
      }
      append(result, whole);
    }
    // A macro of many uses of a long argument: what there is suffices to know that it is too much.
    if (result.length > MOST_REPLACED) break;
  }
  return result.includes('##') ? tokens(result.join('').replace(/\s*##\s*/g, '')) : result;
}

/** One by one: a long list does not fit the arguments of a call. */
function append(result: string[], more: readonly string[]): void {
  for (const each of more) result.push(each);
}

const MOST_REPLACED = 1_000_000;

function argumentsAt(
  input: readonly string[],
  from: number,
): { readonly args: readonly (readonly string[])[]; readonly end: number } | undefined {
  let i = from;
  while (i < input.length && input[i].trim() === '') i++;
  if (input[i] !== '(') return undefined;
  const args: string[][] = [[]];
  let depth = 0;
  for (; i < input.length; i++) {
    const token = input[i];
    if (token === '(' || token === '[' || token === '{') depth++;
    if (token === '(' && depth === 1) continue;
    if (token === ')' || token === ']' || token === '}') depth--;
    if (depth === 0) return { args: args.map(trimmed), end: i };
    if (token === ',' && depth === 1) args.push([]);
    else args.at(-1)!.push(token);
    // An argument list without end must not be read again for every macro in it.
    if (i - from > LONGEST_CALL) return undefined;
  }
  return undefined;
}

const NOTHING: ReadonlySet<string> = new Set();
const LONGEST_CALL = 20_000;

function trimmed(list: readonly string[]): readonly string[] {
  let from = 0;
  let to = list.length;
  while (from < to && list[from].trim() === '') from++;
  while (to > from && list[to - 1].trim() === '') to--;
  return list.slice(from, to);
}

function tokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The same text with spaces for comments, line ends kept, and lines that `\` joins outside of directives left as they are. */
function withoutComments(source: string): string {
  const out: string[] = [];
  let at = 0;
  const special = /["'/]/g;
  while (at < source.length) {
    special.lastIndex = at;
    const match = special.exec(source);
    if (match === null) break;
    const i = match.index;
    out.push(source.slice(at, i));
    const next = source[i + 1];
    if (match[0] === '/' && next === '/') {
      let end = endOfLine(source, i);
      while (source[end - 1] === '\\' && end < source.length) end = endOfLine(source, end + 1);
      out.push('\n'.repeat(newlines(source, i, end)));
      at = end;
    } else if (match[0] === '/' && next === '*') {
      const close = source.indexOf('*/', i + 2);
      const end = close < 0 ? source.length : close + 2;
      out.push(' ', '\n'.repeat(newlines(source, i, end)));
      at = end;
    } else if (match[0] === '/') {
      out.push('/');
      at = i + 1;
    } else if (match[0] === "'" && /[\da-fA-F]/.test(source[i - 1] ?? '')) {
      // A separator of digits.
      out.push("'");
      at = i + 1;
    } else {
      const end = endOfString(source, i);
      out.push(source.slice(i, end));
      at = end;
    }
  }
  out.push(source.slice(at));
  return out.join('');
}

function endOfString(source: string, start: number): number {
  const quote = source[start];
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === quote) return i + 1;
    else if (source[i] === '\n') return i;
  }
  return source.length;
}

function newlines(source: string, from: number, to: number): number {
  let count = 0;
  for (let i = source.indexOf('\n', from); i >= 0 && i < to; i = source.indexOf('\n', i + 1)) count++;
  return count;
}
