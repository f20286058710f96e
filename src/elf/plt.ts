import type { Image } from './image.ts';

/**
 * Sections of linkage stubs: lazy (.plt), with indirect-branch tracking (.plt.sec; .plt.bnd of older linkers),
 * non-lazy (.plt.got), and lld's stubs for ifuncs of static programs (.iplt).
 */
const PLT_SECTIONS: ReadonlySet<string> = new Set(['.plt', '.plt.sec', '.plt.bnd', '.plt.got', '.iplt']);

/** The sections of PLT stubs. A file without section headers does not say where its stubs are. */
export const stubSections = ({ sections }: Image): Image['sections'] =>
  sections.filter(({ name }) => PLT_SECTIONS.has(name));

/** Whether an address of the file is in a PLT stub, as far as the file says where these are. */
export function stubRanges(image: Image): (address: number) => boolean {
  const sections = stubSections(image);
  return (at) => {
    for (const { address, size } of sections) if (at >= address && at < address + size) return true;
    return false;
  };
}
