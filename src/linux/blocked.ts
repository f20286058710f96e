import { Failure } from '../base/failure.ts';

/** The guest waits for what cannot come: there is no other process, and no signal from outside. */
export function blockedForever(call: string, reason: string): Failure {
  return new Failure(
    'guest',
    'guest-blocked',
    `The program waits in ${call} for something that cannot happen: ${reason}.`,
    { call },
  );
}

/** A system call, or a use of one, that the kernel does not have. */
export function unsupportedCall(name: string, number: number, detail = ''): Failure {
  return new Failure(
    'guest',
    'unsupported-syscall',
    `The program made the system call ${name} (${number})${detail}, which is not supported.`,
    { name, number },
  );
}
