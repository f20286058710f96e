import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import { PAGE_SIZE } from '../guest/layout.ts';
import { toText } from './bytes.ts';
import { contentOf } from './fs/content.ts';
import type { Region } from './region.ts';
import type { Module, System } from './system.ts';

/** Notes a file that the guest mapped executable: the dynamic linker maps libraries segment by segment. */
export function noteModule(system: System, region: Region): void {
  const image = imageOf(system, region);
  if (image === undefined) return;
  const segment = image.segments.find(
    (candidate) => candidate.executable && pageOf(candidate.offset) === region.offset,
  );
  if (segment === undefined) return;
  const base = region.start - pageOf(segment.address);
  addModule(system, { path: toText(region.openedAs!), file: region.label, image, base });
}

/** A file mapped twice at the same place is one module: passes repeat what was noted before. */
export function addModule(system: System, found: Omit<Module, 'start' | 'end'>): void {
  const { image, base, file } = found;
  if (system.modules.some((module) => module.file === file && module.base === base)) return;
  const start = base + pageOf(Math.min(...image.segments.map((segment) => segment.address)));
  const end = base + Math.max(...image.segments.map((segment) => segment.address + segment.memorySize));
  system.modules.push({ ...found, start, end: Math.ceil(end / PAGE_SIZE) * PAGE_SIZE });
}

/** Undefined for a file that is no ELF image: code in it has no names, which is no reason to stop. */
function imageOf(system: System, region: Region): Image | undefined {
  const known = system.modules.find((module) => module.file === region.label);
  if (known !== undefined) return known.image;
  try {
    return system.parseImage(toText(region.openedAs!), contentOf(system, region.file!));
  } catch (problem) {
    if (problem instanceof Failure && problem.kind === 'guest') return undefined;
    throw problem;
  }
}

export function pageOf(address: number): number {
  return address - (address % PAGE_SIZE);
}
