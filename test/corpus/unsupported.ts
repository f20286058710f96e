/** What the emulator refuses to run, by name: the code of its failure, and why. */
export const UNSUPPORTED: Readonly<Record<string, { readonly code: string; readonly reason: string }>> = {};
