import {
  type BinaryOp,
  DOUBLE,
  type Expression,
  FLOAT,
  INT,
  type Part,
  sizeOf,
  type Type,
  unknownType,
} from '../syntax.ts';
import { type CNode, kid } from './tree.ts';
import { descriptorType, type TypeContext, typeOf } from './types.ts';

/** Expressions nested deeper than this are left alone: reading them is recursive. */
const DEEPEST = 400;

/** Values of a list in braces that are read. */
const MOST_PARTS = 256;

/** Reads expressions of C and C++. `lambdas` hears the bodies of functions without a name. */
export class ExpressionReader {
  private depth = 0;
  private readonly context: TypeContext;
  private readonly lambdas: (node: CNode, name: string) => void;

  constructor(context: TypeContext, lambdas: (node: CNode, name: string) => void) {
    this.context = context;
    this.lambdas = lambdas;
  }

  read(node: CNode): Expression {
    if (this.depth > DEEPEST) return opaque(`line ${node.line} is nested too deeply`);
    this.depth++;
    const result = this.readNode(node);
    this.depth--;
    return result;
  }

  /** A function that a variable holds. */
  named(lambda: CNode, name: string): void {
    this.lambdas(lambda, name);
  }

  private text(node: CNode): string {
    return this.context.text(node);
  }

  private field(node: CNode, name: string): Expression {
    const found = kid(node, name);
    return found === undefined ? opaque(`line ${node.line} was not understood`) : this.read(found);
  }

  private readNode(node: CNode): Expression {
    switch (node.type) {
      case 'number_literal':
        return numberOf(this.text(node));
      case 'char_literal':
        return { kind: 'number', value: this.text(node).charCodeAt(1), type: INT };
      case 'true':
      case 'false':
        return { kind: 'number', value: node.type === 'true' ? 1 : 0, type: INT };
      case 'null':
      case 'nullptr':
        return { kind: 'number', value: 0, type: INT };
      case 'identifier':
      case 'field_identifier':
      case 'type_identifier':
      case 'this':
        return { kind: 'name', name: this.text(node) };
      case 'qualified_identifier':
        return { kind: 'name', name: lastName(this.text(node)) };
      case 'parenthesized_expression':
      case 'condition_clause': {
        const inner =
          kid(node, 'value') ??
          node.kids.find(({ type }) => !/^[();]$/.test(type) && type !== 'init_statement');
        if (inner === undefined) return opaque(`line ${node.line} was not understood`);
        if (inner.type === 'compound_statement') return this.statements(inner);
        if (inner.type === 'declaration') {
          const value = kid(inner, 'value') ?? kid(kid(inner, 'declarator') ?? inner, 'value');
          return value === undefined ? opaque(`line ${node.line} was not understood`) : this.read(value);
        }
        return this.read(inner);
      }
      case 'binary_expression': {
        const op = this.text(kid(node, 'operator') ?? node);
        if (!isBinary(op)) return opaque(`the operator ${op.slice(0, 10)} is not known`);
        const type = this.typeInParentheses(kid(node, 'left'));
        if (type !== undefined && /^[-+*&]$/.test(op))
          return this.castOf(type, op, this.field(node, 'right'));
        return { kind: 'binary', op, left: this.field(node, 'left'), right: this.field(node, 'right') };
      }
      case 'unary_expression': {
        const op = this.text(kid(node, 'operator') ?? node);
        const of = this.field(node, 'argument');
        if (op === '+') return of;
        if (op === '-' && of.kind === 'number') return { ...of, value: -of.value };
        if (op === '-' || op === '!' || op === 'not')
          return { kind: 'unary', op: op === 'not' ? '!' : op, of };
        if (op === '~' || op === 'compl') return { kind: 'unary', op: '~', of };
        return opaque(`the operator ${op.slice(0, 10)} is not known`, [of]);
      }
      case 'update_expression': {
        const op = kid(node, 'operator');
        const target = kid(node, 'argument');
        if (op === undefined || target === undefined) return opaque(`line ${node.line} was not understood`);
        const by = this.text(op) === '++' ? 1 : -1;
        return { kind: 'step', by, target: this.read(target), prefix: op.start < target.start };
      }
      case 'assignment_expression': {
        const op = this.text(kid(node, 'operator') ?? node).slice(0, -1);
        const target = this.field(node, 'left');
        const value = this.field(node, 'right');
        if (op !== '' && !isBinary(op)) return opaque(`the operator ${op.slice(0, 10)}= is not known`);
        return { kind: 'assign', op: op === '' ? undefined : (op as BinaryOp), target, value };
      }
      case 'subscript_expression': {
        const list = kid(node, 'indices') ?? kid(node, 'index');
        const parts =
          list?.type === 'subscript_argument_list' ? operands(list) : list === undefined ? [] : [list];
        const base = this.field(node, 'argument');
        if (parts.length === 0) return opaque(`line ${node.line} was not understood`);
        return parts.reduce<Expression>(
          (all, part) => ({ kind: 'index', base: all, subscripts: [this.read(part)] }),
          base,
        );
      }
      case 'field_expression': {
        const base = this.field(node, 'argument');
        const field = this.text(kid(node, 'field') ?? node);
        const isPointer = this.text(kid(node, 'operator') ?? node) === '->';
        return { kind: 'member', base: isPointer ? { kind: 'deref', of: base } : base, field };
      }
      case 'pointer_expression': {
        const of = this.field(node, 'argument');
        return this.text(kid(node, 'operator') ?? node) === '&'
          ? { kind: 'address', of }
          : { kind: 'deref', of };
      }
      case 'call_expression':
        return this.call(node);
      case 'cast_expression': {
        const to = kid(node, 'type');
        const type =
          to === undefined
            ? unknownType('it is cast to something unknown')
            : descriptorType(to, this.context);
        return { kind: 'cast', to: type, of: this.field(node, 'value') };
      }
      case 'conditional_expression':
        return {
          kind: 'choose',
          test: this.field(node, 'condition'),
          yes: this.field(node, 'consequence'),
          no: this.field(node, 'alternative'),
        };
      case 'comma_expression':
        return { kind: 'comma', parts: [this.field(node, 'left'), this.field(node, 'right')] };
      case 'sizeof_expression':
      case 'alignof_expression':
      case 'offsetof_expression': {
        const type = kid(node, 'type');
        const bytes = type === undefined ? undefined : sizeOf(descriptorType(type, this.context));
        // Its value is a constant, known or not.
        return { kind: 'number', value: bytes ?? Number.NaN, type: { kind: 'int', bytes: 8, signed: false } };
      }
      case 'string_literal':
      case 'raw_string_literal':
      case 'concatenated_string':
        return {
          kind: 'number',
          value: Number.NaN,
          type: { kind: 'pointer', to: { kind: 'int', bytes: 1, signed: true } },
        };
      case 'lambda_expression':
        this.lambdas(node, '');
        return opaque('a lambda is not followed');
      case 'initializer_list':
        return { kind: 'aggregate', type: undefined, parts: this.parts(node) };
      case 'compound_literal_expression': {
        const to = kid(node, 'type');
        const list = kid(node, 'value');
        if (to === undefined || list === undefined) return opaque(`line ${node.line} was not understood`);
        const type =
          to.type === 'type_descriptor' ? descriptorType(to, this.context) : typeOf(to, this.context);
        return { kind: 'aggregate', type, parts: this.parts(list) };
      }
      case 'new_expression': {
        const of = kid(node, 'type');
        const to: Type =
          of === undefined ? unknownType('new of something unknown') : typeOf(of, this.context);
        return { kind: 'cast', to: { kind: 'pointer', to }, of: opaque('') };
      }
      case 'ERROR':
      case 'MISSING':
        return opaque(`line ${node.line} could not be parsed`);
      default:
        return opaque(
          `${node.type.replaceAll('_', ' ')} is not followed (line ${node.line})`,
          node.kids.length > 64 ? [] : operands(node).map((each) => this.read(each)),
        );
    }
  }

  /** `({ a; b; })`, GNU's: a function of its own that is called at once and gives its last expression. */
  private statements(body: CNode): Expression {
    const name = `<statements in line ${body.line} at ${body.start}>`;
    const last = body.kids.findLastIndex(({ type }) => type === 'expression_statement');
    const kids = body.kids.map((each, i) => (i === last ? { ...each, type: 'return_statement' } : each));
    this.lambdas({ ...body, kids: [{ ...body, field: 'body', kids }] }, name);
    return { kind: 'call', callee: name, args: [], line: body.line };
  }

  /** The values of a list in braces, each with the member that it is for where that is said. */
  parts(list: CNode): readonly Part[] {
    return operands(list)
      .slice(0, MOST_PARTS)
      .map((each): Part => {
        if (each.type !== 'initializer_pair') return { value: this.read(each) };
        const designator = each.kids.find(({ type }) => type === 'field_designator');
        const name = designator?.kids.find(({ type }) => type === 'field_identifier');
        const value = this.field(each, 'value');
        return name === undefined ? { value } : { field: this.text(name), value };
      });
  }

  /** `(T) - x` is a difference to the grammar, which does not know the types of the file. */
  private typeInParentheses(node: CNode | undefined): Type | undefined {
    const [open, name, close] = node?.type === 'parenthesized_expression' ? node.kids : [];
    if (open?.type !== '(' || name?.type !== 'identifier' || close?.type !== ')') return undefined;
    return this.context.names.typedefs.get(this.text(name));
  }

  private castOf(to: Type, op: BinaryOp, of: Expression): Expression {
    switch (op) {
      case '-':
        return { kind: 'cast', to, of: { kind: 'unary', op, of } };
      case '*':
        return { kind: 'cast', to, of: { kind: 'deref', of } };
      case '&':
        return { kind: 'cast', to, of: { kind: 'address', of } };
      default:
        return { kind: 'cast', to, of };
    }
  }

  private call(node: CNode): Expression {
    const callee = kid(node, 'function');
    const args = operands(kid(node, 'arguments') ?? node).map((each) => this.read(each));
    if (callee === undefined) return opaque(`line ${node.line} was not understood`);
    switch (callee.type) {
      case 'primitive_type':
      case 'sized_type_specifier':
        return args.length === 1
          ? { kind: 'cast', to: typeOf(callee, this.context), of: args[0] }
          : opaque(`line ${node.line} was not understood`, args);
      case 'field_expression': {
        const object = this.field(callee, 'argument');
        const name = this.text(kid(callee, 'field') ?? callee);
        const isPointer = this.text(kid(callee, 'operator') ?? callee) === '->';
        const of: Expression = isPointer ? { kind: 'deref', of: object } : object;
        if (name === 'at' && args.length === 1) return { kind: 'index', base: of, subscripts: args };
        if (/^c?(?:data|begin)$/.test(name)) return of;
        return { kind: 'call', callee: `.${name}`, args: [of, ...args], line: node.line };
      }
      case 'template_function':
      case 'qualified_identifier':
      case 'identifier':
        return this.namedCall(callee, args, node.line);
      case 'lambda_expression': {
        const name = `<lambda in line ${callee.line} at ${callee.start}>`;
        this.lambdas(callee, name);
        return { kind: 'call', callee: name, args, line: node.line };
      }
      default:
        return { kind: 'call', callee: '', args: [this.read(callee), ...args], line: node.line };
    }
  }

  private namedCall(callee: CNode, args: readonly Expression[], line: number): Expression {
    if (callee.type === 'qualified_identifier') {
      const name = kid(callee, 'name');
      if (name?.type === 'template_function') return this.namedCall(name, args, line);
      const last = lastName(this.text(callee));
      // What only says how a value is passed on.
      const [only] = args;
      if (/^std\s*::\s*(?:move|forward|as_const|ref|cref)$/.test(this.text(callee)) && only !== undefined)
        return only;
      return this.made(last, args) ?? { kind: 'call', callee: last, args, line };
    }
    if (callee.type === 'template_function') {
      const name = this.text(kid(callee, 'name') ?? callee);
      const to = operands(kid(callee, 'arguments') ?? callee).find(({ type }) => type === 'type_descriptor');
      if (/^(?:static|reinterpret|const|dynamic)_cast$/.test(name) && to !== undefined && args.length === 1)
        return { kind: 'cast', to: descriptorType(to, this.context), of: args[0] };
      const types = operands(kid(callee, 'arguments') ?? callee);
      const [first] = types;
      if (name === 'complex' && first !== undefined) {
        const type = typeOf(first, this.context);
        const bytes = 2 * (sizeOf(type) ?? 8);
        return {
          kind: 'aggregate',
          type: { kind: 'complex', bytes },
          parts: args.map((value) => ({ value })),
        };
      }
      if (/^make_(?:unique|shared)(?:_for_overwrite)?$/.test(name) && first !== undefined) {
        const type = typeOf(first, this.context);
        const to = type.kind === 'array' ? type.of : type;
        return { kind: 'cast', to: { kind: 'pointer', to }, of: opaque('') };
      }
      const [only] = args;
      if (name === 'get' && first !== undefined && /^\d+$/.test(this.text(first)) && only !== undefined)
        return { kind: 'member', base: only, field: `#${this.text(first)}` };
      if (/^(?:move|forward|as_const)$/.test(name) && args.length === 1 && only !== undefined) return only;
      return this.made(name, args) ?? { kind: 'call', callee: name, args, line };
    }
    const name = this.text(callee);
    // `T(x)` converts where T is a type.
    const type = this.context.names.typedefs.get(name);
    if (type !== undefined && type.kind !== 'record' && args.length === 1)
      return { kind: 'cast', to: type, of: args[0] };
    return this.made(name, args) ?? { kind: 'call', callee: name, args, line };
  }

  /** `T(a, b)` where T is a class of the file. */
  private made(name: string, args: readonly Expression[]): Expression | undefined {
    const named = this.context.names.named(name);
    return named.kind === 'record'
      ? { kind: 'aggregate', type: named, parts: args.map((value) => ({ value })) }
      : undefined;
  }
}

const opaque = (why: string, parts: readonly Expression[] = []): Expression => ({
  kind: 'opaque',
  why,
  parts,
});

/** Kids without the words and signs between them. */
const operands = (node: CNode): CNode[] =>
  node.kids.filter(({ type }) => /^[a-z_]{2,}$/.test(type) || type === 'ERROR');

const lastName = (text: string): string =>
  text
    .replace(/<[\s\S]*$/, '')
    .split('::')
    .at(-1)!
    .trim();

const BINARY: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^', '&&', '||'],
  ...['<', '>', '<=', '>=', '==', '!='],
]);
const isBinary = (op: string): op is BinaryOp => BINARY.has(op);

/** The value and type of a literal; NaN where it has more digits than a number here holds exactly. */
function numberOf(text: string): Expression {
  const plain = text.replaceAll("'", '').toLowerCase();
  const isHex = plain.startsWith('0x');
  const isFloat = isHex ? /[.p]/.test(plain) : /[.e]/.test(plain);
  if (isFloat || (!isHex && /\df$/.test(plain))) {
    const suffix = /[fl]$/.exec(isHex ? plain.replace(/^[^p]*/, '') : plain)?.[0];
    const type: Type = suffix === 'f' ? FLOAT : suffix === 'l' ? { kind: 'float', bytes: 16 } : DOUBLE;
    return { kind: 'number', value: Number.parseFloat(plain), type };
  }
  const digits = plain.replace(/(?:u|l|z|i64)+$/, '');
  const value = Number(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const long = /l/.test(plain.slice(digits.length)) || Math.abs(value) > 0x7fffffff;
  const signed = !/u/.test(plain.slice(digits.length));
  return { kind: 'number', value, type: { kind: 'int', bytes: long ? 8 : 4, signed } };
}
