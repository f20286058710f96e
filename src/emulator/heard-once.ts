import type { Output } from '../linux/ports.ts';

/**
 * For a run that may begin anew: outputs of which each starts where the guest does, and which together pass on every
 * write once. The run is deterministic, so the nth write is the same each time.
 */
export function heardOnce(output: Output): () => Output {
  let heard = 0;
  return () => {
    let written = 0;
    const passOn = (write: (bytes: Uint8Array) => void) => (bytes: Uint8Array) => {
      if (++written <= heard) return;
      heard = written;
      write(bytes);
    };
    return {
      stdout: passOn((bytes) => output.stdout(bytes)),
      stderr: passOn((bytes) => output.stderr(bytes)),
    };
  };
}
