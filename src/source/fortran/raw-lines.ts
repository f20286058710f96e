import { evaluateCondition } from '../c/condition.ts';
import { Headers } from '../headers.ts';
import type { Surroundings } from '../ports.ts';

/** A line as it is written. One of an included file has the number of the line that includes it. */
export interface RawLine {
  readonly text: string;
  readonly line: number;
  readonly isIncluded: boolean;
}

const INCLUDE = /^(?:\s*include\s*(?:'([^']+)'|"([^"]+)")|#\s*include\s*["<]([^">]+)[">])/i;

/** With the lines of included files in their place, without those that a preprocessor's conditions leave out. */
export function rawLines(source: string, around: Surroundings): readonly RawLine[] {
  const reader = new RawLines(around);
  reader.read(source, undefined);
  return reader.lines;
}

class RawLines {
  readonly lines: RawLine[] = [];
  private readonly headers: Headers;
  /** Macros without parameters and what they stand for. */
  private readonly macros = new Map<string, string>();
  private readonly open: { active: boolean; done: boolean; readonly outer: boolean }[] = [];

  constructor({ readHeader, defines }: Surroundings) {
    this.headers = new Headers(readHeader);
    for (const each of defines) this.define(each);
  }

  /** `line` is that of the text's place in the source; undefined: it is the source. */
  read(text: string, line: number | undefined): void {
    text.split(/\r\n|\n|\r/).forEach((each, i) => {
      this.line(each, line ?? i + 1, line !== undefined);
    });
  }

  private line(text: string, line: number, isIncluded: boolean): void {
    if (!text.startsWith('#')) {
      if (this.isActive() && !this.include(text, line))
        this.lines.push({ text: this.expanded(text), line, isIncluded });
      return;
    }
    const [, word = '', rest = ''] = /^#\s*(\w+)\s*(.*)$/.exec(text) ?? [];
    const name = /^\w*/.exec(rest)![0];
    const top = this.open.at(-1);
    switch (word) {
      case 'if':
        return this.begin(this.holds(rest));
      case 'ifdef':
        return this.begin(this.macros.has(name));
      case 'ifndef':
        return this.begin(!this.macros.has(name));
      case 'elif':
        if (top === undefined) return;
        top.active = !top.done && this.holds(rest);
        top.done ||= top.active;
        return;
      case 'else':
        if (top !== undefined) top.active = !top.done;
        return;
      case 'endif':
        this.open.pop();
        return;
      case 'define':
        if (this.isActive()) this.define(rest);
        return;
      case 'undef':
        if (this.isActive()) this.macros.delete(name);
        return;
      case 'include':
        if (this.isActive()) this.include(text, line);
    }
  }

  private isActive(): boolean {
    const top = this.open.at(-1);
    return top === undefined || (top.active && top.outer);
  }

  private begin(value: boolean): void {
    const outer = this.isActive();
    this.open.push({ active: outer && value, done: outer && value, outer });
  }

  private holds(text: string): boolean {
    const value = evaluateCondition(
      text,
      (name) => this.macros.has(name),
      (plain) => this.expanded(plain),
    );
    return (value ?? 0) !== 0;
  }

  private define(text: string): void {
    const [, name, isFunction, value] = /^(\w+)(\()?\s*(.*)$/.exec(text) ?? [];
    if (name !== undefined) this.macros.set(name, isFunction === undefined ? value.trim() : name);
  }

  /** Numbers and names that macros stand for; what else they may say is left as it is. */
  private expanded(text: string): string {
    if (this.macros.size === 0) return text;
    return text.replace(/\b[A-Za-z_]\w*\b/g, (name) => {
      const value = this.macros.get(name);
      return value !== undefined && SIMPLE.test(value) ? value : name;
    });
  }

  /** Whether the line includes a file that could be read. */
  private include(text: string, line: number): boolean {
    const name = INCLUDE.exec(text)
      ?.slice(1)
      .find((each) => each !== undefined);
    const header = name === undefined ? undefined : this.headers.open(`"${name}"`);
    if (header === undefined) return false;
    const depth = this.open.length;
    this.read(header.text, line);
    this.open.length = Math.min(depth, this.open.length);
    this.headers.close();
    return true;
  }
}

const SIMPLE = /^[\w.+-]{1,40}$/;
