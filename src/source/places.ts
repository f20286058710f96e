import type { Node, Place, Selector } from './graph.ts';
import { constant, type Polynomial, product, symbol, ZERO } from './polynomial.ts';
import { type Expression, type RecordType, sizeOf, type Type, unknownType } from './syntax.ts';

/** Whether a variable of the type holds one value, rather than places with their own. */
export const isScalar = (type: Type): boolean => type.kind !== 'array' && type.kind !== 'record';

/** The type of what `auto` declares. */
export function typeOfNode(node: Node): Type {
  if (node.record !== undefined) return { kind: 'record', record: node.record };
  switch (node.class) {
    case 'float':
    case 'complex':
      return { kind: node.class, bytes: node.bytes };
    case 'int':
      return { kind: 'int', bytes: node.bytes, signed: true };
    case 'pointer':
      return {
        kind: 'pointer',
        to: node.place?.type ?? unknownType('what a pointer points to is not known'),
      };
    case 'unknown':
      return unknownType('its value is not known');
  }
}

/** Bytes from one to the next for each subscript of an array. */
export function unitsOf(
  of: Type,
  dimensions: readonly { readonly extent: number | undefined }[],
  order: 'first' | 'last',
): readonly (number | undefined)[] {
  const units: (number | undefined)[] = new Array(dimensions.length).fill(undefined);
  let unit = sizeOf(of);
  const last = dimensions.length - 1;
  for (let i = 0; i <= last; i++) {
    const at = order === 'first' ? i : last - i;
    units[at] = unit;
    const { extent } = dimensions[at];
    unit = unit === undefined || extent === undefined ? undefined : unit * extent;
  }
  return units;
}

/** An array as the pointer to its first element. */
export function decayedPlace(place: Place): Place {
  if (place.type.kind !== 'array') return place;
  const { of, dimensions, order } = place.type;
  const units = unitsOf(of, dimensions, order);
  return {
    ...place,
    selectors: [
      ...place.selectors,
      ...units.map((unit) => ({ kind: 'at' as const, index: constant(0), unit })),
    ],
    type: of,
  };
}

/** A place as a person writes it, for messages. */
export function nameOf({ root, selectors }: Place): string {
  const base = root.replace(/^\*+\(*/, '').replace(/[#[@.][\s\S]*$/, '');
  const field = selectors.findLast(({ kind }) => kind === 'field');
  return field?.kind === 'field' ? `${base}.${field.name}` : base;
}

/** An expression as a person writes it, for messages. */
export function describe(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'index':
      return `${describe(expression.base)}[]`;
    case 'member':
      return `${describe(expression.base)}.${expression.field}`;
    case 'deref':
      return `*${describe(expression.of)}`;
    case 'call':
      return `${expression.callee}()`;
    default:
      return 'an expression';
  }
}

/** Where a value of a structure is in it, and what it is. */
export interface Leaf {
  readonly selectors: readonly Selector[];
  readonly type: Type;
}

const MOST_LEAVES = 64;
const leaves = new WeakMap<RecordType, readonly Leaf[] | 'too many'>();

/** The single values that make a structure, in order; undefined where they are not known, or very many. */
export function leavesOf(record: RecordType): readonly Leaf[] | undefined {
  const known = leaves.get(record);
  if (known !== undefined) return known === 'too many' ? undefined : known;
  // A structure inside itself is none.
  leaves.set(record, 'too many');
  const found: Leaf[] = [];
  const visit = (selectors: readonly Selector[], type: Type): boolean => {
    if (type.kind === 'record') {
      const inner = leavesOf(type.record);
      if (inner === undefined) return false;
      found.push(...inner.map((each) => ({ selectors: [...selectors, ...each.selectors], type: each.type })));
    } else if (type.kind === 'array') {
      const [{ extent } = { extent: undefined }, ...more] = type.dimensions;
      if (extent === undefined || extent > MOST_LEAVES || more.length > 0) return false;
      const unit = sizeOf(type.of);
      for (let i = 0; i < extent; i++)
        if (!visit([...selectors, { kind: 'at', index: constant(i), unit }], type.of)) return false;
    } else found.push({ selectors, type });
    return found.length <= MOST_LEAVES;
  };
  for (const [name, { type, offset }] of record.fields)
    if (!visit([{ kind: 'field', name, offset }], type)) return undefined;
  if (record.fields.size === 0) return undefined;
  leaves.set(record, found);
  return found;
}

/** A member's name, also where it is given by its place: `#1` is the second. */
export function memberName(type: Type, name: string): string {
  const position = /^#(\d+)$/.exec(name)?.[1];
  if (position === undefined || type.kind !== 'record') return name;
  return [...type.record.fields.keys()][Number(position)] ?? name;
}

/** A place as the start of elements of another type. `fresh` makes a symbol for what is not known. */
export function retyped(place: Place, to: Type, fresh: () => string): Place {
  const isOpen = (type: Type): boolean => type.kind === 'void' || type.kind === 'unknown';
  const from = decayedPlace(place);
  if (isOpen(to) || isSame(from.type, to) || to.kind === 'array') return to.kind === 'array' ? place : from;
  const last = from.selectors.at(-1);
  const unit = sizeOf(to);
  if (last?.kind !== 'at') return { ...from, selectors: [{ kind: 'at', index: ZERO, unit }], type: to };
  const times = unit === undefined || last.unit === undefined ? undefined : last.unit / unit;
  const index =
    last.index.size === 0
      ? last.index
      : times !== undefined && Number.isInteger(times)
        ? product(last.index, constant(times))
        : times === undefined
          ? undefined
          : divided(last.index, 1 / times);
  return {
    ...from,
    // What is stored as one type is not followed to where it is read as another.
    root: isOpen(from.type) ? from.root : `${from.root}~${to.kind}${unit ?? ''}`,
    selectors: [...from.selectors.slice(0, -1), { kind: 'at', index: index ?? symbol(fresh()), unit }],
    type: to,
  };
}

function divided(index: Polynomial, by: number): Polynomial | undefined {
  const parts = [...index].map(([key, factor]): [string, number] => [key, factor / by]);
  return parts.every(([, factor]) => Number.isInteger(factor)) ? new Map(parts) : undefined;
}

const isSame = (a: Type, b: Type): boolean =>
  a.kind === 'record' && b.kind === 'record'
    ? a.record === b.record
    : a.kind === b.kind && (a.kind === 'pointer' || sizeOf(a) === sizeOf(b));
