import type { Entry, FsNode } from './node.ts';

/** Entries of what is no directory. Each is one object, which goes with the node where that is moved: open files and mappings refer to theirs. */

type File = Pick<FsNode, 'entry' | 'otherEntries'>;
type At = Pick<Entry, 'directory' | 'name'>;

/** The node's entry there. */
export function entryOf({ entry, otherEntries = [] }: File, { directory, name }: At): Entry | undefined {
  if (entry === undefined) return undefined;
  return [entry, ...otherEntries].find((each) => each.directory === directory && each.name === name);
}

export function addEntry(node: File, { directory, name }: At): void {
  if (node.entry !== undefined && node.entry.isGone !== true)
    node.otherEntries = [...(node.otherEntries ?? []), node.entry];
  node.entry = { directory, name };
}

/** The last one stays for those who watch the directory, and is gone. */
export function endEntry(node: File, at: At): void {
  const ended = entryOf(node, at);
  if (ended === undefined) return;
  ended.isGone = true;
  const left = (node.otherEntries ?? []).filter((each) => each !== ended);
  if (ended === node.entry) node.entry = left.pop() ?? ended;
  node.otherEntries = left;
}
