import fc from 'fast-check';
import { expect, test } from 'vitest';
import { portOptimum } from './port-optimum.ts';

test('one micro-operation that can take any of four ports needs a quarter of a cycle', () => {
  expect(portOptimum(['0156'])).toEqual({ cycles: 0.25, ports: '0156' });
});

test('ports that are shared limit together: two on 0 or 6 and one on 6 alone take 3 / 2 cycles', () => {
  expect(portOptimum(['06', '06', '6'])).toEqual({ cycles: 1.5, ports: '06' });
});

test('a port that is needed alone limits before the set that it is in', () => {
  expect(portOptimum(['1', '1', '15', '0156']).cycles).toBe(2);
  expect(portOptimum(['1', '15', '15', '15']).cycles).toBe(2);
});

test('what needs no port costs none', () => {
  expect(portOptimum(['', ''])).toEqual({ cycles: 0, ports: '' });
});

test('no other set of ports needs longer (all subsets tried)', () => {
  const set = fc
    .uniqueArray(fc.constantFrom(...'01234'), { minLength: 1 })
    .map((ports) => ports.sort().join(''));
  fc.assert(
    fc.property(fc.array(set, { minLength: 1, maxLength: 12 }), (sets) => {
      let most = 0;
      for (let subset = 1; subset < 32; subset++) {
        const inside = sets.filter((each) => [...each].every((port) => subset & (1 << Number(port)))).length;
        const size = [...'01234'].filter((port) => subset & (1 << Number(port))).length;
        most = Math.max(most, inside / size);
      }
      expect(portOptimum(sets).cycles).toBeCloseTo(most, 12);
    }),
  );
});
