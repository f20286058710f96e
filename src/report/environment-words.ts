import type { EnvironmentChange } from '../diff/diff.ts';

/** What the parts of a fingerprint are called, and a change of one as a phrase. `show` makes foreign text harmless. */
export function describeEnvironmentChange(change: EnvironmentChange, show: (text: string) => string): string {
  const title = change.part === 'library' ? `library ${show(change.name ?? '?')}` : TITLES[change.part];
  if (change.base === undefined) return `${title}: now used, ${show(change.head ?? '?')}`;
  if (change.head === undefined) return `${title}: no longer used`;
  return `${title}: ${show(change.base || 'none named')} → ${show(change.head || 'none named')}`;
}

const TITLES = {
  rules: "measurement rules' version",
  isa: 'ISA level',
  children: 'child processes',
  tool: 'ilp-gate',
  compilers: 'compiler',
} as const;

/** `compiler and libc.so.6`: the parts alone, for a sentence. */
export function nameParts(changes: readonly EnvironmentChange[], show: (text: string) => string): string {
  const names = [
    ...new Set(
      changes.map((change) => (change.part === 'library' ? show(change.name ?? '?') : TITLES[change.part])),
    ),
  ];
  if (names.length > 4) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
