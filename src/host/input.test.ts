import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { inputFrom } from './input.ts';

it('a directory as standard input is said to be one', () => {
  const descriptor = openSync(tmpdir(), 'r');
  try {
    expect(() => inputFrom(descriptor).read(0, 1)).toThrow('standard input is a directory');
  } finally {
    closeSync(descriptor);
  }
});
