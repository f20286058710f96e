import type { Brand } from '../base/brand.ts';

/**
 * Which report a comment holds: 16 hex digits that the front end derives from the configuration's path, the working
 * directory and the chosen targets, so that two configurations on one pull request keep a comment each.
 */
export type CommentKey = Brand<string, 'CommentKey'>;

/**
 * The hidden first line of our comments. Only a body that begins with it is ours: a marker quoted in the middle of
 * somebody's reply, or smuggled into a report through a function's name, does not count.
 */
export function markerOf(key: CommentKey): string {
  return `<!-- ilp-gate:report ${key} -->`;
}

export function carriesMarker(body: string, key: CommentKey): boolean {
  return body.startsWith(markerOf(key));
}
