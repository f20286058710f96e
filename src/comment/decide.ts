import { sameBody, sameReport } from './body.ts';
import type { PostedComment } from './ports.ts';

/**
 * always: every run leaves its report. on-change: a pull request that changes no number gets no comment, and an existing
 * comment is edited only when its numbers are out of date. never: no request is made at all.
 */
export type CommentMode = 'always' | 'on-change' | 'never';

export type CommentDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly id: number }
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'silent' };

export interface CommentCase {
  readonly mode: CommentMode;
  /** Our own comment with this configuration's marker, where there is one. */
  readonly existing: PostedComment | undefined;
  readonly body: string;
  /** Whether anything measured differs from the baseline, or the gate failed. */
  readonly changed: boolean;
}

export function decide({ mode, existing, body, changed }: CommentCase): CommentDecision {
  switch (mode) {
    case 'never':
      return { kind: 'silent' };
    case 'always':
      if (existing === undefined) {
        return { kind: 'create' };
      }
      return sameBody(existing.body, body)
        ? { kind: 'leave', id: existing.id }
        : { kind: 'update', id: existing.id };
    case 'on-change':
      if (existing === undefined) {
        return changed ? { kind: 'create' } : { kind: 'silent' };
      }
      // Also when nothing changed against the baseline: a comment that still says "regression" must not outlive the fix.
      return sameReport(existing.body, body)
        ? { kind: 'leave', id: existing.id }
        : { kind: 'update', id: existing.id };
  }
}
