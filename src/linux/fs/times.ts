import { EPOCH } from '../clock.ts';
import type { DiskEntry } from '../ports.ts';
import type { OpenNode } from './node.ts';
import { isOfSystem } from './system-files.ts';

/**
 * When a file of the host was changed last, as the guest is told.
 *
 * Times depend on the machine where files were made on it: a checkout, a build, an installation of fonts. Those are all the
 * start of the virtual clock. Files that came out of a package or another archive have times that are part of it, the same on
 * every machine, and others may have noted them: Python's compiled modules name the time of their source, and a module whose
 * source has another time is compiled again in every run. Archives keep whole seconds, file systems nanoseconds. So the time of
 * a file of the system's is its own where it is a whole second, and not in the guest's future: what the guest makes is newer
 * than what it was installed with. Directories change as files come into them, so that theirs are never kept.
 */
export function modifiedOf(
  { kind, modified }: DiskEntry,
  origin: string,
  isInWorkingDirectory: boolean,
): bigint {
  if (kind !== 'file' || isInWorkingDirectory || !isOfSystem(origin)) return EPOCH;
  if (!Number.isSafeInteger(modified)) return EPOCH;
  const time = BigInt(modified) * 1_000_000_000n;
  return time < EPOCH ? time : EPOCH;
}

/** What the node holds is other than before: bytes, or entries. */
export function noteModified(node: OpenNode, now: bigint): void {
  node.modified = now;
  node.changed = now;
}
