import { PARENT_ID } from './fs/initial.ts';
import type { SharedState } from './state.ts';

/** Whoever started the run is in its session, with a group of its own, as a shell is. */
const OUTSIDE = { group: PARENT_ID, session: PARENT_ID };

/**
 * Whether nobody is left who could let the group's processes go on: no member has a parent in another group of the same
 * session (POSIX, orphaned process group). Such groups do not stop by the terminal's signals.
 */
export function isOrphaned({ processes }: SharedState, group: number): boolean {
  return ![...processes.values()].some((member) => {
    if (member.group !== group || member.state === undefined) return false;
    const parent = member.parent === PARENT_ID ? OUTSIDE : processes.get(member.parent);
    return parent !== undefined && parent.group !== group && parent.session === member.session;
  });
}
