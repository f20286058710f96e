import { expect, it } from 'vitest';
import { memoryCodeStore } from '../host/kept/memory-code-store.ts';
import { KnownRuns } from './known-runs.ts';
import type { Part } from './parts.ts';

const PART: Part = { kind: 'threads', calls: [{ threads: [0], from: 0, to: 0 }] };
const RUN = { parts: [PART], executed: 1000, memory: 2 ** 27 };

it('keeps what a command was measured in for its next run', () => {
  const store = memoryCodeStore();
  expect(new KnownRuns(store, 'command').last).toBeUndefined();
  new KnownRuns(store, 'command').note({ ...RUN, wasInVain: true });
  expect(new KnownRuns(store, 'command').last).toEqual({ ...RUN, wasInVain: true });
  new KnownRuns(store, 'command').note(RUN);
  expect(new KnownRuns(store, 'command').last).toEqual(RUN);
  expect(new KnownRuns(store, 'another').last).toBeUndefined();
});

it('has nothing to note of one pass, where none had more, and of a long list of parts', () => {
  const store = memoryCodeStore();
  const parts = Array.from({ length: 1001 }, (_, from): Part => ({ kind: 'calls', from, to: from }));
  const runs = new KnownRuns(store, 'command');
  expect([[], parts.slice(1), parts].map((each) => runs.isNews(each))).toEqual([false, true, false]);
  runs.note(RUN);
  expect(new KnownRuns(store, 'command').isNews([])).toBe(true);
});

it('notes about how much memory a run took', () => {
  const store = memoryCodeStore();
  const noteOf = (memory: number) => {
    new KnownRuns(store, 'command').note({ ...RUN, memory });
    return store.findNotes('command')[0];
  };
  expect(noteOf(RUN.memory - 1000)).toBe(noteOf(RUN.memory));
  expect(noteOf(RUN.memory + 1000)).not.toBe(noteOf(RUN.memory));
});
