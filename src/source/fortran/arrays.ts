import { knownFunction } from '../intrinsics.ts';
import { DOUBLE, type Expression, INT, LONG, type Section, type Statement, type Type } from '../syntax.ts';
import type { Scope } from './scope.ts';

/** Something of Fortran's arrays that is not written out as loops; the message says what. */
export class NotFollowed extends Error {}

/** Functions that make one value of an array, and what they start from. */
const REDUCTIONS: ReadonlyMap<string, number> = new Map([
  ['sum', 0],
  ['product', 1],
  ['maxval', Number.NaN],
  ['minval', Number.NaN],
  ['dot_product', 0],
  ['count', 0],
  ['norm2', 0],
  ['any', 0],
  ['all', 1],
]);
const TRANSFORMATIONS = new Set('reshape spread pack unpack cshift eoshift maxloc minloc findloc'.split(' '));
const MOST_DIMENSIONS = 15;

/**
 * An assignment of arrays as the loops that it stands for, the first subscript innermost; undefined for one of scalars alone.
 * All of the right side is known before anything is stored, so that its iterations do not depend on each other.
 */
export function arrayAssignment(
  target: Expression,
  value: Expression,
  mask: Expression | undefined,
  scope: Scope,
  line: number,
): readonly Statement[] | undefined {
  const writer = new ArrayWriter(scope, line);
  const rank = writer.rank(target);
  if (rank === 0 && !hasReduction(value)) return undefined;
  const counters = writer.counters(rank, 'i');
  const element: Statement = {
    kind: 'expression',
    value: {
      kind: 'assign',
      op: undefined,
      target: writer.element(target, counters),
      value: writer.element(value, counters),
    },
    line,
  };
  const body = mask === undefined ? element : guarded(writer.element(mask, counters), element, line);
  return [...writer.before, ...writer.loops(counters, writer.extents(target), [...writer.inside, body])];
}

/** A value of scalars in which arrays are summed up, searched and the like: the loops for that, and what is left. */
export function scalarValue(
  value: Expression,
  scope: Scope,
  line: number,
): { readonly before: readonly Statement[]; readonly value: Expression } {
  if (!hasReduction(value)) return { before: [], value };
  const writer = new ArrayWriter(scope, line);
  if (writer.rank(value) > 0) return { before: [], value };
  const element = writer.element(value, []);
  return { before: writer.before, value: element };
}

const guarded = (test: Expression, statement: Statement, line: number): Statement => ({
  kind: 'if',
  test,
  yes: { body: [statement], line, endLine: line },
  no: undefined,
  line,
});

const number = (value: number): Expression => ({ kind: 'number', value, type: INT });
const sum = (left: Expression, right: Expression): Expression =>
  left.kind === 'number' && left.value === 0 ? right : { kind: 'binary', op: '+', left, right };

class ArrayWriter {
  /** Loops for what makes one value of an array, before the statement itself. */
  readonly before: Statement[] = [];
  /** Before each element's statement: what only that needs. */
  readonly inside: Statement[] = [];
  private readonly scope: Scope;
  private readonly line: number;
  private reductions = 0;

  constructor(scope: Scope, line: number) {
    this.scope = scope;
    this.line = line;
  }

  /** Names that no source can hold. */
  counters(rank: number, prefix: string): readonly string[] {
    return Array.from({ length: rank }, (_, i) => {
      const name = `<${prefix}${i}>`;
      this.scope.variables.set(name, { name, type: LONG });
      return name;
    });
  }

  /** Dimensions of what an expression gives. */
  rank(expression: Expression): number {
    switch (expression.kind) {
      case 'name':
        return dimensionsOf(this.scope.typeOf(expression.name));
      case 'index':
        return (
          expression.subscripts.reduce((all, each) => all + (sectionOf(each) ? 1 : this.rank(each)), 0) +
          (expression.base.kind === 'member' ? this.rank(expression.base.base) : 0)
        );
      case 'member':
        return this.rank(expression.base) + dimensionsOf(this.typeOf(expression));
      case 'unary':
      case 'cast':
        return this.rank(expression.of);
      case 'binary':
        return Math.max(this.rank(expression.left), this.rank(expression.right));
      case 'call':
        this.checked(expression.callee);
        if (expression.callee === 'transpose') return 2;
        if (expression.callee === 'matmul')
          return expression.args.reduce((all, each) => all + this.rank(each), -2);
        if (REDUCTIONS.has(expression.callee) || !this.isElemental(expression)) return 0;
        return Math.max(0, ...expression.args.map((each) => this.rank(each)));
      default:
        return 0;
    }
  }

  private isElemental({ callee, args }: Extract<Expression, { kind: 'call' }>): boolean {
    if (this.scope.elementals.has(callee)) return true;
    return (
      !/^(?:size|lbound|ubound|kind|epsilon|huge|tiny)$/.test(callee) &&
      knownFunction(callee, args.length, 'fortran-free') !== undefined
    );
  }

  private checked(callee: string): void {
    if (TRANSFORMATIONS.has(callee)) throw new NotFollowed(`${callee} in line ${this.line} is not followed`);
  }

  /** The element that the counters, from 0, stand at. */
  element(expression: Expression, counters: readonly string[]): Expression {
    switch (expression.kind) {
      case 'name':
        return this.at(expression, dimensionsOf(this.scope.typeOf(expression.name)), counters);
      case 'member': {
        const own = dimensionsOf(this.typeOf(expression));
        if (own > 0) return this.at(expression, own, counters);
        return { ...expression, base: this.element(expression.base, counters) };
      }
      case 'index':
        return this.indexed(expression, counters);
      case 'unary':
      case 'cast':
        return { ...expression, of: this.element(expression.of, counters) };
      case 'binary':
        return {
          ...expression,
          left: this.element(expression.left, counters),
          right: this.element(expression.right, counters),
        };
      case 'call':
        this.checked(expression.callee);
        if (REDUCTIONS.has(expression.callee)) return this.reduced(expression);
        if (expression.callee === 'transpose' && expression.args[0] !== undefined)
          return this.element(expression.args[0], counters.toReversed());
        if (expression.callee === 'matmul') return this.product(expression, counters);
        if (!this.isElemental(expression)) return expression;
        return { ...expression, args: expression.args.map((each) => this.element(each, counters)) };
      default:
        return expression;
    }
  }

  private at(array: Expression, dimensions: number, counters: readonly string[]): Expression {
    if (dimensions === 0) return array;
    if (dimensions !== counters.length)
      throw new NotFollowed(`line ${this.line} has arrays of different shapes`);
    return {
      kind: 'index',
      base: array,
      subscripts: counters.map((name) => sum(number(1), { kind: 'name', name })),
    };
  }

  private indexed(
    expression: Extract<Expression, { kind: 'index' }>,
    counters: readonly string[],
  ): Expression {
    let next = 0;
    const subscripts = expression.subscripts.map((each): Expression => {
      const section = sectionOf(each);
      if (section === undefined && this.rank(each) === 0) return this.element(each, []);
      const name = counters[next++];
      if (name === undefined) throw new NotFollowed(`line ${this.line} has arrays of different shapes`);
      const counter: Expression = { kind: 'name', name };
      // A subscript that is an array itself.
      if (section === undefined) return this.element(each, [name]);
      const by = section.by;
      const way: Expression =
        by === undefined ? counter : { kind: 'binary', op: '*', left: counter, right: by };
      return sum(section.from ?? number(1), way);
    });
    const base =
      expression.base.kind === 'member' && this.rank(expression.base.base) > 0
        ? { ...expression.base, base: this.element(expression.base.base, counters.slice(next)) }
        : expression.base;
    return { ...expression, base, subscripts };
  }

  /** An element of a product of matrices: the sum over a row of the first and a column of the second. */
  private product({ args }: Extract<Expression, { kind: 'call' }>, counters: readonly string[]): Expression {
    const [first, second] = args;
    const ranks = args.map((each) => this.rank(each));
    if (second === undefined || args.length > 2 || ranks.some((each) => each < 1 || each > 2))
      throw new NotFollowed(`matmul in line ${this.line} is not followed`);
    const index = this.reductions++;
    const held = this.holder(index, this.elementType(first));
    const [along] = this.counters(1, `r${index} `);
    const row = ranks[0] === 2 ? [counters[0], along] : [along];
    const column = ranks[1] === 2 ? [along, counters.at(-1)!] : [along];
    const term: Expression = {
      kind: 'binary',
      op: '*',
      left: this.element(first, row),
      right: this.element(second, column),
    };
    this.inside.push(
      this.set(held, number(0)),
      ...this.loops(
        [along],
        this.extents(second).slice(0, 1),
        [this.set(held, { kind: 'binary', op: '+', left: held, right: term })],
        'for',
      ),
    );
    return held;
  }

  /** The variable that a loop of this statement makes its value in. */
  private holder(index: number, type: Type): Expression {
    const name = `<sum ${this.line} ${index}>`;
    this.scope.variables.set(name, { name, type });
    return { kind: 'name', name };
  }

  private set(target: Expression, value: Expression): Statement {
    return {
      kind: 'expression',
      value: { kind: 'assign', op: undefined, target, value },
      line: this.line,
    };
  }

  /** A loop that makes one value of an array; gives the variable that holds it. */
  private reduced(call: Extract<Expression, { kind: 'call' }>): Expression {
    const { callee } = call;
    const [first, second] = call.args;
    if (first === undefined) return call;
    const rank = this.rank(first);
    if (rank === 0) return call;
    const isDot = callee === 'dot_product';
    const mask = !isDot && second !== undefined && this.rank(second) > 0 ? second : undefined;
    if (!isDot && second !== undefined && mask === undefined)
      throw new NotFollowed(`${callee} along one dimension in line ${this.line} is not followed`);
    const index = this.reductions++;
    const isLogical = callee === 'any' || callee === 'all';
    const type = callee === 'count' || isLogical ? INT : this.elementType(first);
    const held = this.holder(index, type);
    const counters = this.counters(rank, `r${index} `);
    const one = this.element(first, counters);
    const term: Expression =
      isDot && second !== undefined
        ? { kind: 'binary', op: '*', left: one, right: this.element(second, counters) }
        : callee === 'norm2'
          ? { kind: 'binary', op: '*', left: one, right: one }
          : one;
    const next: Expression =
      callee === 'maxval' || callee === 'minval'
        ? { kind: 'call', callee: callee.slice(0, 3), args: [held, term], line: this.line }
        : {
            kind: 'binary',
            op: callee === 'any' ? '||' : callee === 'all' ? '&&' : callee === 'product' ? '*' : '+',
            left: held,
            right: callee === 'count' ? number(1) : term,
          };
    const test = callee === 'count' ? one : mask === undefined ? undefined : this.element(mask, counters);
    const step = test === undefined ? this.set(held, next) : guarded(test, this.set(held, next), this.line);
    this.before.push(
      this.set(held, { kind: 'number', value: REDUCTIONS.get(callee)!, type }),
      ...this.loops(counters, this.extents(first), [step], 'for'),
    );
    return callee === 'norm2' ? { kind: 'call', callee: 'sqrt', args: [held], line: this.line } : held;
  }

  /** The last index of each counter. */
  extents(expression: Expression): readonly Expression[] {
    switch (expression.kind) {
      case 'name':
      case 'member': {
        const type = this.typeOf(expression);
        if (type?.kind === 'array')
          return type.dimensions.map(({ extent }) =>
            extent === undefined ? this.size() : number(extent - 1),
          );
        return expression.kind === 'member' ? this.extents(expression.base) : [];
      }
      case 'index':
        return [
          ...expression.subscripts.flatMap((each) => {
            const section = sectionOf(each);
            return section === undefined ? this.extents(each) : [this.lastOf(section)];
          }),
          ...(expression.base.kind === 'member' ? this.extents(expression.base.base) : []),
        ];
      case 'unary':
      case 'cast':
        return this.extents(expression.of);
      case 'binary': {
        const wider = this.rank(expression.left) >= this.rank(expression.right);
        return this.extents(wider ? expression.left : expression.right);
      }
      case 'call': {
        const [first, second] = expression.args;
        if (expression.callee === 'transpose' && first !== undefined) return this.extents(first).toReversed();
        if (expression.callee === 'matmul' && first !== undefined && second !== undefined)
          return [...this.extents(first).slice(0, this.rank(first) - 1), ...this.extents(second).slice(1)];
        const widest = expression.args.find((each) => this.rank(each) > 0);
        return widest === undefined ? [] : this.extents(widest);
      }
      default:
        return [];
    }
  }

  private lastOf({ from, to, by }: Section): Expression {
    if (to === undefined) return this.size();
    const span: Expression = { kind: 'binary', op: '-', left: to, right: from ?? number(1) };
    return by === undefined ? span : { kind: 'binary', op: '/', left: span, right: by };
  }

  private size(): Expression {
    return { kind: 'call', callee: 'size', args: [], line: this.line };
  }

  loops(
    counters: readonly string[],
    extents: readonly Expression[],
    body: readonly Statement[],
    form: 'for' | 'concurrent' = 'concurrent',
  ): readonly Statement[] {
    const { line } = this;
    if (counters.length > MOST_DIMENSIONS)
      throw new NotFollowed(`line ${line} has an array of too many dimensions`);
    return counters.reduce<readonly Statement[]>((inner, name, i) => {
      const counter: Expression = { kind: 'name', name };
      const start: Expression = { kind: 'assign', op: undefined, target: counter, value: number(0) };
      return [
        {
          kind: 'loop',
          loop: {
            line,
            endLine: line,
            form,
            before: [{ kind: 'expression', value: start, line }],
            test: { kind: 'binary', op: '<=', left: counter, right: extents[i] ?? this.size() },
            body: inner,
            after: { kind: 'assign', op: '+', target: counter, value: number(1) },
            trips: undefined,
          },
        },
      ];
    }, body);
  }

  private typeOf(expression: Expression): Type | undefined {
    switch (expression.kind) {
      case 'name':
        return this.scope.typeOf(expression.name);
      case 'index': {
        const type = this.typeOf(expression.base);
        return type?.kind === 'array' ? type.of : undefined;
      }
      case 'member': {
        const base = this.typeOf(expression.base);
        const type = base?.kind === 'array' ? base.of : base;
        return type?.kind === 'record' ? type.record.fields.get(expression.field)?.type : undefined;
      }
      default:
        return undefined;
    }
  }

  private elementType(expression: Expression): Type {
    switch (expression.kind) {
      case 'name':
      case 'index':
      case 'member': {
        const type = this.typeOf(expression);
        return (type?.kind === 'array' ? type.of : type) ?? DOUBLE;
      }
      case 'number':
        return expression.type;
      case 'unary':
        return this.elementType(expression.of);
      case 'cast':
        return expression.to;
      case 'binary': {
        const [left, right] = [this.elementType(expression.left), this.elementType(expression.right)];
        return left.kind === 'int' ? right : left;
      }
      case 'call':
        return expression.args[0] === undefined ? DOUBLE : this.elementType(expression.args[0]);
      default:
        return DOUBLE;
    }
  }
}

const dimensionsOf = (type: Type | undefined): number =>
  type?.kind === 'array' ? type.dimensions.length : 0;

const sectionOf = (expression: Expression): Section | undefined =>
  expression.kind === 'opaque' ? expression.section : undefined;

/** Without recursion: a sum may be as long as the text says. */
function hasReduction(expression: Expression): boolean {
  const stack = [expression];
  for (let each = stack.pop(); each !== undefined; each = stack.pop())
    switch (each.kind) {
      case 'call':
        if (REDUCTIONS.has(each.callee) || each.callee === 'matmul') return true;
        stack.push(...each.args);
        break;
      case 'unary':
      case 'cast':
        stack.push(each.of);
        break;
      case 'binary':
        stack.push(each.left, each.right);
        break;
    }
  return false;
}
