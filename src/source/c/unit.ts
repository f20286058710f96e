import { constantOf } from '../constants.ts';
import type { ReadGrammar, Surroundings } from '../ports.ts';
import type {
  Expression,
  Language,
  SourceFunction,
  SourceUnit,
  Statement,
  Type,
  Variable,
} from '../syntax.ts';
import { unknownType } from '../syntax.ts';
import { withComplexTypes, withoutFalseCasts } from './casts.ts';
import { ExpressionReader } from './expressions.ts';
import { preprocess } from './preprocess.ts';
import { readTypedef, StatementReader } from './statements.ts';
import { type CNode, kid, kidOf, parseC } from './tree.ts';
import { declared, specifiedType, type TypeContext, TypeNames, typeOf } from './types.ts';

/** Functions, types and globals of a C or C++ file; of its headers all but functions with loops. */
export async function readC(
  source: string,
  language: Language,
  read: ReadGrammar,
  around: Surroundings,
): Promise<SourceUnit> {
  const { text: expanded, included, problems } = preprocess(source, language === 'c++', around);
  const whole = language === 'c' ? withComplexTypes(expanded) : expanded;
  const text = withoutFalseCasts(whole);
  const tree = await parseC(text, language === 'c++', read);
  if (tree === undefined)
    return {
      language,
      globals: new Map(),
      functions: [],
      problems: [...problems, { line: 1, why: 'the file is too ambiguous to be parsed' }],
    };
  const reader = new UnitReader(text, included);
  try {
    reader.container(tree.root, '', 0);
    // Bodies come last: what they name may be declared after them.
    const functions = reader.functions();
    return { language, globals: reader.globals, functions, problems: [...problems, ...reader.problems] };
  } finally {
    tree.release();
  }
}

/** A function met on the way, to be read when all names are known. */
interface Found {
  readonly name: string;
  readonly line: number;
  readonly declarator: CNode | undefined;
  readonly result: CNode | undefined;
  readonly body: CNode;
  /** Of a constructor: what its members are set to. */
  readonly initial: CNode | undefined;
  readonly members: readonly Variable[];
  readonly isMember: boolean;
  readonly typeParameters: readonly string[];
}

const LOOPS = /\b(?:for|while|do|goto)\b/;
/** Longer functions without a loop are never put in the place of their calls. */
const MOST_INLINED = 4000;
const DEEPEST = 100;

class UnitReader implements TypeContext {
  readonly names = new TypeNames();
  readonly globals = new Map<string, Variable>();
  readonly problems: { line: number; why: string }[] = [];
  private readonly source: string;
  /** Lines that hold what headers say. */
  private readonly included: ReadonlySet<number>;
  private readonly found: Found[] = [];
  private readonly lambdas: { readonly node: CNode; readonly name: string; readonly within: Found }[] = [];
  private current: Found | undefined;
  private readonly expressions: ExpressionReader;

  constructor(source: string, included: ReadonlySet<number>) {
    this.source = source;
    this.included = included;
    this.expressions = new ExpressionReader(this, (node, name) => {
      if (this.current !== undefined) this.lambdas.push({ node, name, within: this.current });
    });
  }

  text(node: CNode): string {
    return this.source.slice(node.start, node.end);
  }

  expression(node: CNode): Expression {
    return this.expressions.read(node);
  }

  constant(expression: Expression): number | undefined {
    return constantOf(
      expression,
      (name) => (this.names.constants.get(name) ?? this.globals.get(name))?.value,
    );
  }

  /** Everything in a file, a namespace, a class or what could not be parsed. */
  container(
    node: CNode,
    scope: string,
    depth: number,
    members: readonly Variable[] = [],
    typeParameters: readonly string[] = [],
    isMember = false,
  ): void {
    if (depth > DEEPEST) return;
    for (const each of node.kids) this.member(each, scope, depth, members, typeParameters, isMember);
  }

  private member(
    each: CNode,
    scope: string,
    depth: number,
    members: readonly Variable[],
    typeParameters: readonly string[],
    isMember: boolean,
  ): void {
    switch (each.type) {
      case 'function_definition': {
        const declarator = kid(each, 'declarator');
        const body = kid(each, 'body');
        if (body === undefined || body.type !== 'compound_statement') return;
        const name = declarator === undefined ? '' : declared(declarator, unknownType(''), this).name;
        this.found.push({
          name: `${scope}${name}`,
          line: each.line,
          declarator,
          result: kid(each, 'type'),
          body,
          initial: kidOf(each, 'field_initializer_list'),
          members,
          isMember,
          typeParameters,
        });
        return;
      }
      case 'declaration':
      case 'field_declaration':
        return this.global(each);
      case 'type_definition':
        return readTypedef(each, this);
      case 'alias_declaration': {
        const name = kid(each, 'name');
        const type = kid(each, 'type');
        if (name !== undefined && type !== undefined)
          this.names.typedefs.set(this.text(name), typeOf(type, this));
        return;
      }
      case 'namespace_definition': {
        const name = kid(each, 'name');
        const inner = kid(each, 'body');
        if (inner !== undefined)
          this.container(inner, `${scope}${name === undefined ? '' : `${this.text(name)}::`}`, depth + 1);
        return;
      }
      case 'template_declaration': {
        const list = kid(each, 'parameters');
        const parameters = (list?.kids ?? []).flatMap((parameter) => {
          const name = kidOf(parameter, 'type_identifier');
          return /type_parameter/.test(parameter.type) && name !== undefined ? [this.text(name)] : [];
        });
        return this.container(each, scope, depth + 1, members, [...typeParameters, ...parameters], isMember);
      }
      case 'struct_specifier':
      case 'class_specifier':
      case 'union_specifier': {
        this.withParameters(typeParameters, () => typeOf(each, this));
        const name = kid(each, 'name');
        const inner = kid(each, 'body');
        if (inner === undefined) return;
        const spelled = name === undefined ? '' : this.text(name).replace(/<[\s\S]*/, '');
        this.names.templates.declare(spelled, typeParameters);
        const fields = [...this.names.record(spelled).fields].map(([field, { type }]) => ({
          name: field,
          type,
        }));
        for (const part of inner.kids)
          if (part.type !== 'field_declaration')
            this.member(
              part,
              `${scope}${spelled}::`,
              depth + 1,
              [...members, ...fields],
              typeParameters,
              true,
            );
        return;
      }
      case 'enum_specifier':
        typeOf(each, this);
        return;
      case 'ERROR':
        this.problems.push({ line: each.line, why: this.unparsed(each.line) });
        return this.container(each, scope, depth + 1, members, typeParameters, isMember);
      case 'friend_declaration':
        // What is defined there is no member.
        return this.container(each, scope.replace(/[^:]+::$/, ''), depth + 1, [], typeParameters);
      case 'linkage_specification':
      case 'declaration_list':
      case 'preproc_if':
      case 'preproc_ifdef':
      case 'preproc_else':
        return this.container(each, scope, depth + 1, members, typeParameters, isMember);
      default: {
        // Statements outside of functions are what is left where a function's head was not understood.
        if (
          /^(?:for|while|do|compound|if|labeled|expression|switch)_statement$|^for_range_loop$/.test(
            each.type,
          ) &&
          LOOPS.test(this.text(each))
        )
          this.found.push({
            name: '',
            line: each.line,
            declarator: undefined,
            result: undefined,
            body: each,
            initial: undefined,
            members,
            isMember,
            typeParameters,
          });
      }
    }
  }

  private unparsed(line: number): string {
    return this.included.has(line)
      ? `a part of what line ${line} includes could not be parsed`
      : `line ${line} could not be parsed`;
  }

  private global(node: CNode): void {
    const base = specifiedType(node, this);
    const isConstant = node.kids.some(
      (each) => each.type === 'type_qualifier' && /^const/.test(this.text(each)),
    );
    for (const each of node.kids) {
      if (each.field !== 'declarator') continue;
      const value = each.type === 'init_declarator' ? kid(each, 'value') : undefined;
      const inner = each.type === 'init_declarator' ? kid(each, 'declarator') : each;
      if (inner === undefined) continue;
      const { name, type, isFunction } = declared(inner, base, this);
      if (isFunction || name === '') continue;
      const scalar =
        value === undefined || value.type === 'initializer_list' ? undefined : this.expression(value);
      const number = isConstant && scalar !== undefined ? this.constant(scalar) : undefined;
      this.globals.set(name, {
        name,
        type,
        ...(number === undefined || (type.kind !== 'int' && type.kind !== 'float')
          ? {}
          : { value: { kind: 'number', value: number, type } }),
      });
    }
  }

  functions(): SourceFunction[] {
    for (const [name, constant] of this.names.constants)
      if (!this.globals.has(name)) this.globals.set(name, constant);
    const result = this.found.flatMap((found) => {
      const isShort = found.body.end - found.body.start <= MOST_INLINED;
      const hasLoops = LOOPS.test(this.text(found.body));
      if (this.included.has(found.line) ? hasLoops || !isShort : !hasLoops && !isShort) return [];
      const own = this.membersOf(found.name);
      const members = [...found.members, ...own];
      const isMember = found.isMember || own.length > 0;
      return [this.functionOf({ ...found, members, isMember }, found.name, found.declarator, found.body)];
    });
    // Lambdas with loops are functions of their own, short ones with a name those of whoever calls them; more of either
    // may turn up inside.
    for (let i = 0; i < this.lambdas.length && i < MOST_LAMBDAS; i++) {
      const { node, name, within } = this.lambdas[i];
      const body = kid(node, 'body');
      if (body === undefined) continue;
      const hasLoops = LOOPS.test(this.text(body));
      if (!hasLoops && (name === '' || body.end - body.start > MOST_INLINED)) continue;
      const around = {
        ...within,
        result: undefined,
        initial: undefined,
        members: hasLoops ? [...within.members, ...this.parametersOf(within.declarator)] : [],
      };
      const spelled = `${within.name}::${hasLoops ? '<lambda>' : name}`;
      const read = this.functionOf(around, spelled, kid(node, 'declarator'), body, node.line);
      result.push(hasLoops ? read : { ...read, isClosure: true });
    }
    return result;
  }

  /** Of the class that a function is defined outside of, by its name. */
  private membersOf(name: string): Variable[] {
    const owner = name
      .replace(/<[^<>]*>/g, '')
      .split('::')
      .at(-2);
    const fields = owner === undefined ? undefined : this.names.records.get(owner)?.fields;
    return [...(fields ?? [])].map(([field, { type }]) => ({ name: field, type }));
  }

  private functionOf(
    found: Found,
    name: string,
    declarator: CNode | undefined,
    body: CNode,
    line = found.line,
  ): SourceFunction {
    const outer = this.current;
    this.current = found;
    const whole = body.expand?.() ?? body;
    const result = this.withParameters(found.typeParameters, (): SourceFunction => {
      const parameters = this.parametersOf(declarator);
      const statements = new StatementReader(this, this.expressions).read(whole);
      return {
        name,
        line,
        parameters,
        byReference: false,
        result: found.result === undefined ? unknownType('auto') : typeOf(found.result, this),
        locals: found.members,
        notes: found.typeParameters.map(
          (each) => `${each} is a parameter of the template and is taken for double`,
        ),
        body: [...this.memberValues(found), ...flattened(statements)],
        ...(found.isMember ? { isMember: true } : {}),
      };
    });
    this.current = outer;
    return result;
  }

  /** `: x(a), y{b}` before a constructor's body, for members that hold one value or are structures. */
  private memberValues({ initial, members }: Found): Statement[] {
    return (initial?.kids ?? []).flatMap((each): Statement[] => {
      const name = kidOf(each, 'field_identifier');
      const list = each.kids.find(({ type }) => type === 'argument_list' || type === 'initializer_list');
      if (each.type !== 'field_initializer' || name === undefined || list === undefined) return [];
      const type = members.find((member) => member.name === this.text(name))?.type;
      if (type === undefined || !/^(?:float|int|complex|record)$/.test(type.kind)) return [];
      const value: Expression = { kind: 'aggregate', type: undefined, parts: this.expressions.parts(list) };
      const target: Expression = { kind: 'name', name: this.text(name) };
      return [
        { kind: 'expression', value: { kind: 'assign', op: undefined, target, value }, line: each.line },
      ];
    });
  }

  private parametersOf(declarator: CNode | undefined): Variable[] {
    return (parameterList(declarator)?.kids ?? []).flatMap((each): Variable[] => {
      if (!/parameter_declaration$/.test(each.type)) return [];
      const inner = kid(each, 'declarator');
      if (inner === undefined) return [];
      const { name, type } = declared(inner, specifiedType(each, this), this);
      const variable = { name, type: decayed(type) };
      if (name === '') return [];
      if (inner.type !== 'reference_declarator') return [variable];
      const isConstant = each.kids.some(
        (kind) => kind.type === 'type_qualifier' && this.text(kind) === 'const',
      );
      return [{ ...variable, isReference: true, isConstant }];
    });
  }

  /** A template's type parameters stand for double: what they are is decided where it is used. */
  private withParameters<T>(parameters: readonly string[], work: () => T): T {
    const before = parameters.map((name) => this.names.typedefs.get(name));
    for (const name of parameters)
      this.names.typedefs.set(name, { kind: 'float', bytes: 8, parameter: name });
    const result = work();
    parameters.forEach((name, i) => {
      const old = before[i];
      if (old === undefined) this.names.typedefs.delete(name);
      else this.names.typedefs.set(name, old);
    });
    return result;
  }
}

const MOST_LAMBDAS = 10_000;

function parameterList(declarator: CNode | undefined): CNode | undefined {
  let node = declarator;
  while (node !== undefined) {
    const list = kid(node, 'parameters');
    if (list !== undefined) return list;
    node = kid(node, 'declarator') ?? node.kids.find(({ type }) => /declarator$/.test(type));
  }
  return undefined;
}

/** An array as a parameter is a pointer. */
const decayed = (type: Type): Type => (type.kind === 'array' ? { kind: 'pointer', to: type.of } : type);

const flattened = (statements: readonly Statement[]): readonly Statement[] =>
  statements.length === 1 && statements[0].kind === 'block' ? statements[0].body : statements;
