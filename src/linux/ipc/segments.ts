import { realTime } from '../clock.ts';
import { regionsOf } from '../region-list.ts';
import type { KernelState } from '../state.ts';
import type { System } from '../system.ts';
import type { Segment } from './state.ts';

/**
 * Segments of shared memory (ipc/shm.c). One is a file without a name, and attached where that is mapped: how many places
 * those are is counted when somebody asks.
 */

/** In the mode of a segment that goes when nobody has it attached. */
export const SHM_DEST = 0o1000;

export function attachments({ shared }: KernelState, { file }: Segment): number {
  let count = 0;
  for (const { state } of shared.processes.values()) count += state?.regions.showing.get(file) ?? 0;
  return count;
}

/** Takes away the segments that are to go and that nobody has any more. */
export function dropAbandoned({ state }: System): void {
  const { objects } = state.shared.ipc.segments;
  for (const segment of objects.values())
    if ((segment.mode & SHM_DEST) !== 0 && attachments(state, segment) === 0) objects.delete(segment.id);
}

/** The process ends, or becomes another program: it has detached its segments. */
export function noteDetached(system: System): void {
  const { process, regions, shared } = system.state;
  for (const segment of shared.ipc.segments.objects.values())
    if (regionsOf(regions, segment.file).length > 0) {
      segment.lastProcess = process.id;
      segment.detached = realTime(system);
    }
}
