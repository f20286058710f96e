import { expect, it } from 'vitest';
import {
  CONTROL,
  COUNTERS,
  OFFSETS,
  RARE_STEPS,
  STEPS,
  stepOffset,
  VALUES,
  valueOffset,
} from '../guest/layout.ts';
import { LOCATIONS, VARIABLES } from '../x86/state.ts';

const PAGE = 4096;
/** Additions of more cycles are rare. */
const USUAL_OFFSETS = 32;

it('values, steps, control words and offsets share no low 12 bits of their addresses', () => {
  const areas = [
    [VALUES, valueOffset(VARIABLES.length)],
    [STEPS, stepOffset(LOCATIONS)],
    [CONTROL, RARE_STEPS + 4],
    [OFFSETS, OFFSETS + 16 * USUAL_OFFSETS],
  ];
  const owners = new Map<number, number>();
  areas.forEach(([start, end], area) => {
    for (let at = start; at < end; at++) {
      expect(owners.get(at % PAGE) ?? area).toBe(area);
      owners.set(at % PAGE, area);
    }
  });
  expect(stepOffset(LOCATIONS)).toBeLessThanOrEqual(CONTROL);
  expect(RARE_STEPS).toBeLessThan(COUNTERS);
});
