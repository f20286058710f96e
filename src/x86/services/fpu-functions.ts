import { INVALID, ROUNDED_UP, STACK_FAULT } from '../float/exceptions.ts';
import { type Extended, INDEFINITE, type Outcome, one } from '../float/extended.ts';
import { cosineOf, isOutOfRange, sineOf, tangentOf } from '../float/trigonometry.ts';
import type { Machine, Service, ServiceEffects } from '../service.ts';
import {
  FPU_CONDITION,
  FPU_CONTROL,
  FPU_EXPONENT,
  FPU_SIGNIFICAND,
  FPU_STATUS,
  FPU_TAGS,
  FPU_TOP,
  locationOf,
} from '../state.ts';
import { setExceptions } from './fpu-state.ts';

/**
 * fptan and fsincos, which push a second result unless the argument is out of range: the top of the stack after them is not
 * known when code is translated.
 */
const C1_C2 = 0x600;
const C2 = 0x400;

function read(machine: Machine, slot: number): Extended {
  return {
    significand: BigInt.asUintN(64, machine.readI64(FPU_SIGNIFICAND[slot])),
    head: machine.readI32(FPU_EXPONENT[slot]),
  };
}

function write(machine: Machine, slot: number, { significand, head }: Extended): void {
  machine.writeI64(FPU_SIGNIFICAND[slot], BigInt.asIntN(64, significand));
  machine.writeI32(FPU_EXPONENT[slot], head);
  machine.writeI32(FPU_TAGS, machine.readI32(FPU_TAGS) | (1 << slot));
}

/** Exceptions and C1 of flags, and C2. */
function conclude(machine: Machine, flags: number, c2: number): void {
  setExceptions(machine, machine.readI32(FPU_STATUS) | (flags & 0x7f));
  machine.writeI32(FPU_CONDITION, (machine.readI32(FPU_CONDITION) & ~C1_C2) | (flags & ROUNDED_UP) | c2);
}

/** What replaces st(0), and what is pushed. */
function pushing(
  first: (x: Extended, control: number) => Outcome,
  second: (x: Extended, control: number) => Outcome,
): Service {
  return (machine): ServiceEffects => {
    const top = machine.readI32(FPU_TOP);
    const next = (top + 7) & 7;
    const tags = machine.readI32(FPU_TAGS);
    const control = machine.readI32(FPU_CONTROL);
    const x = read(machine, top);
    const sources = [locationOf(FPU_CONTROL), locationOf(FPU_SIGNIFICAND[top])];
    const written = [locationOf(FPU_CONDITION), locationOf(FPU_SIGNIFICAND[top])];
    const isEmpty = ((tags >> top) & 1) === 0;
    const isFull = ((tags >> next) & 1) === 1;
    if (!isEmpty && !isFull && isOutOfRange(x)) {
      conclude(machine, 0, C2);
      return { sources, destinations: written, loads: [], stores: [] };
    }
    if (isEmpty || isFull) {
      write(machine, top, INDEFINITE);
      write(machine, next, INDEFINITE);
      conclude(machine, INVALID | STACK_FAULT | (isEmpty ? 0 : ROUNDED_UP), 0);
    } else {
      const results = [first(x, control), second(x, control)];
      write(machine, top, results[0].value);
      write(machine, next, results[1].value);
      conclude(machine, results[0].flags | results[1].flags, 0);
    }
    machine.writeI32(FPU_TOP, next);
    const destinations = [...written, locationOf(FPU_SIGNIFICAND[next])];
    return { sources, destinations, loads: [], stores: [] };
  };
}

/** A NaN is pushed as it is; else 1, which makes of the tangent a quotient. */
function unit(x: Extended, control: number): Outcome {
  const { value, flags } = tangentOf(x, control);
  const isNan = (value.head & 0x7fff) === 0x7fff;
  return { value: isNan ? value : one(0), flags };
}

export const FPU_FUNCTION_SERVICES: readonly (readonly [string, Service])[] = [
  ['fptan', pushing(tangentOf, unit)],
  ['fsincos', pushing(sineOf, cosineOf)],
];
