import { lastAtOrBelow } from './ascending.ts';
import { SHF_EXECINSTR } from './format.ts';
import type { Image } from './image.ts';

/**
 * The end of the executable section that holds an address (of the executable segment where there are no sections), or
 * undefined when the address is not code.
 */
export function codeRanges(image: Image): (address: number) => number | undefined {
  const sections = image.sections.filter((s) => (s.flags & SHF_EXECINSTR) !== 0 && s.address > 0);
  const segments = image.segments.filter((s) => s.executable);
  const ranges =
    sections.length > 0
      ? sections.map(({ address, size }) => ({ start: address, end: address + size }))
      : segments.map(({ address, memorySize }) => ({ start: address, end: address + memorySize }));
  ranges.sort((a, b) => a.start - b.start);
  const starts = Float64Array.from(ranges, (range) => range.start);
  return (address) => {
    const range = ranges[lastAtOrBelow(starts, address)];
    return range !== undefined && address < range.end ? range.end : undefined;
  };
}
