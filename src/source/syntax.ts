/**
 * What all source languages have in common, as far as loops need it. Conversions, storage order and implicit types are
 * resolved by the front ends; what they do not understand they leave as `opaque`, with the reason.
 */

export type Type =
  /** `parameter` is the template's that it stands for. */
  | { readonly kind: 'float'; readonly bytes: number; readonly parameter?: string }
  | { readonly kind: 'int'; readonly bytes: number; readonly signed: boolean }
  | { readonly kind: 'complex'; readonly bytes: number }
  | { readonly kind: 'pointer'; readonly to: Type }
  | ArrayType
  | { readonly kind: 'record'; readonly record: RecordType }
  | { readonly kind: 'void' }
  | { readonly kind: 'unknown'; readonly why: string };

/** An array with all its subscripts: one in C, where an array of arrays is two types. */
export interface ArrayType {
  readonly kind: 'array';
  readonly of: Type;
  /** From the first subscript to the last. */
  readonly dimensions: readonly Dimension[];
  /** Which subscript's neighbours are neighbours in memory. */
  readonly order: 'last' | 'first';
}

/** Elements of a dimension; undefined where only the run knows. */
export interface Dimension {
  readonly extent: number | undefined;
}

/** A struct; filled after it was named, since it may hold pointers to itself. */
export interface RecordType {
  readonly name: string;
  readonly fields: Map<string, Field>;
  /** Undefined where a member's size is not known. */
  bytes: number | undefined;
  /** Of a class that was made of a template: what its parameters are. */
  readonly given?: ReadonlyMap<string, Type>;
}

export interface Field {
  readonly type: Type;
  readonly offset: number | undefined;
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly type: Type }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly base: Expression; readonly subscripts: readonly Expression[] }
  | { readonly kind: 'member'; readonly base: Expression; readonly field: string }
  | { readonly kind: 'deref'; readonly of: Expression }
  | { readonly kind: 'address'; readonly of: Expression }
  | { readonly kind: 'unary'; readonly op: '-' | '!' | '~'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly op: BinaryOp; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'assign';
      readonly op: BinaryOp | undefined;
      readonly target: Expression;
      readonly value: Expression;
    }
  | {
      readonly kind: 'step';
      readonly by: 1 | -1;
      readonly target: Expression;
      /** Whether its value is that after the step. */
      readonly prefix: boolean;
    }
  | { readonly kind: 'choose'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | {
      readonly kind: 'call';
      readonly callee: string;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | { readonly kind: 'cast'; readonly to: Type; readonly of: Expression }
  /** `{a, b}`, `T{a, b}`, and `T(a, b)` of a class: the type is absent where it follows from what takes it. */
  | { readonly kind: 'aggregate'; readonly type: Type | undefined; readonly parts: readonly Part[] }
  | { readonly kind: 'comma'; readonly parts: readonly Expression[] }
  | {
      readonly kind: 'opaque';
      readonly why: string;
      readonly parts: readonly Expression[];
      readonly section?: Section;
    };

/** Of an aggregate: a member by its name, or the next one. */
export interface Part {
  readonly field?: string;
  readonly value: Expression;
}

/** A subscript of Fortran that stands for several: `from:to:by`. */
export interface Section {
  readonly from: Expression | undefined;
  readonly to: Expression | undefined;
  readonly by: Expression | undefined;
}

export type BinaryOp =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '&&'
  | '||'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '!=';

export type Statement =
  | { readonly kind: 'expression'; readonly value: Expression; readonly line: number }
  | {
      readonly kind: 'declare';
      readonly name: string;
      readonly type: Type;
      readonly value: Expression | undefined;
      readonly line: number;
    }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly yes: Branch;
      readonly no: Branch | undefined;
      readonly line: number;
    }
  | {
      readonly kind: 'switch';
      readonly on: Expression;
      readonly cases: readonly Branch[];
      readonly line: number;
    }
  | { readonly kind: 'loop'; readonly loop: Loop }
  | {
      readonly kind: 'jump';
      readonly to: 'break' | 'continue' | 'return' | 'elsewhere';
      /** Of `elsewhere`: the label it goes to. */
      readonly label?: string;
      readonly value: Expression | undefined;
      readonly line: number;
    }
  /** Where jumps go to; only until loops and branches were made of them. */
  | { readonly kind: 'label'; readonly name: string; readonly line: number }
  | { readonly kind: 'opaque'; readonly why: string; readonly line: number };

/** Statements that a condition decides on, with the lines they are in. */
export interface Branch {
  readonly body: readonly Statement[];
  readonly line: number;
  readonly endLine: number;
}

export interface Loop {
  /** Where the statement starts, and its last line. */
  readonly line: number;
  readonly endLine: number;
  readonly form: 'for' | 'while' | 'do' | 'concurrent';
  /** Before the first iteration. */
  readonly before: readonly Statement[];
  /** Holds as long as it goes on; undefined where something inside ends it. */
  readonly test: Expression | undefined;
  readonly body: readonly Statement[];
  /** After every iteration. */
  readonly after: Expression | undefined;
  /** Iterations, where the text says them. */
  readonly trips: number | undefined;
}

export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** What it is known to be always, as of a constant. */
  readonly value?: Expression;
  /** Of a parameter: it is another name of what is passed. */
  readonly isReference?: boolean;
  /** Of such a parameter: it does not change what is passed. */
  readonly isConstant?: boolean;
}

export interface SourceFunction {
  readonly name: string;
  readonly line: number;
  readonly parameters: readonly Variable[];
  /** Fortran passes variables, C values. */
  readonly byReference: boolean;
  readonly result: Type;
  /** It is one of a class, which its name says before its own. */
  readonly isMember?: boolean;
  /** It sees the variables of the function that it is in, which its name begins with. */
  readonly isClosure?: boolean;
  /** The variable that holds the result, where it is one. */
  readonly resultName?: string;
  /** Variables that are declared once for all of it. */
  readonly locals: readonly Variable[];
  /** What was assumed to read it, a sentence each. */
  readonly notes: readonly string[];
  readonly body: readonly Statement[];
}

export interface SourceUnit {
  readonly language: Language;
  readonly globals: ReadonlyMap<string, Variable>;
  readonly functions: readonly SourceFunction[];
  /** What of the file was not understood, outside of functions too; a line and a sentence each. */
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

export type Language = 'c' | 'c++' | 'fortran-free' | 'fortran-fixed';

export const unknownType = (why: string): Type => ({ kind: 'unknown', why });
export const INT: Type = { kind: 'int', bytes: 4, signed: true };
export const LONG: Type = { kind: 'int', bytes: 8, signed: true };
export const DOUBLE: Type = { kind: 'float', bytes: 8 };
export const FLOAT: Type = { kind: 'float', bytes: 4 };

/** Undefined where it is not known. */
export function sizeOf(type: Type): number | undefined {
  switch (type.kind) {
    case 'float':
    case 'int':
    case 'complex':
      return type.bytes;
    case 'pointer':
      return 8;
    case 'record':
      return type.record.bytes;
    case 'array': {
      let size = sizeOf(type.of);
      for (const { extent } of type.dimensions)
        size = size === undefined || extent === undefined ? undefined : size * extent;
      return size;
    }
    case 'void':
    case 'unknown':
      return undefined;
  }
}
