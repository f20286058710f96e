import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionOf, scanJson } from './json-position.ts';

it('the scanner accepts exactly what JSON.parse accepts', () => {
  const nearly = fc.oneof(
    fc.json(),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '0', '\\', '\n', '.5', 'e'))
      .map(([text, at, put]) => {
        const where = at % (text.length + 1);
        return text.slice(0, where) + put + text.slice(where + 1);
      }),
  );
  fc.assert(
    fc.property(nearly, (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(scanJson(text).kind).toBe(parses ? 'well-formed' : 'malformed');
    }),
    { numRuns: 2000 },
  );
});

it('a path leads to its value', () => {
  const text = '{\n  "a": [1, {"b": true}],\n  "c": "x"\n}';
  const at = (path: (string | number)[]) => {
    const scan = scanJson(text, path);
    return scan.kind === 'well-formed' && scan.offset !== undefined
      ? positionOf(text, scan.offset)
      : undefined;
  };
  expect(at(['a', 1, 'b'])).toEqual({ line: 2, column: 18 });
  expect(at(['c'])).toEqual({ line: 3, column: 8 });
  expect(at([])).toEqual({ line: 1, column: 1 });
  expect(at(['a', 2])).toBeUndefined();
});

it('a million opening brackets are an error and not a stack overflow', () => {
  expect(scanJson('['.repeat(1_000_000))).toMatchObject({ kind: 'malformed', offset: 1_000_000 });
});
