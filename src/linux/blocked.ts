import { Failure } from '../base/failure.ts';
import type { Wait } from './not-yet.ts';

/** The guest waits for what cannot come: there is no other process, and no signal from outside. */
export function blockedForever(call: string, reason: string): Failure {
  return new Failure(
    'guest',
    'guest-blocked',
    `The program waits in ${call} for something that cannot happen: ${reason}.`,
    { call },
  );
}

const MOST_NAMED = 8;

/** All threads wait for each other. */
export function blockedThreads(
  waiting: readonly { readonly thread: number; readonly wait: Wait }[],
): Failure {
  const each = waiting.map(({ thread, wait }) => `thread ${thread} in ${wait.call}: ${wait.reason}`);
  const others = each.length - MOST_NAMED;
  const named = each.slice(0, MOST_NAMED).join('; ') + (others > 0 ? `; and ${others} more` : '');
  return new Failure(
    'guest',
    'guest-blocked',
    `All ${each.length} threads of the program wait for something that cannot happen: ${named}.`,
    { threads: each.length },
  );
}

/** A system call, or a use of one, that the kernel does not have; the name is undefined where Linux has none either. */
export function unsupportedCall(name: string | undefined, number: number, detail = ''): Failure {
  const call = name === undefined ? `number ${number}` : `${name} (${number})`;
  return new Failure(
    'guest',
    'unsupported-syscall',
    `The program made the system call ${call}${detail}, which is not supported.`,
    { ...(name !== undefined && { name }), number },
  );
}
