/** The form of a repeated string instruction, as the number that the lifter hands to its service. */
export interface StringForm {
  /** Bytes of an element. */
  readonly size: 1 | 2 | 4 | 8;
  /** 32-bit addresses and count (address-size prefix). */
  readonly narrow: boolean;
  /** scas and cmps stop at the first element that is so: repne until equal, repe until different. */
  readonly until: 'equal' | 'different';
  /** Of the source operand. */
  readonly segment: 'none' | 'fs' | 'gs';
}

const SEGMENTS: readonly StringForm['segment'][] = ['none', 'fs', 'gs'];

export function encodeString(form: StringForm): number {
  return (
    Math.log2(form.size) |
    (form.narrow ? 4 : 0) |
    (form.until === 'equal' ? 8 : 0) |
    (SEGMENTS.indexOf(form.segment) << 4)
  );
}

export function decodeString(argument: number): StringForm {
  return {
    size: (1 << (argument & 3)) as StringForm['size'],
    narrow: (argument & 4) !== 0,
    until: (argument & 8) !== 0 ? 'equal' : 'different',
    segment: SEGMENTS[argument >> 4],
  };
}
