import { assembleBody, type CommentContent } from './body.ts';
import { type CommentMode, decide } from './decide.ts';
import { type CommentKey, carriesMarker } from './marker.ts';
import type { CommentService, PostedComment } from './ports.ts';

export interface PublishRequest {
  readonly mode: CommentMode;
  readonly pullRequest: number;
  readonly content: CommentContent;
  readonly changed: boolean;
}

export type Published =
  | { readonly kind: 'created' | 'updated' | 'left'; readonly id: number }
  | { readonly kind: 'silent' };

/** Brings the one comment of this configuration up to date. Throws what the service throws. */
export async function publishComment(service: CommentService, request: PublishRequest): Promise<Published> {
  if (request.mode === 'never') {
    return { kind: 'silent' };
  }
  const body = assembleBody(request.content);
  const existing = await findOwn(service, request.pullRequest, request.content.key);
  const decision = decide({ mode: request.mode, existing, body, changed: request.changed });
  switch (decision.kind) {
    case 'create':
      return { kind: 'created', id: (await service.create(request.pullRequest, body)).id };
    case 'update':
      return { kind: 'updated', id: (await service.update(decision.id, body)).id };
    case 'leave':
      return { kind: 'left', id: decision.id };
    case 'silent':
      return { kind: 'silent' };
  }
}

/**
 * Marker and author: anyone can paste our marker, and with a token that may edit others' comments we would overwrite
 * theirs. Who we are is asked only when there is something to claim.
 */
async function findOwn(
  service: CommentService,
  pullRequest: number,
  key: CommentKey,
): Promise<PostedComment | undefined> {
  const marked = (await service.list(pullRequest)).filter((comment) => carriesMarker(comment.body, key));
  if (marked.length === 0) {
    return undefined;
  }
  const self = await service.self();
  return marked.find((comment) => comment.author === self);
}
