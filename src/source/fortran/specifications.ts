import { type Expression, type Type, unknownType } from '../syntax.ts';
import { addFields, closing, entitiesOf, entityList, isTypeDeclaration, typeAt } from './declarations.ts';
import { ExpressionParser, type Token } from './expressions.ts';
import type { Line } from './lines.ts';
import type { Scope } from './scope.ts';
import { Units } from './units.ts';

/** Declarations: types, variables and their attributes. */
export abstract class Specifications extends Units {
  private openType: { readonly name: string; readonly scope: Scope } | undefined;

  /** Whether the statements are those of a type. */
  protected get isInType(): boolean {
    return this.openType !== undefined;
  }

  protected typeStart(tokens: readonly Token[]): void {
    const colons = tokens.indexOf('::');
    const name = colons >= 0 ? tokens[colons + 1] : tokens[1];
    if (name === undefined) return;
    const { scope } = this;
    scope.types.set(name, { name, fields: new Map(), bytes: 0 });
    this.openType = { name, scope };
  }

  protected inType(tokens: readonly Token[], words: string, line: Line): void {
    const { name, scope } = this.openType!;
    if (/^end ?type/.test(words) || words === 'end') {
      this.openType = undefined;
      return;
    }
    if (isTypeDeclaration(tokens))
      addFields(scope.types.get(name)!, entitiesOf(tokens, scope, line.line).entities);
  }

  protected declareNames(tokens: readonly Token[], line: Line): void {
    const { entities, isConstant } = entitiesOf(tokens, this.scope, line.line);
    for (const { name, type, value } of entities) {
      const before = this.scope.variables.get(name)?.type;
      const whole: Type = before?.kind === 'array' && type.kind !== 'array' ? { ...before, of: type } : type;
      this.define(name, whole, isConstant ? value : undefined);
    }
  }

  protected define(name: string, type: Type, value: Expression | undefined): void {
    const number = value === undefined ? undefined : this.scope.constant(value);
    this.scope.variables.set(name, {
      name,
      type,
      ...(number === undefined ? {} : { value: { kind: 'number', value: number, type } }),
    });
  }

  protected specification(tokens: readonly Token[], line: Line): boolean {
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
        this.use(tokens);
        return true;
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

  /** use, intrinsic :: name, only: here => there, other */
  private use(tokens: readonly Token[]): void {
    const colons = tokens.indexOf('::');
    const at = colons > 0 ? colons + 1 : 1;
    const module = this.moduleNamed(tokens[at] ?? '');
    if (module === undefined) return;
    const only = tokens[at + 2] === 'only';
    const renamed = new Map<string, string>();
    for (let i = at + 2; i < tokens.length; i++) {
      if (tokens[i - 1] !== ',' && tokens[i - 1] !== ':') continue;
      if (tokens[i + 1] === '=>') renamed.set(tokens[i], tokens[i + 2] ?? '');
      else if (only) renamed.set(tokens[i], tokens[i]);
    }
    this.scope.use(module, renamed, only);
    for (const [name, variable] of this.scope.imported)
      if (!this.globals.has(name)) this.globals.set(name, variable);
  }

  /** What a module declares, whether it stands in this file or another. */
  protected abstract moduleNamed(name: string): Scope | undefined;

  /** implicit real*8 (a-h, o-z) */
  protected implicit(tokens: readonly Token[], line: Line): void {
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
}

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
