import { constantOf } from '../constants.ts';
import { type Expression, type RecordType, type Type, unknownType, type Variable } from '../syntax.ts';
import type { Names } from './expressions.ts';

/** Names of kinds that modules which are not here define, by custom. */
const KINDS: ReadonlyMap<string, number> = new Map([
  ...[
    'dp',
    'r8',
    'wp',
    'rk',
    'dbl',
    'double',
    'real64',
    'c_double',
    'rp',
    'r64',
    'kind_real',
    'int64',
    'i8',
    'c_long',
    'c_int64_t',
    'c_size_t',
    'c_long_long',
    'pr',
    'real8',
    'rkind',
    'fp_kind',
    'double_kind',
  ].map((name): [string, number] => [name, 8]),
  ...['sp', 'r4', 'single', 'real32', 'c_float', 'int32', 'i4', 'c_int', 'c_int32_t', 'f32', 'real4'].map(
    (name): [string, number] => [name, 4],
  ),
  ...['qp', 'real128', 'c_long_double'].map((name): [string, number] => [name, 16]),
  ...['int16', 'c_short'].map((name): [string, number] => [name, 2]),
  ...['int8', 'c_char', 'c_bool'].map((name): [string, number] => [name, 1]),
]);

/** The names of a program unit and of those around it. */
export class Scope implements Names {
  readonly variables = new Map<string, Variable>();
  readonly types = new Map<string, RecordType>();
  readonly notes = new Set<string>();
  /** Types that attributes gave before or after the declaration: `dimension`, `common`. */
  private readonly implicit: Map<string, Type | undefined>;
  private readonly parent: Scope | undefined;

  constructor(parent: Scope | undefined) {
    this.parent = parent;
    this.implicit = new Map(parent?.implicit);
    if (parent === undefined)
      for (const letter of 'abcdefghijklmnopqrstuvwxyz')
        this.implicit.set(
          letter,
          letter >= 'i' && letter <= 'n'
            ? { kind: 'int', bytes: 4, signed: true }
            : { kind: 'float', bytes: 4 },
        );
  }

  implicitNone(): void {
    this.implicit.clear();
  }

  implicitly(from: string, to: string, type: Type): void {
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0) && code < 128; code++)
      this.implicit.set(String.fromCharCode(code), type);
  }

  implicitType(name: string): Type {
    return this.implicit.get(name[0]) ?? unknownType(`${name} is not declared in this file`);
  }

  hasImplicit(): boolean {
    return this.implicit.size > 0;
  }

  find(name: string): Variable | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }

  typeOf(name: string): Type | undefined {
    return this.find(name)?.type;
  }

  record(name: string): RecordType | undefined {
    return this.types.get(name) ?? this.parent?.record(name);
  }

  constant(expression: Expression): number | undefined {
    if (expression.kind === 'call') return this.inquiry(expression.callee, expression.args);
    return constantOf(expression, (name) => this.find(name)?.value);
  }

  /** Functions that give the number of a kind. */
  private inquiry(callee: string, args: readonly Expression[]): number | undefined {
    const [first] = args;
    if (callee === 'selected_real_kind') {
      const digits = first && this.constant(first);
      return digits === undefined ? undefined : digits > 15 ? 16 : digits > 6 ? 8 : 4;
    }
    if (callee === 'selected_int_kind') {
      const digits = first && this.constant(first);
      return digits === undefined ? undefined : digits > 9 ? 8 : 4;
    }
    if (
      callee === 'kind' &&
      first?.kind === 'number' &&
      (first.type.kind === 'float' || first.type.kind === 'int')
    )
      return first.type.bytes;
    return undefined;
  }

  kind(text: string): number {
    if (/^\d+$/.test(text)) return Number(text);
    const value = this.find(text)?.value;
    const number = value === undefined ? undefined : this.constant(value);
    if (number !== undefined && [1, 2, 4, 8, 10, 16].includes(number)) return number;
    const known = KINDS.get(text);
    if (!/^(?:real|int)(?:8|16|32|64|128)$|^c_/.test(text))
      this.notes.add(`the kind ${text} is not declared in this file and is taken for ${known ?? 8} bytes`);
    return known ?? 8;
  }
}
