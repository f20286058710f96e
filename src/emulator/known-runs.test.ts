import { expect, it } from 'vitest';
import { memoryCodeStore } from '../host/kept/memory-code-store.ts';
import { KnownRuns } from './known-runs.ts';
import type { Part } from './parts.ts';

const RUN = { parts: [{ kind: 'wholes', threads: [0] } as Part], executed: 1000, memory: 2 ** 27 };

it('keeps what a command was measured in for its next run', () => {
  const store = memoryCodeStore();
  expect(new KnownRuns(store, 'command').last).toBeUndefined();
  new KnownRuns(store, 'command').note({ ...RUN, wasInVain: true });
  expect(new KnownRuns(store, 'command').last).toEqual({ ...RUN, wasInVain: true });
  new KnownRuns(store, 'command').note(RUN);
  expect(new KnownRuns(store, 'command').last).toEqual(RUN);
  expect(new KnownRuns(store, 'another').last).toBeUndefined();
});

it('keeps no long list of parts', () => {
  const store = memoryCodeStore();
  const parts = Array.from({ length: 1001 }, (_, from): Part => ({ kind: 'calls', from, to: from }));
  new KnownRuns(store, 'command').note({ parts, executed: 1000, memory: 2 ** 27 });
  expect(store.findNotes('command')).toEqual([]);
});
