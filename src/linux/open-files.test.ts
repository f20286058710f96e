import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Guest } from './fixtures/guest.ts';

const NON_BLOCKING = 0o4000;
const UNIX = 1;
const STREAM = 1;
const IN_AND_OUT = 5;
const MOST = 6;
const SIGPIPE = 13;
/** struct sigaction with SIG_IGN. */
const IGNORED = new Uint8Array(32).fill(1, 0, 1);

const descriptor = fc.integer({ min: 3, max: MOST });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(['pipe2'] as const, ['socketpair'] as const) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('read', 'write', 'poll', 'wait', 'watch'), descriptor) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('close', 'dup'), descriptor) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('shutdown'), descriptor, fc.integer({ min: 0, max: 2 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('dup2'), descriptor, descriptor) },
);

/** Each call's result, and what it wrote. `forgets`: nothing is known when a call begins. */
function results(
  steps: readonly (readonly [string, number?, number?])[],
  forgets: boolean,
): readonly unknown[] {
  const g = new Guest();
  g.call('rt_sigaction', SIGPIPE, IGNORED, 0, 8);
  const interests = g.call('epoll_create1', 0) as number;
  g.call('dup2', interests, 100);
  g.call('close', interests);
  const all: unknown[] = [];
  const place = g.room(64);
  const call = (name: string, ...args: readonly number[]) => {
    if (forgets) g.kernel.state.shared.inUse = undefined;
    all.push(name, g.call(name, ...args), ...g.bytes(place, 48));
  };
  for (const [name, one = 0, other = 0] of steps) {
    const { view } = g.memory;
    if (name === 'pipe2') call('pipe2', place, NON_BLOCKING);
    else if (name === 'socketpair') call('socketpair', UNIX, STREAM | NON_BLOCKING, 0, place);
    else if (name === 'read' || name === 'write') call(name, one, place, 5);
    else if (name === 'poll') {
      view.setInt32(place, one, true);
      view.setInt32(place + 4, IN_AND_OUT, true);
      call('poll', place, 1, 0);
    } else if (name === 'watch') {
      view.setInt32(place, IN_AND_OUT, true);
      view.setInt32(place + 4, one, true);
      call('epoll_ctl', 100, 1, one, place);
    } else if (name === 'wait') call('epoll_wait', 100, place, 3, 0);
    else call(name, one, other);
  }
  return all;
}

test('what is known to be open is what is open, after any calls', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      expect(results(steps, false)).toEqual(results(steps, true));
    }),
    { numRuns: 500 },
  );
});
