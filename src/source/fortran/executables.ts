import type { Expression } from '../syntax.ts';
import { arrayAssignment, NotFollowed, scalarValue } from './arrays.ts';
import { closing } from './declarations.ts';
import type { Token } from './expressions.ts';
import type { Line } from './lines.ts';
import { LoopStatements } from './loop-statements.ts';
import { body, type Unit } from './units.ts';

/** Statements that do something. */
export abstract class Executables extends LoopStatements {
  /** Reads a statement that may be of any kind. */
  protected abstract classified(tokens: Token[], line: Line): void;

  protected assignment(tokens: readonly Token[], line: Line): void {
    this.body(line.line);
    const parser = this.parser(tokens, line, 1);
    const target = this.implicitTarget(parser.designator(tokens[0]));
    if (parser.accept('=>')) return this.opaque(`a pointer is set in line ${line.line}`, line.line);
    if (!parser.accept('=')) return this.opaque(`line ${line.line} could not be parsed`, line.line);
    const value = parser.expression();
    if (target.kind === 'call')
      return this.opaque(`${target.callee} in line ${line.line} is not declared as an array`, line.line);
    try {
      const loops = arrayAssignment(target, value, this.mask(), this.scope, line.line);
      if (loops !== undefined) {
        for (const each of loops) this.add(each);
        return;
      }
    } catch (error) {
      // It is a loop all the same, of which nothing is known.
      if (error instanceof NotFollowed)
        return this.add({
          kind: 'loop',
          loop: {
            line: line.line,
            endLine: line.endLine,
            form: 'concurrent',
            before: [],
            test: undefined,
            body: [{ kind: 'opaque', why: error.message, line: line.line }],
            after: undefined,
            trips: undefined,
          },
        });
      if (!(error instanceof RangeError)) throw error;
      return this.opaque(`line ${line.line} is nested too deeply`, line.line);
    }
    this.add({
      kind: 'expression',
      value: { kind: 'assign', op: undefined, target, value },
      line: line.line,
    });
  }

  /** What the `where`s around a statement ask of each element. */
  protected mask(): Expression | undefined {
    return this.unit?.blocks.reduce<Expression | undefined>(
      (all, { mask }) =>
        all === undefined || mask === undefined
          ? (mask ?? all)
          : { kind: 'binary', op: '&&', left: all, right: mask },
      undefined,
    );
  }

  /** A variable without a declaration has the type of its first letter. */
  protected implicitTarget(target: Expression): Expression {
    if (target.kind === 'name' && this.scope.find(target.name) === undefined && this.scope.hasImplicit())
      this.define(target.name, this.scope.implicitType(target.name), undefined);
    return target;
  }

  protected executable(tokens: Token[], name: string, line: Line): void {
    const [first, second] = tokens;
    const unit = this.body(line.line);
    this.implicitNames(tokens);
    switch (first) {
      case 'if':
        return this.ifStatement(tokens, name, line);
      case 'else':
      case 'elseif':
      case 'elsewhere': {
        const top = unit.blocks.at(-1)!;
        if (unit.skipped === 0 && top.mask !== undefined) {
          top.mask = { kind: 'unary', op: '!', of: top.mask };
          return;
        }
        if (unit.skipped > 0 || top.kind !== 'if') return;
        const at = first === 'elseif' ? 1 : second === 'if' ? 2 : -1;
        this.part(top, line.line);
        top.test = at < 0 ? undefined : this.parser(tokens, line, at).expression();
        return;
      }
      case 'do':
        return this.doStatement(tokens, name, line);
      case 'forall':
      case 'where': {
        if (second !== '(') break;
        const close = closing(tokens, 1);
        const isConstruct = close >= tokens.length - 1;
        if (first === 'where') {
          const mask = this.parser(tokens.slice(0, close + 1), line, 1).expression();
          this.begin({ ...body(line.line), kind: 'other', name, mask });
          if (isConstruct) return;
          if (isAssignment(tokens.slice(close + 1)))
            this.classified(tokens.slice(close + 1), { ...line, label: 0 });
          return this.closeInnermost(unit, line.endLine);
        }
        if (isConstruct) return this.concurrent(tokens.slice(1), name, line);
        if (!isAssignment(tokens.slice(close + 1))) break;
        this.concurrent(tokens.slice(1, close + 1), name, line);
        this.classified(tokens.slice(close + 1), { ...line, label: 0 });
        return this.closeInnermost(unit, line.endLine);
      }
      case 'select': {
        const at = tokens.indexOf('(');
        const test: Expression =
          at < 0 ? { kind: 'opaque', why: '', parts: [] } : this.parser(tokens, line, at).expression();
        return this.begin({ ...body(line.line), kind: 'select', name, test });
      }
      case 'case':
      case 'default':
      case 'type':
      case 'class': {
        const top = unit.blocks.at(-1)!;
        if (unit.skipped > 0 || top.kind !== 'select') return;
        if (top.body.length > 0 || top.parts.length > 0) this.part(top, line.line);
        top.partLine = line.line;
        return;
      }
      case 'block':
      case 'associate':
      case 'critical':
        if (first === 'associate') this.associated(tokens, unit, line);
        return this.begin({ ...body(line.line), kind: 'other', name });
      case 'continue':
        return;
      case 'cycle':
      case 'exit': {
        const isOwn = second === undefined || this.innermostDo(unit)?.name === second;
        return this.add({
          kind: 'jump',
          to: first === 'cycle' && isOwn ? 'continue' : 'break',
          value: undefined,
          line: line.line,
        });
      }
      case 'return':
      case 'stop':
        return this.add({ kind: 'jump', to: 'return', value: undefined, line: line.line });
      case 'error':
        return this.add({ kind: 'jump', to: 'break', value: undefined, line: line.line });
      case 'go':
      case 'goto': {
        const label = Number(first === 'go' ? tokens[2] : second);
        const isNext = label > 0 && this.innermostDo(unit)?.label === label;
        return this.add({
          kind: 'jump',
          to: isNext ? 'continue' : 'elsewhere',
          value: undefined,
          line: line.line,
          ...(label > 0 && !isNext ? { label: String(label) } : {}),
        });
      }
      case 'call': {
        if (second === undefined) break;
        const parser = this.parser(tokens, line, 2);
        const callee = parser.designator(second);
        const value: Expression =
          callee.kind === 'call' ? callee : { kind: 'call', callee: second, args: [], line: line.line };
        return this.add({ kind: 'expression', value, line: line.line });
      }
      case 'allocate':
      case 'deallocate':
      case 'nullify':
      case 'assign':
        return this.opaque(`${first} in line ${line.line} is not followed`, line.line);
      case 'print':
      case 'write':
      case 'read':
      case 'open':
      case 'close':
      case 'rewind':
      case 'inquire':
      case 'backspace':
      case 'flush':
      case 'pause':
      case 'sync':
        return this.opaque(`input and output in line ${line.line} is not counted`, line.line);
    }
    this.problem(line.line, `line ${line.line} could not be parsed`);
    this.opaque(`line ${line.line} could not be parsed`, line.line);
  }

  /** `associate (a => b%c(i), d => x + y)`: other names of elements and sections, and of values. */
  private associated(tokens: readonly Token[], unit: Unit, line: Line): void {
    const parser = this.parser(tokens, line, 2);
    while (parser.next !== undefined && parser.next !== ')') {
      const name = parser.next;
      parser.at++;
      if (!parser.accept('=>')) return this.opaque(`line ${line.line} could not be parsed`, line.line);
      unit.scope.associates.set(name, parser.expression());
      if (!parser.accept(',')) break;
    }
  }

  /** What is left of a value once the loops that it stands for were done. */
  private scalar(value: Expression, line: Line): Expression {
    try {
      const whole = scalarValue(value, this.scope, line.line);
      for (const each of whole.before) this.add(each);
      return whole.value;
    } catch (error) {
      if (!(error instanceof NotFollowed) && !(error instanceof RangeError)) throw error;
      return value;
    }
  }

  /** Scalars that are used without a declaration. */
  protected implicitNames(tokens: readonly Token[]): void {
    if (!this.scope.hasImplicit()) return;
    tokens.forEach((token, i) => {
      if (
        i > 0 &&
        /^[a-z_$][\w$]*$/.test(token) &&
        tokens[i + 1] !== '(' &&
        tokens[i - 1] !== '%' &&
        !KEYWORDS.has(token) &&
        this.scope.find(token) === undefined
      )
        this.define(token, this.scope.implicitType(token), undefined);
    });
  }

  protected ifStatement(tokens: Token[], name: string, line: Line): void {
    const close = closing(tokens, 1);
    const rest = tokens.slice(close + 1);
    const test = this.scalar(this.parser(tokens.slice(0, close + 1), line, 1).expression(), line);
    if (rest[0] === 'then') return this.begin({ ...body(line.line), kind: 'if', name, test });
    if (/^\d+$/.test(rest[0] ?? ''))
      return this.opaque(`the arithmetic if in line ${line.line} is not followed`, line.line);
    if (!isSimple(rest)) return this.opaque(`line ${line.line} could not be parsed`, line.line);
    const unit = this.body(line.line);
    if (unit.skipped > 0) return;
    const { blocks } = unit;
    blocks.push({ ...body(line.line), kind: 'other' });
    this.classified(rest, { ...line, label: 0 });
    const inner = blocks.pop()!;
    this.add({
      kind: 'if',
      test,
      yes: { body: inner.body, line: line.line, endLine: line.endLine },
      no: undefined,
      line: line.line,
    });
  }
}

const KEYWORDS = new Set(['then', 'while', 'concurrent', 'to', 'case', 'default', 'if']);

/** `x = `, `x(i, j) = `, `x%y(i) = `: any word may be a variable. */
export function isAssignment(tokens: readonly Token[]): boolean {
  if (!/^[a-z_$]/.test(tokens[0])) return false;
  let at = 1;
  for (;;) {
    if (tokens[at] === '(') at = closing(tokens, at) + 1;
    else if (tokens[at] === '%') at += 2;
    else break;
  }
  if (tokens[at] !== '=' && tokens[at] !== '=>') return false;
  // do 10 i = 1, n without its blanks is a loop.
  if (/^do\d+[a-z]/.test(tokens[0]) && at === 1) {
    let depth = 0;
    return !tokens.some((each, i) => {
      if (each === '(') depth++;
      if (each === ')') depth--;
      return i > 1 && each === ',' && depth === 0;
    });
  }
  return true;
}

/** A statement that may stand behind `if (...)`: none that begins or ends anything. */
function isSimple(tokens: readonly Token[]): boolean {
  return tokens.length > 0 && (isAssignment(tokens) || SIMPLE.test(tokens[0]));
}

const SIMPLE =
  /^(?:call|go|goto|cycle|exit|return|stop|error|continue|print|write|read|open|close|rewind|allocate|deallocate|nullify)$/;
