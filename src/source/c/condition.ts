/** The value of an `#if`; undefined where it is not an expression. Names that no macro explains are 0. */
export function evaluateCondition(
  text: string,
  isDefined: (name: string) => boolean,
  expand: (text: string) => string,
): number | undefined {
  const asked = text.replace(/\bdefined\s*(?:\(\s*([A-Za-z_]\w*)\s*\)|([A-Za-z_]\w*))/g, (_, one, other) =>
    isDefined(one ?? other) ? ' 1 ' : ' 0 ',
  );
  const tokens =
    expand(asked).match(/0[xX][\da-fA-F]+|\d+|[A-Za-z_]\w*|'[^']*'|&&|\|\||<<|>>|[<>=!]=|\S/g) ?? [];
  const parser = new Parser(tokens);
  const value = parser.choice(0);
  return parser.failed || !parser.atEnd() ? undefined : value;
}

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const DEEPEST = 100;

class Parser {
  failed = false;
  private at = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  atEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  choice(depth: number): number {
    if (depth > DEEPEST) return this.fail();
    const test = this.level(0, depth);
    if (this.tokens[this.at] !== '?') return test;
    this.at++;
    const yes = this.choice(depth + 1);
    if (this.tokens[this.at++] !== ':') return this.fail();
    const no = this.choice(depth + 1);
    return test !== 0 ? yes : no;
  }

  private fail(): number {
    this.failed = true;
    this.at = this.tokens.length;
    return 0;
  }

  private level(index: number, depth: number): number {
    if (index === LEVELS.length) return this.unary(depth);
    let value = this.level(index + 1, depth);
    while (LEVELS[index].includes(this.tokens[this.at])) {
      const op = this.tokens[this.at++];
      value = apply(op, value, this.level(index + 1, depth));
    }
    return value;
  }

  private unary(depth: number): number {
    if (depth > DEEPEST) return this.fail();
    const token = this.tokens[this.at++];
    if (token === undefined) return this.fail();
    if (token === '!') return this.unary(depth + 1) === 0 ? 1 : 0;
    if (token === '-') return -this.unary(depth + 1);
    if (token === '+') return this.unary(depth + 1);
    if (token === '~') return ~this.unary(depth + 1);
    if (token === '(') {
      const value = this.choice(depth + 1);
      return this.tokens[this.at++] === ')' ? value : this.fail();
    }
    if (/^\d/.test(token)) {
      const suffix = /^[uUlL]+$/.test(this.tokens[this.at] ?? '');
      if (suffix) this.at++;
      return Number(/^0[0-7]+$/.test(token) ? `0o${token.slice(1)}` : token);
    }
    if (token.startsWith("'")) return token.charCodeAt(1);
    if (!/^[A-Za-z_]/.test(token)) return this.fail();
    // What asks the compiler, as __has_include does, is answered with no.
    if (this.tokens[this.at] === '(') {
      let open = 0;
      do {
        if (this.tokens[this.at] === '(') open++;
        if (this.tokens[this.at] === ')') open--;
        this.at++;
      } while (open > 0 && !this.atEnd());
    }
    return token === 'true' ? 1 : 0;
  }
}

function apply(op: string, left: number, right: number): number {
  switch (op) {
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0;
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '&':
      return left & right;
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? 0 : Math.trunc(left / right);
    default:
      return right === 0 ? 0 : left % right;
  }
}
