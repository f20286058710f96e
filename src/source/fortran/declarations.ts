import { type Expression, type Field, type RecordType, sizeOf, type Type, unknownType } from '../syntax.ts';
import { ExpressionParser, type Token } from './expressions.ts';
import type { Scope } from './scope.ts';

const TYPES = new Set([
  'integer',
  'real',
  'double',
  'doubleprecision',
  'complex',
  'doublecomplex',
  'logical',
  'character',
  'type',
  'class',
  'byte',
]);

/** Whether the statement declares variables of a type; `function` in front of a name makes it another. */
export function isTypeDeclaration(tokens: readonly Token[]): boolean {
  if (!TYPES.has(tokens[0])) return false;
  if ((tokens[0] === 'type' || tokens[0] === 'class') && tokens[1] !== '(') return false;
  // `real = 3` assigns.
  return tokens[1] !== '=' && tokens[1] !== '%';
}

/** The type that a statement starts with, and the position behind it. */
export function typeAt(
  tokens: readonly Token[],
  scope: Scope,
  line: number,
): { readonly type: Type; readonly at: number } {
  const [word] = tokens;
  let at = 1;
  if (word === 'double') at = 2;
  let bytes: number | undefined;
  let name: string | undefined;
  if (tokens[at] === '*' && /^\d+$/.test(tokens[at + 1] ?? '')) {
    bytes = Number(tokens[at + 1]);
    at += 2;
  } else if (tokens[at] === '(') {
    const close = closing(tokens, at);
    const inside = tokens.slice(at + 1, close);
    if (word === 'type' || word === 'class') name = inside[0];
    else if (word !== 'character')
      bytes = kindOf(inside[0] === 'kind' ? inside.slice(2) : inside, scope, line);
    at = close + 1;
  }
  switch (word) {
    case 'integer':
      return { type: { kind: 'int', bytes: bytes ?? 4, signed: true }, at };
    case 'logical':
      return { type: { kind: 'int', bytes: bytes ?? 4, signed: true }, at };
    case 'byte':
      return { type: { kind: 'int', bytes: 1, signed: true }, at };
    case 'real':
      return { type: { kind: 'float', bytes: bytes ?? 4 }, at };
    case 'double':
    case 'doubleprecision':
      return tokens[1] === 'complex'
        ? { type: { kind: 'complex', bytes: 16 }, at }
        : { type: { kind: 'float', bytes: 8 }, at };
    case 'complex': {
      // complex*16 says the bytes of both parts, complex(8) those of one.
      const isWhole = tokens[1] === '*';
      return { type: { kind: 'complex', bytes: bytes === undefined ? 8 : isWhole ? bytes : 2 * bytes }, at };
    }
    case 'doublecomplex':
      return { type: { kind: 'complex', bytes: 16 }, at };
    case 'type':
    case 'class': {
      const record = name === undefined ? undefined : scope.record(name);
      return {
        type:
          record === undefined
            ? unknownType(`the type ${name ?? ''} is not declared in this file`)
            : { kind: 'record', record },
        at,
      };
    }
    default:
      return { type: unknownType('a character has no arithmetic'), at };
  }
}

function kindOf(inside: readonly Token[], scope: Scope, line: number): number {
  if (inside.length === 1) return scope.kind(inside[0]);
  const value = scope.constant(new ExpressionParser(inside, scope, line).expression());
  return value !== undefined && [1, 2, 4, 8, 10, 16].includes(value) ? value : 8;
}

/** Position of the `)` of the `(` at `open`; the end where there is none. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i] === '(' || tokens[i] === '(/') depth++;
    if (tokens[i] === ')' || tokens[i] === '/)') depth--;
    if (depth === 0) return i;
  }
  return tokens.length;
}

export interface Entity {
  readonly name: string;
  readonly type: Type;
  readonly value: Expression | undefined;
}

/** The entities of a declaration: `real, dimension(n) :: x, y(3)`. */
export function entitiesOf(
  tokens: readonly Token[],
  scope: Scope,
  line: number,
): { readonly entities: readonly Entity[]; readonly isConstant: boolean } {
  const { type: base, at: start } = typeAt(tokens, scope, line);
  const colons = tokens.indexOf('::', start);
  let shape: Type = base;
  let isConstant = false;
  let at = start;
  if (colons >= 0) {
    for (let i = start; i < colons; i++) {
      if (tokens[i] === 'parameter') isConstant = true;
      if ((tokens[i] === 'dimension' || tokens[i] === 'codimension') && tokens[i + 1] === '(') {
        shape = arrayOf(base, tokens, i + 1, scope, line).type;
      }
    }
    at = colons + 1;
  } else if (tokens[at] === ',') at++;
  return { entities: entityList(tokens, at, shape, base, scope, line), isConstant };
}

/** `name`, `name(dimensions)`, `name = value`, separated by commas. */
export function entityList(
  tokens: readonly Token[],
  from: number,
  shape: Type,
  base: Type,
  scope: Scope,
  line: number,
): readonly Entity[] {
  const result: Entity[] = [];
  let at = from;
  while (at < tokens.length) {
    const name = tokens[at++];
    if (!/^[a-z_$]/.test(name)) break;
    let type = shape;
    if (tokens[at] === '(') {
      const array = arrayOf(base, tokens, at, scope, line);
      type = array.type;
      at = array.at;
    }
    if (tokens[at] === '*') at = tokens[at + 1] === '(' ? closing(tokens, at + 1) + 1 : at + 2;
    let value: Expression | undefined;
    if (tokens[at] === '=' || tokens[at] === '=>') {
      const parser = new ExpressionParser(tokens, scope, line, at + 1);
      value = parser.expression();
      at = parser.at;
    }
    result.push({ name, type, value });
    if (tokens[at] !== ',') break;
    at++;
  }
  return result;
}

function arrayOf(
  of: Type,
  tokens: readonly Token[],
  open: number,
  scope: Scope,
  line: number,
): { readonly type: Type; readonly at: number } {
  const close = closing(tokens, open);
  const dimensions: { extent: number | undefined }[] = [];
  let part: Token[] = [];
  let depth = 0;
  for (let i = open + 1; i <= close; i++) {
    const token = tokens[i];
    if (i === close || (token === ',' && depth === 0)) {
      if (part.length > 0) dimensions.push({ extent: extentOf(part, scope, line) });
      part = [];
      continue;
    }
    if (token === '(') depth++;
    if (token === ')') depth--;
    part.push(token);
  }
  return { type: { kind: 'array', of, dimensions, order: 'first' }, at: close + 1 };
}

function extentOf(part: readonly Token[], scope: Scope, line: number): number | undefined {
  const colon = part.indexOf(':');
  const value = (tokens: readonly Token[]): number | undefined =>
    tokens.length === 0 || tokens[0] === '*'
      ? undefined
      : scope.constant(new ExpressionParser(tokens, scope, line).expression());
  if (colon < 0) return value(part);
  const low = value(part.slice(0, colon));
  const high = value(part.slice(colon + 1));
  return low === undefined || high === undefined ? undefined : Math.max(0, high - low + 1);
}

/** Takes the fields of a derived type. */
export function addFields(record: RecordType, entities: readonly Entity[]): void {
  for (const { name, type } of entities) {
    const size = sizeOf(type);
    const align = Math.min(8, Math.max(1, sizeOf(type.kind === 'array' ? type.of : type) ?? 8));
    const start = record.bytes === undefined ? undefined : Math.ceil(record.bytes / align) * align;
    const field: Field = { type, offset: start };
    record.fields.set(name, field);
    record.bytes = start === undefined || size === undefined ? undefined : start + size;
  }
}
