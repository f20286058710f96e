import { expect, it } from 'vitest';
import { memoryCodeStore } from '../host/kept/memory-code-store.ts';
import { Needs } from './needs.ts';

/** A run that finds these lacks and has so many instructions; what its command needs by then. */
function needsAfter(store: ReturnType<typeof memoryCodeStore>, found: readonly string[], executed: number) {
  const needs = new Needs(store, 'command');
  for (const lack of found) needs.note(lack as Needs['known'][number]);
  needs.settle(executed);
  return new Needs(store, 'command').known;
}

it('keeps what does not depend on the input, even of a run that does not end', () => {
  const store = memoryCodeStore();
  new Needs(store, 'command').note('threads');
  expect(new Needs(store, 'command').known).toEqual(['threads']);
  expect(needsAfter(store, [], 7)).toEqual(['threads']);
  expect(new Needs(store, 'another').known).toEqual([]);
});

it('keeps what room a run came to need for those that do as much', () => {
  const store = memoryCodeStore();
  new Needs(store, 'command').note('bytes');
  expect(new Needs(store, 'command').known, 'of a run that did not end').toEqual([]);
  expect(needsAfter(store, ['bytes', 'status', 'bytes'], 6400)).toEqual(['status', 'bytes', 'bytes']);
  expect(needsAfter(store, [], 6500)).toEqual(['status', 'bytes', 'bytes']);
  expect(needsAfter(store, ['addresses'], 9000)).toEqual(['status', 'bytes', 'bytes', 'addresses']);
  expect(needsAfter(store, ['threads'], 9000)).toEqual(['threads', 'status', 'bytes', 'bytes', 'addresses']);
  expect(needsAfter(store, [], 8000), 'the next run finds out again').toEqual(['threads', 'status']);
});

it('keeps nothing of faults', () => {
  expect(needsAfter(memoryCodeStore(), ['faults', 'children'], 9000)).toEqual([]);
});
