import { type Expression, INT, type Loop, type Statement } from '../syntax.ts';
import { closing, isTypeDeclaration } from './declarations.ts';
import { ExpressionParser, type Token } from './expressions.ts';
import type { Line } from './lines.ts';
import { Specifications } from './specifications.ts';
import { body } from './units.ts';

/** Statements that begin a loop. */
export abstract class LoopStatements extends Specifications {
  protected parser(tokens: readonly Token[], line: Line, at: number): ExpressionParser {
    return new ExpressionParser(tokens, this.scope, line.line, at);
  }

  /** What counts a loop is an integer, whoever declares it. */
  protected counter(name: string): void {
    if (this.scope.find(name) === undefined)
      this.define(name, this.scope.hasImplicit() ? this.scope.implicitType(name) : INT, undefined);
  }

  protected doStatement(tokens: Token[], name: string, line: Line): void {
    let at = 1;
    let label = 0;
    if (/^\d+$/.test(tokens[at] ?? '')) label = Number(tokens[at++]);
    if (tokens[at] === ',') at++;
    if (tokens[at] === 'concurrent' && tokens[at + 1] === '(')
      return this.concurrent(tokens.slice(at + 1), name, line);
    const block = (finish: (body: readonly Statement[], endLine: number) => Statement): void =>
      this.begin({ ...body(line.line), kind: 'do', name, label, finish });
    if (tokens[at] === undefined)
      return block((list, endLine) => loop(line, endLine, 'while', [], undefined, list, undefined));
    if (tokens[at] === 'while') {
      const test = this.parser(tokens, line, at + 1).expression();
      return block((list, endLine) => loop(line, endLine, 'while', [], test, list, undefined));
    }
    const parser = this.parser(tokens, line, at + 2);
    if (tokens[at + 1] !== '=') {
      this.problem(line.line, `line ${line.line} could not be parsed`);
      return block((list, endLine) => loop(line, endLine, 'while', [], undefined, list, undefined));
    }
    const variable = tokens[at];
    this.counter(variable);
    const from = parser.expression();
    parser.accept(',');
    const to = parser.expression();
    const by: Expression = parser.accept(',') ? parser.expression() : { kind: 'number', value: 1, type: INT };
    const step = this.scope.constant(by);
    return block((list, endLine) => counted(line, endLine, 'for', variable, from, to, by, step, list));
  }

  /**
   * `(i = 1:n, j = 1:m, mask)`: a loop for each, in any order. The innermost is the one whose elements are neighbours: that of
   * the first subscript of what is assigned to, else the first.
   */
  protected concurrent(tokens: readonly Token[], name: string, line: Line): void {
    const close = closing(tokens, 0);
    const ranges: {
      readonly variable: string;
      readonly from: Expression;
      readonly to: Expression;
      readonly by: Expression;
    }[] = [];
    let mask: Expression | undefined;
    const parser = this.parser(tokens.slice(0, close), line, 1);
    if (isTypeDeclaration([tokens[1] ?? '', ...tokens.slice(2)]) && tokens.indexOf('::') >= 0)
      parser.at = tokens.indexOf('::') + 1;
    while (parser.next !== undefined) {
      const variable = parser.next;
      if (tokens[parser.at + 1] === '=') {
        parser.at += 2;
        this.counter(variable);
        const from = parser.expression();
        parser.accept(':');
        const to = parser.expression();
        const by: Expression = parser.accept(':')
          ? parser.expression()
          : { kind: 'number', value: 1, type: INT };
        ranges.push({ variable, from, to, by });
      } else mask = parser.expression();
      if (!parser.accept(',')) break;
    }
    this.begin({
      ...body(line.line),
      kind: 'do',
      name,
      finish: (list, endLine) => {
        const masked: readonly Statement[] =
          mask === undefined
            ? list
            : [
                {
                  kind: 'if',
                  test: mask,
                  yes: { body: list, line: line.line, endLine },
                  no: undefined,
                  line: line.line,
                },
              ];
        const first = firstSubscript(list);
        const inside = ranges.findIndex(({ variable }) => first.has(variable));
        if (inside > 0) ranges.unshift(...ranges.splice(inside, 1));
        return ranges.reduce<Statement>(
          (inner, { variable, from, to, by }) =>
            counted(
              line,
              endLine,
              'concurrent',
              variable,
              from,
              to,
              by,
              this.scope.constant(by),
              inner.kind === 'block' ? inner.body : [inner],
            ),
          { kind: 'block', body: masked },
        );
      },
    });
  }
}

function loop(
  { line }: Line,
  endLine: number,
  form: Loop['form'],
  before: readonly Statement[],
  test: Expression | undefined,
  list: readonly Statement[],
  after: Expression | undefined,
): Statement {
  return { kind: 'loop', loop: { line, endLine, form, before, test, body: list, after, trips: undefined } };
}

function counted(
  line: Line,
  endLine: number,
  form: Loop['form'],
  variable: string,
  from: Expression,
  to: Expression,
  by: Expression,
  step: number | undefined,
  list: readonly Statement[],
): Statement {
  const name: Expression = { kind: 'name', name: variable };
  return loop(
    line,
    endLine,
    form,
    [
      {
        kind: 'expression',
        value: { kind: 'assign', op: undefined, target: name, value: from },
        line: line.line,
      },
    ],
    { kind: 'binary', op: step !== undefined && step < 0 ? '>=' : '<=', left: name, right: to },
    list,
    { kind: 'assign', op: '+', target: name, value: by },
  );
}

/** Names in the first subscript of what the first assignment to an element assigns to. */
function firstSubscript(list: readonly Statement[]): ReadonlySet<string> {
  for (const each of list) {
    if (each.kind !== 'expression' || each.value.kind !== 'assign') continue;
    const { target } = each.value;
    if (target.kind === 'index' && target.subscripts[0] !== undefined) return namesIn(target.subscripts[0]);
  }
  return new Set();
}

function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const stack = [expression];
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    if (each.kind === 'name') names.add(each.name);
    if (each.kind === 'binary') stack.push(each.left, each.right);
  }
  return names;
}
