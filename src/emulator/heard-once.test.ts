import { expect, it } from 'vitest';
import { heardOnce } from './heard-once.ts';

it('a run that begins anew is heard from where the run before it ended', () => {
  const heard: string[] = [];
  const start = heardOnce({
    stdout: (bytes) => heard.push(`out ${bytes[0]}`),
    stderr: (bytes) => heard.push(`err ${bytes[0]}`),
  });
  const writes = [
    ['stdout', 1],
    ['stderr', 2],
    ['stdout', 3],
    ['stdout', 3],
    ['stderr', 4],
  ] as const;
  for (const count of [2, 0, 3, 5]) {
    const output = start();
    for (const [stream, byte] of writes.slice(0, count)) output[stream](Uint8Array.of(byte));
  }
  expect(heard).toEqual(['out 1', 'err 2', 'out 3', 'out 3', 'err 4']);
});
