import { type Field, type RecordType, sizeOf, type Type } from '../syntax.ts';

/** A structure of members in this order, laid out as C does. */
export function laidOut(name: string, members: readonly (readonly [string, Type])[]): RecordType {
  const fields = new Map<string, Field>();
  let end: number | undefined = 0;
  let widest = 1;
  for (const [field, type] of members) {
    const size = sizeOf(type);
    const align = alignment(type);
    widest = Math.max(widest, align ?? 1);
    const offset: number | undefined =
      end === undefined || align === undefined ? undefined : Math.ceil(end / align) * align;
    fields.set(field, { type, offset });
    end = offset === undefined || size === undefined ? undefined : offset + size;
  }
  return { name, fields, bytes: end === undefined ? undefined : Math.ceil(end / widest) * widest };
}

/** Bytes that an address of it is a multiple of; undefined where that is not known. */
export function alignment(type: Type): number | undefined {
  switch (type.kind) {
    case 'array':
      return alignment(type.of);
    case 'complex':
      return type.bytes / 2;
    case 'record':
      return [...type.record.fields.values()].reduce<number | undefined>((most, field) => {
        const one = field.type.kind === 'record' ? 8 : alignment(field.type);
        return most === undefined || one === undefined ? undefined : Math.max(most, one);
      }, 1);
    default:
      return sizeOf(type);
  }
}
