import type { Path } from '../base/shape-problem.ts';

/**
 * Where in a JSON text something is. `JSON.parse` is the reader; this scanner runs only when a message is to be
 * written, because V8's own messages differ between versions and some of them name no position at all.
 * It keeps its own stack: a hostile file must not overflow ours.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type JsonScan =
  | { readonly kind: 'well-formed'; readonly offset?: number }
  | {
      readonly kind: 'malformed';
      readonly offset: number;
      readonly expected: string;
      readonly found: string;
    };

type Expecting = 'value' | 'value-or-]' | 'key' | 'key-or-}' | ':' | ',' | 'end';

type Frame = { readonly kind: 'object'; key: string } | { readonly kind: 'array'; index: number };

const BLANKS = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these may not stand in a string (RFC 8259, section 7).
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Checks `text` and, where it is JSON, finds the offset of the value at `wanted` (absent when there is none). */
export function scanJson(text: string, wanted?: Path): JsonScan {
  const stack: Frame[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  let offset: number | undefined;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const afterValue = (): Expecting => (stack.length === 0 ? 'end' : ',');
  const malformed = (): JsonScan => ({
    kind: 'malformed',
    offset: at,
    expected: WORDS[expecting],
    found:
      at >= text.length ? 'the end of the file' : JSON.stringify(text.slice(at, at + 20).split('\n', 1)[0]),
  });

  for (;;) {
    at += match(BLANKS)!.length;
    if (expecting === 'end') return at === text.length ? found(offset) : malformed();
    const char = text[at];
    const top = stack[stack.length - 1];
    switch (expecting) {
      case 'value':
      case 'value-or-]': {
        if (expecting === 'value-or-]' && char === ']') {
          stack.pop();
          expecting = afterValue();
          at += 1;
          break;
        }
        if (wanted !== undefined && offset === undefined && isAt(stack, wanted)) offset = at;
        if (char === '{' || char === '[') {
          stack.push(char === '{' ? { kind: 'object', key: '' } : { kind: 'array', index: 0 });
          expecting = char === '{' ? 'key-or-}' : 'value-or-]';
          at += 1;
          break;
        }
        const token = match(char === '"' ? STRING : PLAIN);
        if (token === undefined) return malformed();
        at += token.length;
        expecting = afterValue();
        break;
      }
      case 'key':
      case 'key-or-}': {
        if (expecting === 'key-or-}' && char === '}') {
          stack.pop();
          expecting = afterValue();
          at += 1;
          break;
        }
        const token = match(STRING);
        if (token === undefined || top?.kind !== 'object') return malformed();
        top.key = JSON.parse(token);
        at += token.length;
        expecting = ':';
        break;
      }
      case ':':
        if (char !== ':') return malformed();
        at += 1;
        expecting = 'value';
        break;
      case ',':
        if (char === ',') {
          if (top?.kind === 'array') top.index += 1;
          expecting = top?.kind === 'array' ? 'value' : 'key';
        } else if (char === (top?.kind === 'array' ? ']' : '}')) {
          stack.pop();
          expecting = afterValue();
        } else {
          return malformed();
        }
        at += 1;
        break;
    }
  }
}

const WORDS: Readonly<Record<Expecting, string>> = {
  value: 'a value',
  'value-or-]': 'a value or ]',
  key: 'a key in double quotes',
  'key-or-}': 'a key in double quotes or }',
  ':': 'a colon',
  ',': 'a comma or the closing bracket',
  end: 'the end of the file',
};

function found(offset: number | undefined): JsonScan {
  return offset === undefined ? { kind: 'well-formed' } : { kind: 'well-formed', offset };
}

function isAt(stack: readonly Frame[], path: Path): boolean {
  if (stack.length !== path.length) return false;
  return stack.every((frame, level) => (frame.kind === 'array' ? frame.index : frame.key) === path[level]);
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
