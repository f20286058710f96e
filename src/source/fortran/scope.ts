import { constantOf } from '../constants.ts';
import { type Expression, INT, type RecordType, type Type, unknownType, type Variable } from '../syntax.ts';
import type { Names } from './expressions.ts';

const named = (bytes: number, names: string): [string, number][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, bytes]);

/** Of iso_fortran_env and iso_c_binding (Fortran 2018, 16.10.2 and 18.2.2), as compilers for x86-64 Linux have them. */
const STANDARD_KINDS: ReadonlyMap<string, number> = new Map([
  ...named(16, 'real128 c_long_double c_float128 c_long_double_complex'),
  ...named(
    8,
    `real64 int64 c_double c_double_complex c_long c_long_long c_size_t c_int64_t c_intptr_t c_ptrdiff_t c_intmax_t
    c_int_fast16_t c_int_fast32_t c_int_fast64_t c_int_least64_t`,
  ),
  ...named(4, 'real32 int32 c_float c_float_complex c_int c_int32_t c_int_least32_t'),
  ...named(2, 'int16 c_short c_int16_t c_int_least16_t'),
  ...named(1, 'int8 c_char c_signed_char c_bool c_int8_t c_int_fast8_t c_int_least8_t'),
]);

/** Names of kinds that modules which are not here define, by custom. */
const KINDS: ReadonlyMap<string, number> = new Map([
  ...named(8, 'dp r8 wp rk dbl double rp r64 kind_real i8 pr real8 rkind fp_kind double_kind'),
  ...named(4, 'sp r4 single i4 f32 real4'),
  ...named(16, 'qp'),
]);

/** The names of a program unit and of those around it. */
export class Scope implements Names {
  readonly variables = new Map<string, Variable>();
  readonly types = new Map<string, RecordType>();
  /** Variables of modules that are used here, by the names that they have here. */
  readonly imported = new Map<string, Variable>();
  /** What names stand for that `associate` gives. */
  readonly associates = new Map<string, Expression>();
  readonly notes = new Set<string>();
  /** Functions of the file that take arrays element by element. */
  readonly elementals: Set<string>;
  /** Types that attributes gave before or after the declaration: `dimension`, `common`. */
  private readonly implicit: Map<string, Type | undefined>;
  private readonly parent: Scope | undefined;

  constructor(parent: Scope | undefined) {
    this.parent = parent;
    this.elementals = parent?.elementals ?? new Set();
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

  /** What `use` brings: everything, or only the names given, which may be new here (`here => there`). */
  use(module: Scope, renamed: ReadonlyMap<string, string>, only: boolean): void {
    const names = only ? [] : [...module.imported.keys(), ...module.variables.keys(), ...module.types.keys()];
    const places = new Map(names.map((name) => [name, name]));
    for (const there of renamed.values()) places.delete(there);
    for (const [here, there] of renamed) places.set(here, there);
    for (const [here, there] of places) {
      const variable = module.variables.get(there) ?? module.imported.get(there);
      if (variable !== undefined) this.imported.set(here, { ...variable, name: here });
      const type = module.types.get(there);
      if (type !== undefined) this.types.set(here, type);
    }
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
    return this.variables.get(name) ?? this.imported.get(name) ?? this.parent?.find(name);
  }

  associated(name: string): Expression | undefined {
    if (this.variables.has(name) && !this.associates.has(name)) return undefined;
    return this.associates.get(name) ?? this.parent?.associated(name);
  }

  typeOf(name: string): Type | undefined {
    return this.find(name)?.type;
  }

  record(name: string): RecordType | undefined {
    return this.types.get(name) ?? this.parent?.record(name);
  }

  constant(expression: Expression): number | undefined {
    if (expression.kind === 'call') return this.inquiry(expression.callee, expression.args);
    return constantOf(expression, (name) => {
      const found = this.find(name);
      const standard = found === undefined ? STANDARD_KINDS.get(name) : undefined;
      return standard === undefined ? found?.value : { kind: 'number', value: standard, type: INT };
    });
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
    const standard = STANDARD_KINDS.get(text);
    if (standard !== undefined) return standard;
    const known = KINDS.get(text) ?? 8;
    this.notes.add(`the kind ${text} is not declared in this file and is taken for ${known} bytes`);
    return known;
  }
}
