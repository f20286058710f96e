import {
  type Branch,
  type Expression,
  INT,
  type Language,
  type Loop,
  type SourceFunction,
  type SourceUnit,
  type Statement,
  type Type,
  unknownType,
  type Variable,
} from '../syntax.ts';
import { addFields, closing, entitiesOf, entityList, isTypeDeclaration, typeAt } from './declarations.ts';
import { ExpressionParser, type Token, tokensOf } from './expressions.ts';
import { type Line, linesOf } from './lines.ts';
import { Scope } from './scope.ts';

/** Program units, types and module variables of a Fortran file. */
export function readFortran(source: string, language: Language): SourceUnit {
  const reader = new Reader();
  for (const line of linesOf(source, language === 'fortran-fixed' ? 'fixed' : 'free')) reader.statement(line);
  reader.end();
  return { language, globals: reader.globals, functions: reader.functions, problems: reader.problems };
}

/** Constructs inside each other; deeper ones are left out, since what reads them is recursive. */
const DEEPEST = 120;

/** A program unit that is open. */
interface Unit {
  readonly kind: 'module' | 'procedure' | 'skipped';
  readonly name: string;
  readonly line: number;
  readonly scope: Scope;
  readonly parameters: readonly string[];
  readonly result: string | undefined;
  readonly blocks: Block[];
  /** Constructs that were left out: how many `end`s still belong to them. */
  skipped: number;
}

/** A construct that is open. */
interface Block {
  readonly kind: 'body' | 'if' | 'do' | 'select' | 'other';
  readonly line: number;
  readonly name: string;
  /** Of a labelled `do`: where it ends. */
  readonly label: number;
  body: Statement[];
  /** Where the part of an `if` or `select` that is open began. */
  partLine: number;
  readonly parts: { readonly test: Expression | undefined; readonly branch: Branch }[];
  test: Expression | undefined;
  /** Makes a loop of the body. */
  readonly finish?: (body: readonly Statement[], endLine: number) => Statement;
}

class Reader {
  readonly globals = new Map<string, Variable>();
  readonly functions: SourceFunction[] = [];
  readonly problems: { line: number; why: string }[] = [];
  private readonly units: Unit[] = [];
  private readonly file = new Scope(undefined);
  private openType: { readonly name: string; readonly scope: Scope } | undefined;
  private inInterface = 0;
  private lastLine = 1;

  statement(line: Line): void {
    this.lastLine = line.endLine;
    const tokens = tokensOf(line.text);
    this.classified(tokens, line);
    if (line.label > 0) this.endLabelled(line.label, line.endLine);
  }

  end(): void {
    while (this.units.length > 0) this.endUnit(this.lastLine);
  }

  private get unit(): Unit | undefined {
    return this.units.at(-1);
  }

  private get scope(): Scope {
    return this.unit?.scope ?? this.file;
  }

  private problem(line: number, why: string): void {
    if (this.problems.length < 1000) this.problems.push({ line, why });
  }

  private classified(tokens: Token[], line: Line): void {
    if (tokens.length === 0) return;
    // name: do ...
    let name = '';
    if (tokens[1] === ':' && /^(?:do|if|select|where|forall|block|associate)$/.test(tokens[2] ?? '')) {
      name = tokens[0];
      tokens.splice(0, 2);
    }
    const [first, second] = tokens;
    const words = `${first}${/^[a-z]/.test(second ?? '') ? ` ${second}` : ''}`;
    if (this.inInterface > 0) {
      if (/^end ?interface/.test(words)) this.inInterface--;
      else if (first === 'interface') this.inInterface++;
      return;
    }
    if (this.openType !== undefined) return this.inType(tokens, words, line);
    if (isAssignment(tokens)) return this.assignment(tokens, line);
    const compact = /^do(\d+)([a-z]\w*)$/.exec(first);
    if (compact !== null && second === '=') tokens.splice(0, 1, 'do', compact[1], compact[2]);
    if (/^(?:abstract )?interface$/.test(words) || first === 'interface') {
      this.inInterface++;
      return;
    }
    if (this.unitStart(tokens, line)) return;
    if (first === 'type' && second !== '(') return this.typeStart(tokens);
    if (isTypeDeclaration(tokens)) return this.declareNames(tokens, line);
    if (/^end/.test(first) && this.ends(first, second, line)) return;
    if (this.specification(tokens, line)) return;
    this.executable(tokens, name, line);
  }

  // Program units.

  private unitStart(tokens: readonly Token[], line: Line): boolean {
    const [first, second] = tokens;
    if (first === 'module' && second !== 'procedure' && second !== undefined) {
      this.open('module', second, [], undefined, line, undefined);
      return true;
    }
    if (first === 'submodule' || (first === 'block' && second === 'data') || first === 'blockdata') {
      this.open('module', '', [], undefined, line, undefined);
      return true;
    }
    if (first === 'program' && second !== undefined) {
      this.open('procedure', second, [], undefined, line, undefined);
      return true;
    }
    if (first === 'module' && second === 'procedure') {
      this.open('procedure', tokens[2] ?? '', [], undefined, line, undefined);
      return true;
    }
    // Prefixes, of which one may be a type, then what it is.
    const at = tokens.findIndex((each) => each === 'subroutine' || each === 'function');
    if (at < 0 || at > 12 || tokens[0] === 'end' || !/^[a-z_]/.test(tokens[at + 1] ?? '')) return false;
    if (!tokens.slice(0, at).every((each) => PREFIX.test(each))) return false;
    const name = tokens[at + 1];
    const open = at + 2;
    const close = tokens[open] === '(' ? closing(tokens, open) : open - 1;
    const parameters =
      tokens[open] === '(' ? tokens.slice(open + 1, close).filter((each) => /^[a-z_]/.test(each)) : [];
    const isFunction = tokens[at] === 'function';
    const resultAt = tokens.indexOf('result', close);
    const result = !isFunction
      ? undefined
      : resultAt >= 0 && tokens[resultAt + 1] === '('
        ? tokens[resultAt + 2]
        : name;
    const typeFrom = tokens.findIndex(
      (each, i) => i < at && isTypeDeclaration([each, ...tokens.slice(i + 1, at), '']),
    );
    const before = typeFrom < 0 ? undefined : typeAt(tokens.slice(typeFrom, at), this.scope, line.line).type;
    this.open('procedure', name, parameters, result, line, before);
    return true;
  }

  private open(
    kind: Unit['kind'],
    name: string,
    parameters: readonly string[],
    result: string | undefined,
    line: Line,
    type: Type | undefined,
  ): void {
    if (this.units.length > 20) {
      this.problem(line.line, 'program units are nested too deeply');
      this.end();
    }
    const scope = new Scope(this.scope);
    if (result !== undefined && type !== undefined) scope.variables.set(result, { name: result, type });
    this.units.push({
      kind,
      name,
      line: line.line,
      scope,
      parameters,
      result,
      blocks: [body(line.line)],
      skipped: 0,
    });
  }

  private endUnit(endLine: number): void {
    const unit = this.units.pop();
    if (unit === undefined) return;
    while (unit.blocks.length > 1) {
      this.problem(unit.blocks.at(-1)!.line, `what line ${unit.blocks.at(-1)!.line} begins has no end`);
      this.close(unit, endLine);
    }
    const { scope, name, line } = unit;
    if (unit.kind === 'module') {
      for (const each of scope.variables.values()) this.globals.set(each.name, each);
      for (const [key, record] of scope.types) this.file.types.set(key, record);
      return;
    }
    const typed = (variable: string): Variable =>
      scope.variables.get(variable) ?? { name: variable, type: scope.implicitType(variable) };
    const parameters = unit.parameters.map(typed);
    const names = new Set(unit.parameters);
    const own = [
      ...this.units.flatMap((each) => (each.kind === 'procedure' ? [...each.scope.variables.values()] : [])),
      ...scope.variables.values(),
    ];
    const locals = own.filter((each) => !names.has(each.name));
    const result = unit.result === undefined ? undefined : typed(unit.result);
    const statements = unit.blocks[0].body;
    this.functions.push({
      name,
      line,
      parameters,
      byReference: true,
      result: result?.type ?? { kind: 'void' },
      locals: [...locals, ...(result === undefined || scope.variables.has(result.name) ? [] : [result])],
      notes: [...scope.notes],
      body: statements,
      ...(result === undefined ? {} : { resultName: result.name }),
    });
  }

  // Declarations.

  private typeStart(tokens: readonly Token[]): void {
    const colons = tokens.indexOf('::');
    const name = colons >= 0 ? tokens[colons + 1] : tokens[1];
    if (name === undefined) return;
    const { scope } = this;
    scope.types.set(name, { name, fields: new Map(), bytes: 0 });
    this.openType = { name, scope };
  }

  private inType(tokens: readonly Token[], words: string, line: Line): void {
    const { name, scope } = this.openType!;
    if (/^end ?type/.test(words) || words === 'end') {
      this.openType = undefined;
      return;
    }
    if (isTypeDeclaration(tokens))
      addFields(scope.types.get(name)!, entitiesOf(tokens, scope, line.line).entities);
  }

  private declareNames(tokens: readonly Token[], line: Line): void {
    const { entities, isConstant } = entitiesOf(tokens, this.scope, line.line);
    for (const { name, type, value } of entities) {
      const before = this.scope.variables.get(name)?.type;
      const whole: Type = before?.kind === 'array' && type.kind !== 'array' ? { ...before, of: type } : type;
      this.define(name, whole, isConstant ? value : undefined);
    }
  }

  private define(name: string, type: Type, value: Expression | undefined): void {
    const number = value === undefined ? undefined : this.scope.constant(value);
    this.scope.variables.set(name, {
      name,
      type,
      ...(number === undefined ? {} : { value: { kind: 'number', value: number, type } }),
    });
  }

  private specification(tokens: readonly Token[], line: Line): boolean {
    const { scope } = this;
    switch (tokens[0]) {
      case 'implicit':
        if (tokens[1] === 'none') scope.implicitNone();
        else this.implicit(tokens.slice(1), line);
        return true;
      case 'dimension':
      case 'allocatable':
      case 'pointer':
      case 'target':
      case 'common': {
        const list = tokens.filter((each) => each !== '::').slice(1);
        const clean = tokens[0] === 'common' ? withoutBlockNames(list) : list;
        for (const { name, type } of entityList(
          clean,
          0,
          unknownType(''),
          unknownType(''),
          scope,
          line.line,
        )) {
          const known = scope.variables.get(name)?.type ?? scope.implicitType(name);
          if (type.kind === 'array')
            this.define(name, { ...type, of: known.kind === 'array' ? known.of : known }, undefined);
          else if (!scope.variables.has(name)) this.define(name, known, undefined);
        }
        return true;
      }
      case 'parameter': {
        if (tokens[1] !== '(') return false;
        for (let at = 2; at < tokens.length; ) {
          const name = tokens[at];
          if (tokens[at + 1] !== '=' || !/^[a-z_]/.test(name)) break;
          const parser = new ExpressionParser(tokens, scope, line.line, at + 2);
          const value = parser.expression();
          this.define(name, scope.variables.get(name)?.type ?? scope.implicitType(name), value);
          at = parser.at + 1;
        }
        return true;
      }
      case 'use':
      case 'import':
      case 'include':
      case 'save':
      case 'external':
      case 'intrinsic':
      case 'data':
      case 'equivalence':
      case 'namelist':
      case 'intent':
      case 'optional':
      case 'public':
      case 'private':
      case 'volatile':
      case 'contiguous':
      case 'procedure':
      case 'format':
      case 'entry':
      case 'sequence':
        return true;
      case 'contains':
        return true;
      default:
        return false;
    }
  }

  /** implicit real*8 (a-h, o-z) */
  private implicit(tokens: readonly Token[], line: Line): void {
    let at = 0;
    while (at < tokens.length) {
      // The letters are the last list: the kind may have one of its own.
      const from = tokens.slice(at);
      let open = from.indexOf('(');
      if (open < 0) return;
      if (from[closing(from, open) + 1] === '(') open = closing(from, open) + 1;
      const close = closing(from, open);
      const { type } = typeAt(from.slice(0, open), this.scope, line.line);
      const letters = from.slice(open + 1, close);
      for (let i = 0; i < letters.length; i++) {
        if (!/^[a-z]$/.test(letters[i])) continue;
        const isRange = letters[i + 1] === '-';
        this.scope.implicitly(letters[i], isRange ? (letters[i + 2] ?? letters[i]) : letters[i], type);
        if (isRange) i += 2;
      }
      at += close + 2;
    }
  }

  // Executable statements.

  private body(line: number): Unit {
    // A main program needs no head.
    if (this.unit === undefined || this.unit.kind === 'module')
      this.open('procedure', 'main', [], undefined, { line, endLine: line, label: 0, text: '' }, undefined);
    return this.unit!;
  }

  private add(statement: Statement): void {
    const unit = this.body('line' in statement ? statement.line : 1);
    if (unit.skipped === 0) unit.blocks.at(-1)!.body.push(statement);
  }

  private opaque(why: string, line: number): void {
    this.add({ kind: 'opaque', why, line });
  }

  private parser(tokens: readonly Token[], line: Line, at: number): ExpressionParser {
    return new ExpressionParser(tokens, this.scope, line.line, at);
  }

  private assignment(tokens: readonly Token[], line: Line): void {
    this.body(line.line);
    const parser = this.parser(tokens, line, 1);
    const target = this.implicitTarget(parser.designator(tokens[0]));
    if (parser.accept('=>')) return this.opaque(`a pointer is set in line ${line.line}`, line.line);
    if (!parser.accept('=')) return this.opaque(`line ${line.line} could not be parsed`, line.line);
    const value = parser.expression();
    if (target.kind === 'call')
      return this.opaque(`${target.callee} in line ${line.line} is not declared as an array`, line.line);
    if (target.kind === 'name' && this.scope.typeOf(target.name)?.kind === 'array')
      return this.opaque(`the assignment of a whole array in line ${line.line} is not followed`, line.line);
    this.add({
      kind: 'expression',
      value: { kind: 'assign', op: undefined, target, value },
      line: line.line,
    });
  }

  /** A variable without a declaration has the type of its first letter. */
  private implicitTarget(target: Expression): Expression {
    if (target.kind === 'name' && this.scope.find(target.name) === undefined && this.scope.hasImplicit())
      this.define(target.name, this.scope.implicitType(target.name), undefined);
    return target;
  }

  /** What counts a loop is an integer, whoever declares it. */
  private counter(name: string): void {
    if (this.scope.find(name) === undefined)
      this.define(name, this.scope.hasImplicit() ? this.scope.implicitType(name) : INT, undefined);
  }

  private executable(tokens: Token[], name: string, line: Line): void {
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
          this.opaque(`where in line ${line.line} is not followed`, line.line);
          if (isConstruct) this.begin({ ...body(line.line), kind: 'other', name });
          return;
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
        if (first === 'associate') this.opaque(`associate in line ${line.line} is not followed`, line.line);
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

  /** Scalars that are used without a declaration. */
  private implicitNames(tokens: readonly Token[]): void {
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

  private ifStatement(tokens: Token[], name: string, line: Line): void {
    const close = closing(tokens, 1);
    const rest = tokens.slice(close + 1);
    const test = this.parser(tokens.slice(0, close + 1), line, 1).expression();
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

  private begin(block: Block): void {
    const unit = this.body(block.line);
    if (unit.skipped > 0 || unit.blocks.length > DEEPEST) {
      if (unit.skipped === 0) this.opaque(`line ${block.line} is nested too deeply`, block.line);
      unit.skipped++;
      return;
    }
    unit.blocks.push(block);
  }

  private doStatement(tokens: Token[], name: string, line: Line): void {
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

  /** `(i = 1:n, j = 1:m, mask)`: a loop for each, the first innermost as its elements are neighbours. */
  private concurrent(tokens: readonly Token[], name: string, line: Line): void {
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

  private innermostDo(unit: Unit): Block | undefined {
    return unit.blocks.findLast(({ kind }) => kind === 'do');
  }

  /** Ends the part of an `if` or `select` that is open. */
  private part(block: Block, line: number): void {
    block.parts.push({
      test: block.test,
      branch: { body: block.body, line: block.partLine, endLine: Math.max(block.partLine, line - 1) },
    });
    block.body = [];
    block.partLine = line;
  }

  private ends(first: Token, second: Token | undefined, line: Line): boolean {
    const what = first === 'end' ? (second ?? '') : first.slice(3);
    const unit = this.unit;
    if (/^(?:|subroutine|function|program|module|submodule|procedure|block ?data|blockdata)$/.test(what)) {
      this.endUnit(line.endLine);
      return true;
    }
    if (!/^(?:do|if|select|where|forall|block|associate|critical|interface|type|enum)$/.test(what))
      return false;
    if (unit === undefined) return true;
    if (unit.skipped === 0 && unit.blocks.length <= 1)
      this.problem(line.line, `line ${line.line} ends what was not begun`);
    this.closeInnermost(unit, line.endLine);
    return true;
  }

  /** A labelled statement ends every `do` that names it. */
  private endLabelled(label: number, endLine: number): void {
    const unit = this.unit;
    if (unit === undefined) return;
    while (unit.blocks.length > 1 && unit.blocks.at(-1)!.kind === 'do' && unit.blocks.at(-1)!.label === label)
      this.close(unit, endLine);
  }

  private closeInnermost(unit: Unit, endLine: number): void {
    if (unit.skipped > 0) unit.skipped--;
    else if (unit.blocks.length > 1) this.close(unit, endLine);
  }

  private close(unit: Unit, endLine: number): void {
    const block = unit.blocks.pop();
    if (block === undefined) return;
    const outer = unit.blocks.at(-1)!.body;
    const { line } = block;
    switch (block.kind) {
      case 'do':
        outer.push(block.finish!(block.body, endLine));
        return;
      case 'if': {
        this.part(block, endLine);
        const chain = block.parts.reduceRight<Branch | undefined>((no, { test, branch }) => {
          if (test === undefined) return branch;
          const statement: Statement = { kind: 'if', test, yes: branch, no, line: branch.line };
          return { body: [statement], line: branch.line, endLine };
        }, undefined);
        outer.push(...(chain?.body ?? []));
        return;
      }
      case 'select':
        this.part(block, endLine);
        outer.push({ kind: 'switch', on: block.test!, cases: block.parts.map(({ branch }) => branch), line });
        return;
      case 'other':
      case 'body':
        outer.push(...block.body);
    }
  }
}

const PREFIX =
  /^(?:pure|elemental|impure|recursive|module|non_recursive|integer|real|double|precision|doubleprecision|complex|logical|character|type|class|kind|len|\(|\)|=|\*|\d+|[a-z]\w*|attributes|host|device|global)$/;
const KEYWORDS = new Set(['then', 'while', 'concurrent', 'to', 'case', 'default', 'if']);

function body(line: number): Block {
  return { kind: 'body', line, name: '', label: 0, body: [], partLine: line, parts: [], test: undefined };
}

/** `x = `, `x(i, j) = `, `x%y(i) = `: any word may be a variable. */
function isAssignment(tokens: readonly Token[]): boolean {
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

/** common /a/ x, y /b/ z → x, y, z */
function withoutBlockNames(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] === '//') {
      if (result.length > 0 && result.at(-1) !== ',') result.push(',');
      continue;
    }
    if (tokens[i] !== '/') {
      result.push(tokens[i]);
      continue;
    }
    i += tokens[i + 1] === '/' ? 1 : 2;
    if (result.length > 0 && result.at(-1) !== ',') result.push(',');
  }
  return result;
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
