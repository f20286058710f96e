import type { FunctionProfile, Profile } from '../profile/profile.ts';
import type { FunctionDiff, FunctionPair } from './diff.ts';
import { findRenames } from './renames.ts';
import { unique } from './unique.ts';

/**
 * Pairs the functions of two profiles: by name and file, then by name alone where it is unambiguous (the file moved),
 * then by the evidence of renames.ts. What is left appeared or vanished.
 */
export function diffFunctions(base: Profile, head: Profile): FunctionDiff[] {
  const paired = new Map<FunctionProfile, FunctionDiff>();
  let oldOnes = [...base.functions];
  let newOnes = [...head.functions];

  for (const key of [withFile, nameOnly]) {
    const before = unique(oldOnes, key);
    const after = unique(newOnes, key);
    const taken = new Set<FunctionProfile>();
    for (const [name, headFunction] of after) {
      const baseFunction = before.get(name);
      if (baseFunction === undefined) continue;
      paired.set(headFunction, compared({ base: baseFunction, head: headFunction }));
      taken.add(baseFunction);
    }
    oldOnes = oldOnes.filter((each) => !taken.has(each));
    newOnes = newOnes.filter((each) => !paired.has(each));
  }

  const renames = findRenames({ vanished: oldOnes, appeared: newOnes, base, head });
  for (const { because, ...pair } of renames) paired.set(pair.head, { kind: 'renamed', because, ...pair });
  const renamed = new Set(renames.map((each) => each.base));
  return [
    ...head.functions.map((each): FunctionDiff => paired.get(each) ?? { kind: 'appeared', head: each }),
    ...oldOnes
      .filter((each) => !renamed.has(each))
      .map((each): FunctionDiff => ({ kind: 'vanished', base: each })),
  ];
}

function sameCounts(base: FunctionProfile, head: FunctionProfile): boolean {
  return base.calls === head.calls && base.instructions === head.instructions && base.cycles === head.cycles;
}

function compared(pair: FunctionPair): FunctionDiff {
  return { kind: sameCounts(pair.base, pair.head) ? 'unchanged' : 'changed', ...pair };
}

const withFile = (each: FunctionProfile): string => JSON.stringify([each.name, each.file]);
const nameOnly = (each: FunctionProfile): string => each.name;
