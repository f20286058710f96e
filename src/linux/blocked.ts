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
