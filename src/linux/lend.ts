import { Failure } from '../base/failure.ts';
import { PAGE_SIZE } from '../guest/layout.ts';
import { realTime } from './clock.ts';
import { LARGEST_FILE } from './fs/content.ts';
import type { FileNode } from './fs/node.ts';
import type { Region } from './region.ts';
import { allRegions, copyRegions, regionsIn, replaceRegions } from './region-list.ts';
import { addRegion, protectRegions, removeRegions, watch, writeBackShared } from './regions.ts';
import type { Lender, System } from './system.ts';

/**
 * What processes have of each other's memory.
 *
 * Each process runs in memory of its own, so that a child of vfork gets a copy as one of fork does. The thread that made it waits until
 * the child gives the memory back, by becoming another program or by its end: then all that the child has changed is written to the lender's
 * memory, by the lender's system call as far as its measurement goes. What other threads of the lender have changed by then stays.
 */

export const lentBy = (system: System): Lender => ({
  system,
  regions: copyRegions(system.state.regions),
  break: system.state.break,
});

/** Gives borrowed memory back, if the process has any. */
export function giveBack(borrower: System): void {
  const { lender, state } = borrower;
  state.process.isWaitedFor = false;
  if (lender === undefined) return;
  borrower.lender = undefined;
  writeBackShared(borrower);
  giveMappings(borrower, lender);
  const { system } = lender;
  if (state.break !== lender.break) {
    system.state.breakStart = state.breakStart;
    system.state.break = state.break;
  }
  for (const { address, length } of borrower.memory.differences(system.memory))
    system.user.writeMapped(address, borrower.memory.read(address, length));
}

/** Mappings that the borrower made, changed or removed. */
function giveMappings(borrower: System, { system: lender, regions: before }: Lender): void {
  const after = borrower.state.regions;
  const ends = new Set(
    [before, after].flatMap((list) => allRegions(list).flatMap(({ start, end }) => [start, end])),
  );
  const bounds = [...ends].sort((a, b) => a - b);
  bounds.slice(1).forEach((end, i) => {
    const start = bounds[i];
    const [old] = regionsIn(before, start, end);
    const [now] = regionsIn(after, start, end);
    if (now === undefined) {
      if (old !== undefined) removeRegions(lender, start, end);
    } else if (old === undefined || old.file !== now.file || old.shared !== now.shared) {
      const offset = now.file === undefined ? now.offset : now.offset + start - now.start;
      addRegion(lender, { ...now, start, end, offset });
    } else if (old.protection !== now.protection) protectRegions(lender, start, end, now.protection);
  });
}

/** Shared anonymous memory belongs to a file without a name, so that processes have it in common (Linux: shmem). */
export function shareAnonymous(system: System): void {
  const { regions } = system.state;
  for (const neighbours of anonymousShared(allRegions(regions))) {
    const { start } = neighbours[0];
    const { end } = neighbours[neighbours.length - 1];
    if (end - start > LARGEST_FILE)
      throw new Failure(
        'guest',
        'shared-memory-too-large',
        `the program shares ${end - start} bytes of anonymous memory with its child processes; ${LARGEST_FILE} is the most that is supported`,
      );
    const data = new Uint8Array(end - start);
    for (const page of system.memory.stored(start, end))
      data.set(system.memory.read(page * PAGE_SIZE, PAGE_SIZE), page * PAGE_SIZE - start);
    const modified = realTime(system);
    const file: FileNode = {
      kind: 'file',
      inode: 0,
      mode: 0o777,
      modified,
      data,
      size: data.length,
      links: 0,
      ownMode: true,
    };
    const shared = neighbours.map((region) => ({
      ...region,
      file,
      label: '/dev/zero (deleted)',
      openedAs: '/dev/zero',
      offset: region.start - start,
    }));
    replaceRegions(regions, start, end, shared);
    for (const region of shared) watch(system, region);
  }
}

/** Those that lie side by side together: what a program has protected in parts may become one again. */
function anonymousShared(regions: readonly Region[]): readonly Region[][] {
  const groups: Region[][] = [];
  for (const region of regions) {
    if (!region.shared || region.file !== undefined) continue;
    const group = groups.at(-1);
    if (group?.at(-1)?.end === region.start) group.push(region);
    else groups.push([region]);
  }
  return groups;
}
