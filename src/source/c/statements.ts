import {
  type Branch,
  type Expression,
  type Loop,
  type Statement,
  type Type,
  unknownType,
} from '../syntax.ts';
import type { ExpressionReader } from './expressions.ts';
import { type CNode, kid, kidOf } from './tree.ts';
import { declared, specifiedType, type TypeContext } from './types.ts';

const DEEPEST = 150;

/** Reads the statements of a function. */
export class StatementReader {
  private depth = 0;
  private hidden = 0;
  private readonly context: TypeContext;
  private readonly expressions: ExpressionReader;

  constructor(context: TypeContext, expressions: ExpressionReader) {
    this.context = context;
    this.expressions = expressions;
  }

  read(node: CNode): Statement[] {
    if (this.depth > DEEPEST)
      return [{ kind: 'opaque', why: `line ${node.line} is nested too deeply`, line: node.line }];
    this.depth++;
    const result = this.readNode(node);
    this.depth--;
    return hasError(node) ? [...result, lost(node)] : result;
  }

  private readNode(node: CNode): Statement[] {
    const { line } = node;
    switch (node.type) {
      case 'compound_statement':
        return [{ kind: 'block', body: node.kids.flatMap((each) => this.read(each)) }];
      case 'expression_statement': {
        const inner = node.kids.find(({ type }) => type !== ';');
        return inner === undefined ? [] : [{ kind: 'expression', value: this.expressions.read(inner), line }];
      }
      case 'declaration':
        return this.declaration(node);
      case 'function_definition': {
        const declarator = kid(node, 'declarator');
        if (declarator !== undefined)
          this.expressions.named(node, declared(declarator, unknownType(''), this.context).name);
        return [];
      }
      case 'type_definition':
        readTypedef(node, this.context);
        return [];
      case 'struct_specifier':
      case 'class_specifier':
      case 'union_specifier':
      case 'enum_specifier':
        specifiedType({ ...node, kids: [{ ...node, field: 'type' }] }, this.context);
        return [];
      case 'if_statement': {
        const test = kid(node, 'condition');
        const yes = kid(node, 'consequence');
        const no = kid(node, 'alternative');
        if (test === undefined || yes === undefined) return [lost(node)];
        return [
          ...this.conditionDeclaration(test),
          {
            kind: 'if',
            test: this.expressions.read(test),
            yes: this.branch(yes),
            no: no === undefined ? undefined : this.branch(no),
            line,
          },
        ];
      }
      case 'else_clause':
        return node.kids.filter(({ type }) => type !== 'else').flatMap((each) => this.read(each));
      case 'for_statement':
        return this.forLoop(node);
      case 'while_statement': {
        const test = kid(node, 'condition');
        const condition = test === undefined ? undefined : this.expressions.read(test);
        return [this.loop(node, 'while', [], isAlways(condition) ? undefined : condition, undefined)];
      }
      case 'do_statement': {
        const test = kid(node, 'condition');
        const condition = test === undefined ? undefined : this.expressions.read(test);
        if (isNever(condition)) return [this.once(node)];
        return [this.loop(node, 'do', [], isAlways(condition) ? undefined : condition, undefined)];
      }
      case 'for_range_loop':
        return this.rangeLoop(node);
      case 'switch_statement': {
        const on = kid(node, 'condition');
        const body = kid(node, 'body');
        if (on === undefined || body === undefined) return [lost(node)];
        const cases = body.kids
          .filter(({ type }) => type === 'case_statement')
          .map((each) => ({
            body: each.kids
              .filter(({ field, type }) => field !== 'value' && !/^(?:case|default|:)$/.test(type))
              .flatMap((statement) => this.read(statement)),
            line: each.line,
            endLine: each.endLine,
          }));
        return [{ kind: 'switch', on: this.expressions.read(on), cases, line }];
      }
      case 'break_statement':
        return [{ kind: 'jump', to: 'break', value: undefined, line }];
      case 'continue_statement':
        return [{ kind: 'jump', to: 'continue', value: undefined, line }];
      case 'return_statement': {
        const value = node.kids.find(({ type }) => type !== 'return' && type !== ';');
        return [
          {
            kind: 'jump',
            to: 'return',
            value: value === undefined ? undefined : this.expressions.read(value),
            line,
          },
        ];
      }
      case 'goto_statement': {
        const label = kid(node, 'label');
        return [
          {
            kind: 'jump',
            to: 'elsewhere',
            value: undefined,
            line,
            ...(label === undefined ? {} : { label: this.context.text(label) }),
          },
        ];
      }
      case 'labeled_statement': {
        const label = kid(node, 'label');
        const name = label === undefined ? '' : this.context.text(label);
        const rest = node.kids
          .filter(({ field, type }) => field !== 'label' && type !== ':')
          .flatMap((each) => this.read(each));
        return [{ kind: 'label', name, line }, ...rest];
      }
      case 'attributed_statement':
        return node.kids
          .filter(({ type }) => !type.startsWith('attribute'))
          .flatMap((each) => this.read(each));
      case 'try_statement': {
        const body = kid(node, 'body');
        return body === undefined ? [lost(node)] : this.read(body);
      }
      case 'ERROR':
      case 'MISSING':
        // What is inside may still be a loop.
        return [lost(node), ...node.kids.filter(isStatement).flatMap((each) => this.read(each))];
      case 'gnu_asm_expression':
      case 'asm_statement':
        return [{ kind: 'opaque', why: `assembler code in line ${line} is not followed`, line }];
      case ';':
      case '{':
      case '}':
      case 'using_declaration':
      case 'alias_declaration':
      case 'static_assert_declaration':
      case 'preproc_call':
      case 'preproc_include':
      case 'preproc_directive':
        return [];
      case 'throw_statement':
      case 'co_return_statement':
        return [{ kind: 'jump', to: 'elsewhere', value: undefined, line }];
      default:
        return [
          { kind: 'opaque', why: `${node.type.replaceAll('_', ' ')} in line ${line} is not followed`, line },
        ];
    }
  }

  /** `do { ... } while (0)` is a block that `break` and `continue` leave. */
  private once(node: CNode): Statement {
    const body = kid(node, 'body');
    const label = `<end of ${++this.hidden}>`;
    const inside = leaving(body === undefined ? [] : this.read(body), label);
    return {
      kind: 'block',
      body: inside.leaves
        ? [...inside.body, { kind: 'label', name: label, line: node.endLine }]
        : inside.body,
    };
  }

  /** The declarators of a declaration, one after another. */
  private declaration(node: CNode): Statement[] {
    const base = specifiedType(node, this.context);
    const { line } = node;
    const result: Statement[] = [];
    for (const each of node.kids) {
      if (each.field !== 'declarator') continue;
      const value = each.type === 'init_declarator' ? kid(each, 'value') : undefined;
      const inner = each.type === 'init_declarator' ? kid(each, 'declarator') : each;
      if (inner === undefined) continue;
      const bound = this.bindingsOf(inner);
      if (bound !== undefined && value !== undefined) {
        const of = this.expressions.read(value);
        result.push(...this.bound(bound.names, of, bound.isReference, base, line));
        continue;
      }
      const { name, type, isFunction } = declared(inner, base, this.context);
      // `std::vector<double> v(n)` looks like a function; a function declared here has no use for loops.
      if (name === '' || (isFunction && base.kind !== 'pointer')) continue;
      if (value?.type === 'lambda_expression') {
        this.expressions.named(value, name);
        continue;
      }
      const isReference = inner.type === 'reference_declarator' && value !== undefined;
      const of = isReference ? this.expressions.read(value) : undefined;
      // Another name of an element; of what is no element, a copy does as well.
      if (of !== undefined && /^(?:index|member|deref)$/.test(of.kind)) {
        result.push(reference(name, type, of, line));
        continue;
      }
      result.push({ kind: 'declare', name, type, value: value && this.initial(value, type), line });
    }
    return result;
  }

  /** What a variable is set to where it is declared: of containers only what another one gives. */
  private initial(value: CNode, type: Type): Expression | undefined {
    const isList = value.type === 'initializer_list' || value.type === 'argument_list';
    if (!isList) return this.expressions.read(value);
    if (type.kind === 'pointer' || type.kind === 'unknown') return undefined;
    return { kind: 'aggregate', type: undefined, parts: this.expressions.parts(value) };
  }

  /** `auto [a, b] = x`: each is a member of x, or of a copy of it. */
  private bound(
    names: readonly string[],
    of: Expression,
    isReference: boolean,
    type: Type,
    line: number,
  ): Statement[] {
    const isPlace = /^(?:name|index|member|deref)$/.test(of.kind);
    const held = `<bound ${++this.hidden}>`;
    const base: Expression = isReference && isPlace ? of : { kind: 'name', name: held };
    const copy: Statement = { kind: 'declare', name: held, type, value: of, line };
    const members = names.map((name, i) =>
      reference(name, unknownType('auto'), { kind: 'member', base, field: `#${i}` }, line),
    );
    return base === of ? members : [copy, ...members];
  }

  /** The names of `auto [a, b]`, with or without a `&` before them. */
  private bindingsOf(
    declarator: CNode,
  ): { readonly names: readonly string[]; readonly isReference: boolean } | undefined {
    const isReference = declarator.type === 'reference_declarator';
    const inner = isReference ? kidOf(declarator, 'structured_binding_declarator') : declarator;
    if (inner?.type !== 'structured_binding_declarator') return undefined;
    const names = inner.kids
      .filter(({ type }) => type === 'identifier')
      .map((each) => this.context.text(each));
    return { names, isReference };
  }

  private conditionDeclaration(test: CNode): Statement[] {
    const inner = kidOf(test, 'declaration') ?? kidOf(kidOf(test, 'init_statement') ?? test, 'declaration');
    if (inner === undefined) return [];
    const declarator = kid(inner, 'declarator');
    if (declarator === undefined) return [];
    return this.declaration(inner);
  }

  private branch(node: CNode): Branch {
    return { body: this.read(node), line: node.line, endLine: node.endLine };
  }

  private forLoop(node: CNode): Statement[] {
    const first = kid(node, 'initializer');
    const test = kid(node, 'condition');
    const after = kid(node, 'update');
    const before: Statement[] =
      first === undefined
        ? []
        : first.type === 'declaration'
          ? this.declaration(first)
          : [{ kind: 'expression', value: this.expressions.read(first), line: first.line }];
    return [
      this.loop(
        node,
        'for',
        before,
        test === undefined ? undefined : this.expressions.read(test),
        after === undefined ? undefined : this.expressions.read(after),
      ),
    ];
  }

  private loop(
    node: CNode,
    form: Loop['form'],
    before: readonly Statement[],
    test: Expression | undefined,
    after: Expression | undefined,
  ): Statement {
    const body = kid(node, 'body') ?? node.kids.findLast(isStatement);
    return {
      kind: 'loop',
      loop: {
        line: node.line,
        endLine: node.endLine,
        form,
        before,
        test,
        body: body === undefined ? [] : this.read(body),
        after,
        trips: undefined,
      },
    };
  }

  /** `for (T x : c)` as a loop over the elements, with a counter that has no name in the source. */
  private rangeLoop(node: CNode): Statement[] {
    const { line } = node;
    const over = kid(node, 'right');
    const declarator = kid(node, 'declarator');
    if (over === undefined || declarator === undefined) return [lost(node)];
    const counter = `<position ${++this.hidden}>`;
    const position: Expression = { kind: 'name', name: counter };
    const base: Type = specifiedType(node, this.context);
    const isReference = declarator.type === 'reference_declarator';
    const inner = isReference
      ? (declarator.kids.find(({ type }) => !/^&/.test(type)) ?? declarator)
      : declarator;
    const bound = this.bindingsOf(declarator);
    const { name, type } = declared(inner, base, this.context);
    const element: Expression = { kind: 'index', base: this.expressions.read(over), subscripts: [position] };
    const index: Type = { kind: 'int', bytes: 8, signed: true };
    const start: Statement = {
      kind: 'declare',
      name: counter,
      type: index,
      value: { kind: 'number', value: 0, type: index },
      line,
    };
    const bind: Statement = isReference
      ? reference(name, type, element, line)
      : { kind: 'declare', name, type, value: element, line };
    const loop = this.loop(
      node,
      'for',
      [start],
      { kind: 'opaque', why: '', parts: [] },
      { kind: 'step', by: 1, target: position, prefix: true },
    );
    if (loop.kind !== 'loop') return [loop];
    const first =
      bound === undefined ? [bind] : this.bound(bound.names, element, bound.isReference, base, line);
    const whole: Statement = { kind: 'loop', loop: { ...loop.loop, body: [...first, ...loop.loop.body] } };
    const before = kid(node, 'initializer');
    return before === undefined ? [whole] : [...this.read(before), whole];
  }
}

/** A reference is the element itself: a pointer to it that every use follows. */
const reference = (name: string, type: Type, of: Expression, line: number): Statement => ({
  kind: 'declare',
  name: `&${name}`,
  type: { kind: 'pointer', to: type },
  value: { kind: 'address', of },
  line,
});

/** Records what `typedef` names. */
export function readTypedef(node: CNode, context: TypeContext): void {
  const base = specifiedType(node, context);
  for (const each of node.kids) {
    if (each.field !== 'declarator') continue;
    const { name, type } = declared(each, base, context);
    if (name !== '') context.names.typedefs.set(name, type);
  }
}

const isStatement = ({ type }: CNode): boolean => /_statement$|^for_range_loop$|^declaration$/.test(type);

/** Whether a part of the statement itself, not of one inside it, was not parsed. */
function hasError(node: CNode): boolean {
  if (node.type === 'compound_statement') return false;
  const stack = [...node.kids];
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    if (each.type === 'ERROR' || each.type === 'MISSING') return true;
    if (!isStatement(each)) for (const inner of each.kids) stack.push(inner);
  }
  return false;
}

const isAlways = (test: Expression | undefined): boolean => test?.kind === 'number' && test.value !== 0;
const isNever = (test: Expression | undefined): boolean => test?.kind === 'number' && test.value === 0;

/** The statements with each `break` and `continue` of their own as a jump to the label. */
function leaving(
  list: readonly Statement[],
  label: string,
  inSwitch = false,
): { readonly body: readonly Statement[]; readonly leaves: boolean } {
  let leaves = false;
  const inner = (body: readonly Statement[], isSwitch = inSwitch): readonly Statement[] => {
    const part = leaving(body, label, isSwitch);
    leaves ||= part.leaves;
    return part.body;
  };
  const body = list.map((each): Statement => {
    switch (each.kind) {
      case 'jump':
        if (each.to !== 'continue' && (each.to !== 'break' || inSwitch)) return each;
        leaves = true;
        return { ...each, to: 'elsewhere', label };
      case 'block':
        return { ...each, body: inner(each.body) };
      case 'if': {
        const yes = { ...each.yes, body: inner(each.yes.body) };
        return { ...each, yes, no: each.no && { ...each.no, body: inner(each.no.body) } };
      }
      case 'switch':
        return { ...each, cases: each.cases.map((one) => ({ ...one, body: inner(one.body, true) })) };
      default:
        return each;
    }
  });
  return { body, leaves };
}

const lost = ({ line }: CNode): Statement => ({
  kind: 'opaque',
  why: `line ${line} could not be parsed`,
  line,
});
