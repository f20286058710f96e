import { PROFILE_VERSION } from './profile.ts';

/** A stored profile of some version, known to be an object and nothing more. */
export type StoredProfile = Readonly<Record<string, unknown>>;

/**
 * One step per version: the upgrader at `from` makes a profile of version `from + 1`.
 * A baseline lives in other people's repositories for years, so a step is never edited once released.
 */
type Upgrader = (stored: StoredProfile) => StoredProfile;

const UPGRADERS: ReadonlyMap<number, Upgrader> = new Map();

/** Takes a stored profile from its version to the wanted one, step by step; undefined when a step is missing. */
export function upgrade(
  stored: StoredProfile,
  from: number,
  to: number = PROFILE_VERSION,
  upgraders: ReadonlyMap<number, Upgrader> = UPGRADERS,
): StoredProfile | undefined {
  let current = stored;
  for (let version = from; version < to; version += 1) {
    const step = upgraders.get(version);
    if (step === undefined) return undefined;
    current = { ...step(current), version: version + 1 };
  }
  return current;
}
