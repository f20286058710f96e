import type { FunctionBuilder } from '../../wasm/function.ts';

/** Code that reads and writes words at fixed places and fields of records whose address an i32 local has. */

type Word = 'i32' | 'i64';

export function pushWord(f: FunctionBuilder, type: Word, address: number): void {
  f.i32(0);
  f.memory(`${type}.load`, address);
}

export function setWord(
  f: FunctionBuilder,
  type: Word | 'v128',
  address: number,
  pushValue: () => void,
): void {
  f.i32(0);
  pushValue();
  f.memory(`${type}.store`, address);
}

export function pushField(f: FunctionBuilder, type: Word, record: number, offset: number): void {
  f.get(record);
  f.memory(`${type}.load`, offset);
}

export function setField(
  f: FunctionBuilder,
  type: Word,
  record: number,
  offset: number,
  pushValue: () => void,
): void {
  f.get(record);
  pushValue();
  f.memory(`${type}.store`, offset);
}

export function addToField(
  f: FunctionBuilder,
  type: Word,
  record: number,
  offset: number,
  pushAmount: () => void,
): void {
  setField(f, type, record, offset, () => {
    pushField(f, type, record, offset);
    pushAmount();
    f.op(`${type}.add`);
  });
}
