import { Failure } from '../base/failure.ts';
import { PAGE_SIZE } from '../guest/layout.ts';
import { realTime } from './clock.ts';
import { LARGEST_FILE } from './fs/content.ts';
import type { FileNode } from './fs/node.ts';
import { addRegion, protectRegions, removeRegions, watch, writeBackShared } from './regions.ts';
import type { Region } from './state.ts';
import type { System } from './system.ts';

/**
 * What processes have of each other's memory.
 *
 * Each process runs in memory of its own, so that a child of vfork gets a copy as one of fork does. Its parent waits, so
 * nobody can tell until the child gives the memory back, by becoming another program or by its end: then all that differs in
 * the child's copy is written to the parent's memory, by the parent's system call as far as its measurement goes.
 */

/** Gives borrowed memory back, if the process has any. */
export function giveBack(system: System): void {
  const { lender } = system;
  system.state.process.isWaitedFor = false;
  if (lender === undefined) return;
  system.lender = undefined;
  writeBackShared(system);
  giveMappings(system, lender);
  lender.state.breakStart = system.state.breakStart;
  lender.state.break = system.state.break;
  for (const { address, length } of system.memory.differences(lender.memory))
    lender.user.writeMapped(address, system.memory.read(address, length));
}

/** Mappings that the borrower made, changed or removed. */
function giveMappings(borrower: System, lender: System): void {
  const before = [...lender.state.regions];
  const after = [...borrower.state.regions];
  const ends = new Set([...before, ...after].flatMap(({ start, end }) => [start, end]));
  const bounds = [...ends].sort((a, b) => a - b);
  bounds.slice(1).forEach((end, i) => {
    const start = bounds[i];
    const covers = (region: Region) => region.start <= start && region.end >= end;
    const old = before.find(covers);
    const now = after.find(covers);
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
  for (const region of [...system.state.regions]) {
    if (!region.shared || region.file !== undefined) continue;
    const { start, end } = region;
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
    const at = system.state.regions.indexOf(region);
    const shared = {
      ...region,
      file,
      label: '/dev/zero (deleted)',
      openedAs: '/dev/zero',
      offset: 0,
    };
    system.state.regions[at] = shared;
    watch(system, shared);
  }
}
