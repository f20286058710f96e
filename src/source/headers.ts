import type { ReadHeader } from './ports.ts';

/** Beyond these a header counts as missing: whoever includes more makes every loop's analysis pay for it. */
const DEEPEST = 40;
const MOST_INCLUDED = 2000;
const MOST_TEXT = 2 * 2 ** 20;

/** The headers that a source is in the middle of, and what it read before. */
export class Headers {
  private readonly read: ReadHeader;
  /** Files, the innermost last. */
  private readonly inside: string[] = [];
  private readonly onlyOnce = new Set<string>();
  private count = 0;
  private size = 0;

  constructor(read: ReadHeader) {
    this.read = read;
  }

  isInside(): boolean {
    return this.inside.length > 0;
  }

  /** `text` is what follows `#include`. Undefined where there is nothing to read; else `close` must follow. */
  open(text: string): { readonly text: string } | undefined {
    const [, quoted, angled] = /^(?:"([^"]+)"|<([^>]+)>)/.exec(text) ?? [];
    const name = quoted ?? angled;
    if (name === undefined || this.inside.length >= DEEPEST || this.count >= MOST_INCLUDED) return undefined;
    this.count++;
    const header = this.read({ name, isQuoted: quoted !== undefined, from: this.inside.at(-1) });
    if (header === undefined || this.onlyOnce.has(header.file)) return undefined;
    if (this.size + header.text.length > MOST_TEXT) return undefined;
    this.size += header.text.length;
    this.inside.push(header.file);
    return header;
  }

  close(): void {
    this.inside.pop();
  }

  /** `#pragma once` */
  once(): void {
    const file = this.inside.at(-1);
    if (file !== undefined) this.onlyOnce.add(file);
  }
}

/** Whether every bracket of a text without comments is closed in it, and none that is not opened there. */
export function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{}]/g)) {
    const closes = CLOSES.get(token);
    if (closes !== undefined) {
      if (open.pop() !== closes) return false;
    } else if (token.length === 1) open.push(token);
  }
  return open.length === 0;
}

const CLOSES = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
