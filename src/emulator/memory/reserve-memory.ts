import { Failure } from '../../base/failure.ts';
import { MEMORY_PAGES } from '../../guest/layout.ts';

/** All of it at once: pages that nothing touches take no memory. */
export function reserveMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    throw new Failure(
      'environment',
      'address-space-limited',
      'the 4 GiB of address space that a measurement reserves are not to be had',
    );
  }
}
