/**
 * `(i) + n * (j)` is a cast of `+n` to the grammar, which does not know that `i` is no type, and so is `(i * (n)) + j`; macros
 * write so. The parentheses around a variable that is an operand become spaces.
 */
export function withoutFalseCasts(text: string): string {
  const names = new Set<string>();
  for (const match of text.matchAll(CANDIDATE)) names.add(match[1]);
  if (names.size === 0) return text;
  const variables = variablesAmong(names, text);
  let result = text;
  for (let i = 0; i < MOST_AROUND; i++) {
    const before = result;
    result = before.replace(CANDIDATE, (whole, name: string, at: number) => {
      if (!variables.has(name) || !startsOperand(before, at)) return whole;
      return whole.replace(/[()]/g, ' ');
    });
    if (result === before) break;
  }
  return result;
}

/** Pairs of parentheses around one variable. */
const MOST_AROUND = 4;

const CANDIDATE = /\([^\S\n]*([A-Za-z_]\w*)[^\S\n]*\)/g;
const TEMPLATE = /[A-Za-z_]\w*\s*<(?:[\w\s:,*<>[\]]|&(?!&))*>$/;
const WORD = /[A-Za-z_]\w*/g;

/** Behind a name or a closing parenthesis it is a call, a condition or what a cast is of. */
function startsOperand(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /\s/.test(text[i])) i--;
  if (i < 0 || /[)\]]/.test(text[i])) return false;
  // static_cast<double>(x) * y
  if (text[i] === '>' && TEMPLATE.test(text.slice(Math.max(0, i - 100), i + 1))) return false;
  if (!/\w/.test(text[i])) return true;
  const word = /\w+$/.exec(text.slice(Math.max(0, i - 20), i + 1))?.[0];
  return word === 'return' || word === 'case' || word === 'else';
}

/** Whether the statement that a position is in begins with `typedef`, as far as that is near. */
function inTypedef(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - 200), at);
  const from = near.lastIndexOf('typedef');
  return from >= 0 && !/[;{}]/.test(near.slice(from));
}

/** Those that the text uses as variables and never names as types. */
function variablesAmong(names: ReadonlySet<string>, text: string): ReadonlySet<string> {
  const variables = new Set<string>();
  const types = new Set<string>();
  for (const match of text.matchAll(WORD)) {
    const [name] = match;
    if (!names.has(name)) continue;
    const before = text.slice(Math.max(0, match.index - 40), match.index).trimEnd();
    const after = text.slice(match.index + name.length, match.index + name.length + 40).trimStart();
    // `typedef double T;` shows the name where a variable's would be.
    if (
      (/\b(?:struct|class|union|enum|typename|using)$/.test(before) && !/^[=;,)[]/.test(after)) ||
      (/\busing$/.test(before) && after.startsWith('=')) ||
      /\btypename$|\bclass$/.test(before) ||
      inTypedef(text, match.index) ||
      /^[A-Za-z_]/.test(after)
    )
      types.add(name);
    else if (
      /^(?:[-+*/%&|^]?=|\+\+|--|\[|\.|->|;|[-+/%?]|[<>!=]=)/.test(after) ||
      (/(?:[-+*/%&!~]|\b(?:int|long|short|char|double|float|unsigned|signed|\w+_t))$/.test(before) &&
        !/^(?:[({<]|::)/.test(after))
    )
      variables.add(name);
  }
  return new Set([...variables].filter((name) => !types.has(name) && !name.endsWith('_t')));
}

/** `double complex` and `_Complex float` as one word each, as long as the two: the grammar does not know the first of C's ways to say it. */
export function withComplexTypes(text: string): string {
  if (!/complex/i.test(text)) return text;
  const word = (whole: string, of: string): string => {
    const name = /float/.test(of) ? FLOAT_COMPLEX : DOUBLE_COMPLEX;
    return `${name}${whole.slice(name.length).replace(/\S/g, ' ')}`;
  };
  return text
    .replace(/\b(?:_Complex|__complex__|complex)[^\S\n]+((?:long[^\S\n]+)?double|float)\b/g, word)
    .replace(
      /\b((?:long[^\S\n]+)?double|float)[^\S\n]+(?:_Complex\b|__complex__\b|complex\b(?=\s*(?:\*|\)|[A-Za-z_])))/g,
      word,
    );
}

/** Names that no file uses. */
export const FLOAT_COMPLEX = '__c8';
export const DOUBLE_COMPLEX = '__c16';
