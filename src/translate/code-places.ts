import { Failure } from '../base/failure.ts';
import { GUEST_END, PAGE_SIZE } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';

const MOST_PAGES = 0x8000_0000 / PAGE_SIZE;

/** The lowest number of 32 bits. */
const FIRST = -0x8000_0000;

/**
 * The place of code: 32 bits that stand for its address wherever generated code has to name it, in records, logs and what it
 * asks. Below GUEST_END it is the address itself. Pages above, where addresses have 47 bits, get negative numbers as they are
 * met, which are the address of nothing. So programs whose code lies low, as nearly all do, pay nothing for those whose code does not: values
 * that the guest sees are addresses everywhere, and 32 bits are enough for a chain's log.
 */
export class CodePlaces {
  /** By the number of the page that the code is in, and the other way round. */
  private readonly places = new Map<number, number>();
  private readonly pages: number[] = [];

  of(address: number): number {
    if (address < GUEST_END) return address;
    const page = Math.floor(address / PAGE_SIZE);
    return FIRST + (this.places.get(page) ?? this.add(page)) * PAGE_SIZE + (address % PAGE_SIZE);
  }

  private add(page: number): number {
    const place = this.pages.length;
    if (place >= MOST_PAGES)
      throw new Failure(
        'guest',
        'code-pages-exhausted',
        `the program runs code in more than ${MOST_PAGES} pages above 0x${GUEST_END.toString(16)}, which is not supported`,
      );
    this.pages.push(page);
    this.places.set(page, place);
    return place;
  }

  addressOf(place: number): number {
    if (place >= 0) return place;
    const offset = place - FIRST;
    return this.pages[Math.floor(offset / PAGE_SIZE)] * PAGE_SIZE + (offset % PAGE_SIZE);
  }
}

/** Imports that know places: (address i64) -> place i32, and back. */
export interface PlaceFunctions {
  readonly placeOf: number;
  readonly addressOf: number;
}

/** What the imports call. */
export const placeImports = (places: CodePlaces): WebAssembly.ModuleImports => ({
  placeOf: (address: bigint) => places.of(Number(BigInt.asUintN(64, address))),
  addressOf: (place: number) => BigInt(places.addressOf(place)),
});

/** Pushes the place of the code at the address in an i64 local. */
export function pushPlaceOf(
  f: FunctionBuilder,
  address: number,
  { placeOf }: Pick<PlaceFunctions, 'placeOf'>,
): void {
  f.get(address);
  f.i64(BigInt(GUEST_END));
  f.op('i64.lt_u');
  f.if('i32', 'likely');
  f.get(address);
  f.op('i32.wrap_i64');
  f.else();
  f.get(address);
  f.call(placeOf);
  f.end();
}

/** Pushes the address (i64) of a place. */
export function pushAddressOf(
  f: FunctionBuilder,
  pushPlace: () => void,
  { addressOf }: Pick<PlaceFunctions, 'addressOf'>,
): void {
  const place = f.local('i32');
  pushPlace();
  f.tee(place);
  f.i32(0);
  f.op('i32.ge_s');
  f.if('i64', 'likely');
  f.get(place);
  f.op('i64.extend_i32_u');
  f.else();
  f.get(place);
  f.call(addressOf);
  f.end();
}
