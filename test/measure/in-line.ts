/** In these unaligned accesses come to be done in line, in each kind of lanes. */
export const IN_LINE = [
  {},
  { wideFrom: 2 },
  { bytePages: 0, stepMemory: 0 },
  { bytePages: 0, stepMemory: 0, wideFrom: 2 },
  { window: 0x1_0000, bytePages: 1, stepMemory: 0 },
].map((limits) => ({
  hotEntries: 2,
  warmEntries: 1,
  firstSlice: 100,
  longestSlice: 300,
  manyUnaligned: 1,
  unalignedSlices: 1,
  ...limits,
}));
