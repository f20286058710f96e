import { isAbsolute, relative } from 'node:path';
import type { Annotation, GateAnnotation } from './ports.ts';

/** GitHub shows ten annotations of each level a step and drops the others without a word. */
const SHOWN_PER_LEVEL = 10;

export interface AnnotationPlan {
  readonly shown: readonly Annotation[];
  readonly dropped: number;
}

/** The gate's annotations as the runner takes them, the first ten of each level. */
export function planAnnotations(found: readonly GateAnnotation[], workspace: string): AnnotationPlan {
  const used = { error: 0, warning: 0, notice: 0 };
  const shown = found.filter(({ level }) => used[level]++ < SHOWN_PER_LEVEL);
  return {
    shown: shown.map(({ level, title, message, file, line }) => ({
      level,
      title,
      message,
      place: placeOf(file, line, workspace),
    })),
    dropped: found.length - shown.length,
  };
}

/** GitHub puts an annotation beside a line only when the file is named relative to the repository's root. */
function placeOf(file: string | undefined, line: number | undefined, workspace: string): Annotation['place'] {
  if (file === undefined || line === undefined) {
    return undefined;
  }
  const inside = relative(workspace, file);
  const outside = inside === '..' || inside.startsWith('../') || isAbsolute(inside);
  return outside ? undefined : { file: inside, line };
}
