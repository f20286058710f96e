import { type BinaryOp, type Expression, INT, type Type } from '../syntax.ts';

export type Token = string;

const TOKEN =
  /\.[a-z]+\.|\d+(?:\.(?![a-z]+\.)\d*)?(?:[ed][+-]?\d+)?(?:_\w+)?|\.\d+(?:[ed][+-]?\d+)?(?:_\w+)?|[a-z_$][\w$]*|'[^']*'?|\*\*|\/\/|==|\/=|<=|>=|=>|::|\(\/|\/\)|\S/gy;

export function tokensOf(text: string): Token[] {
  const result: Token[] = [];
  const spaces = /\s*/y;
  let at = 0;
  while (at < text.length) {
    spaces.lastIndex = at;
    spaces.exec(text);
    TOKEN.lastIndex = spaces.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) break;
    result.push(match[0]);
    at = TOKEN.lastIndex;
  }
  return result;
}

/** What names are, as far as an expression needs it. */
export interface Names {
  /** Undefined for what is not a variable. */
  typeOf(name: string): Type | undefined;
  /** What a name is another one of. */
  associated(name: string): Expression | undefined;
  /** Bytes of a kind that has a name or a number. */
  kind(text: string): number;
}

const DEEPEST = 200;

const RELATIONS: ReadonlyMap<string, BinaryOp> = new Map([
  ['.eq.', '=='],
  ['.ne.', '!='],
  ['.lt.', '<'],
  ['.le.', '<='],
  ['.gt.', '>'],
  ['.ge.', '>='],
  ['==', '=='],
  ['/=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** Reads expressions from the tokens of a statement. */
export class ExpressionParser {
  at: number;
  private depth = 0;
  private readonly tokens: readonly Token[];
  private readonly names: Names;
  private readonly line: number;

  constructor(tokens: readonly Token[], names: Names, line: number, at = 0) {
    this.tokens = tokens;
    this.names = names;
    this.line = line;
    this.at = at;
  }

  get next(): Token | undefined {
    return this.tokens[this.at];
  }

  accept(token: Token): boolean {
    if (this.next !== token) return false;
    this.at++;
    return true;
  }

  expression(): Expression {
    if (this.depth > DEEPEST) {
      this.at = this.tokens.length;
      return this.lost('is nested too deeply');
    }
    this.depth++;
    const result = this.equivalence();
    this.depth--;
    return result;
  }

  /** Up to the `)` that closes a list whose `(` was taken. */
  list(): Expression[] {
    const result: Expression[] = [];
    if (this.accept(')')) return result;
    do {
      // keyword = value
      if (/^[a-z]/.test(this.next ?? '') && this.tokens[this.at + 1] === '=') this.at += 2;
      result.push(this.element());
    } while (this.accept(','));
    if (!this.accept(')')) result.push(this.lost('could not be parsed'));
    return result;
  }

  private element(): Expression {
    const isSection = this.next === ':' || this.next === '::';
    const first = isSection ? undefined : this.expression();
    if (this.next !== ':' && this.next !== '::') return first ?? this.lost('could not be parsed');
    const isPart = (): boolean => !/^(?:,|\)|::?)$/.test(this.next ?? ')');
    let to: Expression | undefined;
    let by: Expression | undefined;
    if (this.accept('::')) by = isPart() ? this.expression() : undefined;
    else {
      this.accept(':');
      to = isPart() ? this.expression() : undefined;
      if (this.accept(':')) by = isPart() ? this.expression() : undefined;
    }
    return {
      kind: 'opaque',
      why: `an array section in line ${this.line} is not followed`,
      parts: [],
      section: { from: first, to, by },
    };
  }

  private lost(how: string): Expression {
    return { kind: 'opaque', why: `line ${this.line} ${how}`, parts: [] };
  }

  private equivalence(): Expression {
    let left = this.disjunction();
    while (this.next === '.eqv.' || this.next === '.neqv.') {
      const op = this.tokens[this.at++] === '.eqv.' ? '==' : '!=';
      left = { kind: 'binary', op, left, right: this.disjunction() };
    }
    return left;
  }

  private disjunction(): Expression {
    let left = this.conjunction();
    while (this.accept('.or.')) left = { kind: 'binary', op: '||', left, right: this.conjunction() };
    return left;
  }

  private conjunction(): Expression {
    let left = this.negation();
    while (this.accept('.and.')) left = { kind: 'binary', op: '&&', left, right: this.negation() };
    return left;
  }

  private negation(): Expression {
    let isNegated = false;
    while (this.accept('.not.')) isNegated = !isNegated;
    const of = this.relation();
    return isNegated ? { kind: 'unary', op: '!', of } : of;
  }

  private relation(): Expression {
    const left = this.sum();
    const op = RELATIONS.get(this.next ?? '');
    if (op === undefined) return left;
    this.at++;
    return { kind: 'binary', op, left, right: this.sum() };
  }

  private sum(): Expression {
    let isNegative = false;
    while (this.next === '-' || this.next === '+')
      if (this.tokens[this.at++] === '-') isNegative = !isNegative;
    const first = this.term();
    let left: Expression = !isNegative
      ? first
      : first.kind === 'number'
        ? { ...first, value: -first.value }
        : { kind: 'unary', op: '-', of: first };
    for (;;) {
      if (this.next !== '+' && this.next !== '-') break;
      const op = this.tokens[this.at++] as '+' | '-';
      left = { kind: 'binary', op, left, right: this.term() };
    }
    if (this.next === '//') {
      this.at++;
      this.sum();
      return { kind: 'opaque', why: '', parts: [] };
    }
    return left;
  }

  private term(): Expression {
    let left = this.power();
    while (this.next === '*' || this.next === '/') {
      const op = this.tokens[this.at++] as '*' | '/';
      left = { kind: 'binary', op, left, right: this.power() };
    }
    return left;
  }

  private power(): Expression {
    const left = this.primary();
    if (!this.accept('**')) return left;
    if (this.depth > DEEPEST) return this.expression();
    this.depth++;
    // -2 may follow as it is.
    const isNegative = this.accept('-');
    const exponent = this.power();
    this.depth--;
    const right: Expression = !isNegative
      ? exponent
      : exponent.kind === 'number'
        ? { ...exponent, value: -exponent.value }
        : { kind: 'unary', op: '-', of: exponent };
    return { kind: 'binary', op: '**', left, right };
  }

  private primary(): Expression {
    const token = this.next;
    if (token === undefined) return this.lost('could not be parsed');
    this.at++;
    if (token === '(') {
      const inner = this.expression();
      if (this.accept(',')) {
        const imaginary = this.expression();
        if (!this.accept(')')) return this.lost('could not be parsed');
        const wide = [inner, imaginary].some((each) => each.kind === 'number' && isDouble(each.type));
        return { kind: 'call', callee: wide ? 'dcmplx' : 'cmplx', args: [inner, imaginary], line: this.line };
      }
      return this.accept(')') ? inner : this.lost('could not be parsed');
    }
    if (token === '-' || token === '+') {
      const of = this.expression();
      return token === '-' ? { kind: 'unary', op: '-', of } : of;
    }
    if (token === '[' || token === '(/') {
      while (this.next !== undefined && this.next !== ']' && this.next !== '/)') this.at++;
      this.at++;
      return this.lost('has an array constructor, which is not followed');
    }
    if (/^\.?\d/.test(token)) return this.number(token);
    if (token.startsWith("'")) return { kind: 'number', value: Number.NaN, type: INT };
    if (token === '.true.' || token === '.false.')
      return { kind: 'number', value: token === '.true.' ? 1 : 0, type: INT };
    if (!/^[a-z_$]/.test(token)) return this.lost('could not be parsed');
    return this.designator(token);
  }

  /** A name with its subscripts, arguments and components. */
  designator(name: string): Expression {
    const other = this.names.associated(name);
    let type = other === undefined ? this.names.typeOf(name) : typeOfDesignator(other, this.names);
    let result: Expression = other ?? { kind: 'name', name };
    if (other?.kind === 'index' && this.next === '(' && other.subscripts.some(isSection)) {
      this.at++;
      const list = this.list();
      result = { ...other, subscripts: within(other.subscripts, list) };
      type = typeOfDesignator(result, this.names);
    }
    for (let isFirst = true; ; isFirst = false) {
      if (this.accept('(')) {
        const list = this.list();
        if (type?.kind === 'array') {
          result = { kind: 'index', base: result, subscripts: list };
          type = type.of;
        } else if (isFirst) {
          result = { kind: 'call', callee: name, args: list, line: this.line };
          type = undefined;
        } else
          result = {
            kind: 'opaque',
            why: `line ${this.line} has a subscript of what is no array`,
            parts: list,
          };
      } else if (this.accept('%')) {
        const field = this.tokens[this.at++] ?? '';
        result = { kind: 'member', base: result, field };
        type = type?.kind === 'record' ? type.record.fields.get(field)?.type : undefined;
      } else return result;
    }
  }

  private number(token: string): Expression {
    const [digits, kind] = token.split('_', 2);
    const isReal = /[.ed]/.test(digits);
    const value = Number(digits.replace('d', 'e'));
    if (!isReal)
      return {
        kind: 'number',
        value,
        type: kind === undefined ? INT : { kind: 'int', bytes: this.names.kind(kind), signed: true },
      };
    const bytes = kind === undefined ? (digits.includes('d') ? 8 : 4) : this.names.kind(kind);
    return { kind: 'number', value, type: { kind: 'float', bytes } };
  }
}

const isDouble = (type: Type): boolean => type.kind === 'float' && type.bytes === 8;

const isSection = (each: Expression): boolean => each.kind === 'opaque' && each.section !== undefined;

/** Subscripts of a section as those of the array that it is of. */
function within(sections: readonly Expression[], list: readonly Expression[]): readonly Expression[] {
  let next = 0;
  return sections.map((each): Expression => {
    const section = each.kind === 'opaque' ? each.section : undefined;
    const own = section === undefined ? undefined : list[next++];
    if (section === undefined || own === undefined) return each;
    if (own.kind === 'opaque' || (section.from === undefined && section.by === undefined)) return own;
    const one: Expression = { kind: 'number', value: 1, type: INT };
    const from = section.from ?? one;
    const steps: Expression = { kind: 'binary', op: '-', left: own, right: one };
    const way: Expression =
      section.by === undefined ? steps : { kind: 'binary', op: '*', left: steps, right: section.by };
    return { kind: 'binary', op: '+', left: from, right: way };
  });
}

/** The type of a variable, element or component; of a section, that of its array with as many subscripts as it leaves open. */
function typeOfDesignator(expression: Expression, names: Names): Type | undefined {
  switch (expression.kind) {
    case 'name':
      return names.typeOf(expression.name);
    case 'index': {
      const base = typeOfDesignator(expression.base, names);
      if (base?.kind !== 'array') return undefined;
      const dimensions = base.dimensions.filter((_, i) => isSection(expression.subscripts[i] ?? expression));
      return dimensions.length === 0 ? base.of : { ...base, dimensions };
    }
    case 'member': {
      const base = typeOfDesignator(expression.base, names);
      return base?.kind === 'record' ? base.record.fields.get(expression.field)?.type : undefined;
    }
    default:
      return undefined;
  }
}
