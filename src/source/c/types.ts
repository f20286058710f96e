import {
  type Expression,
  type Field,
  type RecordType,
  sizeOf,
  type Type,
  unknownType,
  type Variable,
} from '../syntax.ts';
import { DOUBLE_COMPLEX, FLOAT_COMPLEX } from './casts.ts';
import { alignment, laidOut } from './layout.ts';
import { Templates } from './templates.ts';
import { type CNode, kid, kidOf } from './tree.ts';

/** What names mean as types: those of the file, before those that every compiler has. */
export class TypeNames {
  readonly typedefs = new Map<string, Type>();
  readonly records = new Map<string, RecordType>();
  readonly templates = new Templates();
  /** Numbers that have a name: enumerators, constants. */
  readonly constants = new Map<string, Variable>();

  record(name: string): RecordType {
    let record = this.records.get(name);
    if (record === undefined) {
      record = { name, fields: new Map(), bytes: undefined };
      this.records.set(name, record);
    }
    return record;
  }

  named(name: string): Type {
    const own = this.typedefs.get(name);
    if (own !== undefined) return own;
    const record = this.records.get(name);
    if (record !== undefined) return { kind: 'record', record };
    return STANDARD.get(name) ?? unknownType(`the type ${name} is not declared in this file`);
  }
}

const int = (bytes: number, signed = true): Type => ({ kind: 'int', bytes, signed });
const STANDARD: ReadonlyMap<string, Type> = new Map([
  ...[8, 16, 32, 64].flatMap((bits): [string, Type][] =>
    ['', '_fast', '_least'].flatMap((kind): [string, Type][] => [
      [`int${kind}${bits}_t`, int(bits / 8)],
      [`uint${kind}${bits}_t`, int(bits / 8, false)],
    ]),
  ),
  ...['size_t', 'uintptr_t', 'uintmax_t', 'ulong', 'size_type'].map((name): [string, Type] => [
    name,
    int(8, false),
  ]),
  ...['ptrdiff_t', 'ssize_t', 'intptr_t', 'intmax_t', 'off_t', 'difference_type'].map(
    (name): [string, Type] => [name, int(8)],
  ),
  ['uint', int(4, false)],
  ['ushort', int(2, false)],
  ['uchar', int(1, false)],
  ['wchar_t', int(4)],
  ['bool', int(1, false)],
  ['_Bool', int(1, false)],
  // Elements that lie side by side, as those of the containers below.
  ...['string', 'string_view', 'u8string', 'u8string_view'].map((name): [string, Type] => [
    name,
    { kind: 'pointer', to: int(1) },
  ]),
  ['u16string', { kind: 'pointer', to: int(2, false) }],
  ['u32string', { kind: 'pointer', to: int(4, false) }],
  ['wstring', { kind: 'pointer', to: int(4) }],
  ['float_t', { kind: 'float', bytes: 4 }],
  ['double_t', { kind: 'float', bytes: 8 }],
  ['_Float32', { kind: 'float', bytes: 4 }],
  ['_Float64', { kind: 'float', bytes: 8 }],
  ['__float128', { kind: 'float', bytes: 16 }],
  ['_Float16', { kind: 'float', bytes: 2 }],
  [FLOAT_COMPLEX, { kind: 'complex', bytes: 8 }],
  [DOUBLE_COMPLEX, { kind: 'complex', bytes: 16 }],
]);

const plainTypes = new Map<string, Type>();
const MOST_PLAIN_TYPES = 1000;

/** The type that words such as `unsigned long int` name. */
export function plainType(words: string): Type {
  const known = plainTypes.get(words);
  if (known !== undefined) return known;
  const type = namedByWords(words);
  if (plainTypes.size < MOST_PLAIN_TYPES) plainTypes.set(words, type);
  return type;
}

function namedByWords(words: string): Type {
  const has = (word: string): number => words.split(/\s+/).filter((each) => each === word).length;
  if (has('complex') + has('_Complex') > 0) return { kind: 'complex', bytes: has('float') > 0 ? 8 : 16 };
  if (has('void') > 0) return { kind: 'void' };
  if (has('float') > 0) return { kind: 'float', bytes: 4 };
  if (has('double') > 0) return { kind: 'float', bytes: has('long') > 0 ? 16 : 8 };
  const signed = has('unsigned') === 0;
  if (has('bool') + has('_Bool') > 0) return int(1, false);
  if (has('char') + has('char8_t') > 0) return int(1, signed);
  if (has('short') + has('char16_t') > 0) return int(2, signed);
  if (has('long') > 0) return int(8, signed);
  if (/\b(int|signed|unsigned|auto|char32_t)\b/.test(words)) return int(4, signed);
  const single = STANDARD.get(words.trim());
  return single ?? unknownType(`the type ${words.trim()} is not declared in this file`);
}

/** What containers call the types of their elements and of what points to these. */
const MEMBER_TYPES =
  /^(?:(?:const_)?(?:reverse_)?iterator|(?:const_)?pointer|(?:const_)?reference|value_type)$/;

/** Containers whose elements lie side by side: a subscript of theirs is one of an array. */
const SEQUENCES = new Set(['vector', 'array', 'span', 'valarray', 'unique_ptr', 'shared_ptr', 'mdspan']);

/** What reading a type needs of the rest of the front end. */
export interface TypeContext {
  readonly names: TypeNames;
  text(node: CNode): string;
  expression(node: CNode): Expression;
  constant(expression: Expression): number | undefined;
}

/** The type that a declaration starts with. `node` is the declaration: its specifiers are its first kids. */
export function specifiedType(node: CNode, context: TypeContext): Type {
  const specifier = kid(node, 'type');
  if (specifier === undefined) return int(4);
  return typeOf(specifier, context, node);
}

export function typeOf(specifier: CNode, context: TypeContext, declaration?: CNode): Type {
  const { names } = context;
  const text = context.text(specifier);
  switch (specifier.type) {
    case 'primitive_type':
    case 'sized_type_specifier': {
      const qualifiers = (declaration?.kids ?? [])
        .filter(({ type }) => type === 'type_qualifier')
        .map((each) => context.text(each));
      const isComplex = qualifiers.some((each) => /complex/i.test(each));
      const sized = kid(specifier, 'type');
      if (sized?.type === 'type_identifier') return names.named(context.text(sized));
      return plainType(isComplex ? `complex ${text}` : text);
    }
    case 'type_identifier':
      return names.named(text);
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
      return { kind: 'record', record: recordOf(specifier, context) };
    case 'enum_specifier':
      readEnumerators(specifier, context);
      return int(4);
    case 'type_descriptor':
      return descriptorType(specifier, context);
    case 'template_type':
    case 'template_function':
      return templateType(specifier, context);
    case 'qualified_identifier': {
      const name = kid(specifier, 'name');
      const scope = kid(specifier, 'scope');
      const member = name === undefined ? '' : context.text(name);
      if (scope?.type === 'template_type' && MEMBER_TYPES.test(member)) {
        const whole = typeOf(scope, context);
        const to = whole.kind === 'array' ? whole.of : whole.kind === 'pointer' ? whole.to : undefined;
        if (to !== undefined) return /iterator|pointer/.test(member) ? { kind: 'pointer', to } : to;
      }
      return name === undefined ? unknownType(`the type ${text} is not known`) : typeOf(name, context);
    }
    case 'dependent_type': {
      const inner = specifier.kids.find(({ type }) => type === 'qualified_identifier');
      if (inner !== undefined) return typeOf(inner, context);
      return unknownType(`the type ${text} depends on a template's parameter`);
    }
    case 'placeholder_type_specifier':
    case 'auto':
      return unknownType('auto');
    default:
      return unknownType(`the type ${text.slice(0, 60)} is not known`);
  }
}

function templateType(node: CNode, context: TypeContext): Type {
  const name = kid(node, 'name');
  const plainName = name === undefined ? '' : context.text(name);
  const args = (kid(node, 'arguments')?.kids ?? []).filter(({ type }) => !/^[<>,]$/.test(type));
  if (plainName === 'complex' && args[0] !== undefined) {
    const part = sizeOf(typeOf(args[0], context));
    return { kind: 'complex', bytes: 2 * (part ?? 8) };
  }
  if (SEQUENCES.has(plainName) && args[0] !== undefined) {
    const of = typeOf(args[0], context);
    // unique_ptr<double[]> is a pointer to double.
    const element = of.kind === 'array' && plainName.endsWith('_ptr') ? of.of : of;
    if (plainName === 'array' && args[1] !== undefined)
      return {
        kind: 'array',
        of: element,
        dimensions: [{ extent: context.constant(context.expression(args[1])) }],
        order: 'last',
      };
    return { kind: 'pointer', to: element };
  }
  const own = context.names.named(plainName);
  // A value among the arguments, or what is not declared here, is a type of nothing known.
  const types = args.map((each) => typeOf(each, context));
  if (own.kind === 'record')
    return { kind: 'record', record: context.names.templates.instance(own.record, types) };
  if (plainName === 'pair' || plainName === 'tuple') {
    const name = (i: number): string => (plainName === 'tuple' ? `#${i}` : i === 0 ? 'first' : 'second');
    return {
      kind: 'record',
      record: laidOut(
        plainName,
        types.map((type, i) => [name(i), type]),
      ),
    };
  }
  return own;
}

/** A type as a cast or `sizeof` names it, with an abstract declarator. */
export function descriptorType(node: CNode, context: TypeContext): Type {
  const base = specifiedType(node, context);
  const declarator = kid(node, 'declarator');
  return declarator === undefined ? base : declared(declarator, base, context).type;
}

/** The name and type that a declarator makes of the type before it. */
export function declared(
  declarator: CNode,
  base: Type,
  context: TypeContext,
): { readonly name: string; readonly type: Type; readonly isFunction: boolean } {
  let node: CNode | undefined = declarator;
  let type = base;
  let isFunction = false;
  // From the outside in, each wraps what all before it made: `*a[3]` is an array of pointers.
  while (node !== undefined) {
    const inner: CNode | undefined =
      kid(node, 'declarator') ?? node.kids.find((each) => DECLARATORS.test(each.type));
    switch (node.type) {
      case 'pointer_declarator':
      case 'pointer_field_declarator':
      case 'pointer_type_declarator':
      case 'abstract_pointer_declarator':
        type = { kind: 'pointer', to: type };
        break;
      case 'array_declarator':
      case 'abstract_array_declarator': {
        const size = kid(node, 'size');
        const extent = size === undefined ? undefined : context.constant(context.expression(size));
        type = { kind: 'array', of: type, dimensions: [{ extent }], order: 'last' };
        break;
      }
      case 'function_declarator':
      case 'abstract_function_declarator':
        isFunction = inner?.type !== 'parenthesized_declarator';
        if (!isFunction) type = unknownType('it is a function');
        break;
      case 'identifier':
      case 'field_identifier':
      case 'type_identifier':
      case 'primitive_type':
      case 'qualified_identifier':
      case 'destructor_name':
      case 'operator_name':
      case 'operator_cast':
      case 'template_function':
        return { name: context.text(node).replace(/\s+/g, ''), type, isFunction };
    }
    node = inner;
  }
  return { name: '', type, isFunction };
}

const DECLARATORS =
  /declarator$|^(?:field_|type_)?identifier$|^qualified_identifier$|^destructor_name$|^operator_name$/;

function recordOf(node: CNode, context: TypeContext): RecordType {
  const name = kid(node, 'name');
  const body = kid(node, 'body') ?? kidOf(node, 'field_declaration_list');
  const record = context.names.record(
    name === undefined ? `<unnamed at ${node.start}>` : context.text(name).replace(/<[\s\S]*/, ''),
  );
  if (body === undefined || record.fields.size > 0) return record;
  let offset: number | undefined = 0;
  let widest = 1;
  const isUnion = node.type === 'union_specifier';
  let largest: number | undefined = 0;
  for (const each of body.kids) {
    if (each.type !== 'field_declaration') continue;
    const base = specifiedType(each, context);
    for (const declarator of each.kids) {
      if (declarator.field !== 'declarator') continue;
      const { name: field, type, isFunction } = declared(declarator, base, context);
      if (isFunction || field === '') continue;
      const size: number | undefined = sizeOf(type);
      const align = alignment(type);
      widest = Math.max(widest, align ?? 1);
      if (offset !== undefined && align !== undefined) offset = Math.ceil(offset / align) * align;
      else offset = undefined;
      const entry: Field = { type, offset: isUnion ? 0 : offset };
      record.fields.set(field, entry);
      if (isUnion) {
        largest = largest === undefined || size === undefined ? undefined : Math.max(largest, size);
        offset = 0;
      } else offset = offset === undefined || size === undefined ? undefined : offset + size;
    }
  }
  const end: number | undefined = isUnion ? largest : offset;
  record.bytes = end === undefined ? undefined : Math.max(1, Math.ceil(end / widest) * widest);
  return record;
}

function readEnumerators(node: CNode, context: TypeContext): void {
  let next: number | undefined = 0;
  for (const each of kid(node, 'body')?.kids ?? []) {
    if (each.type !== 'enumerator') continue;
    const name = kid(each, 'name');
    const value = kid(each, 'value');
    if (value !== undefined) next = context.constant(context.expression(value));
    if (name !== undefined && next !== undefined) {
      const type = int(4);
      const spelled = context.text(name);
      context.names.constants.set(spelled, {
        name: spelled,
        type,
        value: { kind: 'number', value: next, type },
      });
    }
    if (next !== undefined) next++;
  }
}
