/**
 * What is thrown to leave many functions at once and is always caught, so that nobody reads where it came from: to note the calls takes V8
 * 5 to 15 µs, most of what a system call takes that fails or waits.
 */
export abstract class Unwinding extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
