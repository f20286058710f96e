import type { Node, Place } from './graph.ts';
import { constant } from './polynomial.ts';
import { type Expression, sizeOf, type Type, unknownType } from './syntax.ts';

/** Whether a variable of the type holds one value, rather than places with their own. */
export const isScalar = (type: Type): boolean => type.kind !== 'array' && type.kind !== 'record';

/** The type of what `auto` declares. */
export function typeOfNode(node: Node): Type {
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
