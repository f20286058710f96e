import { type CommentKey, markerOf } from './marker.ts';

/**
 * GitHub refuses a comment of more than 65,536 characters ("Body is too long"). The report keeps to 60,000; the rest is
 * room for the marker and the footer.
 */
export const BODY_LIMIT = 65_536;

/** Separates what was measured from where it was measured: only the former decides whether a comment is out of date. */
const FOOTER_MARK = '<!-- ilp-gate:footer -->';

export interface CommentContent {
  readonly key: CommentKey;
  /** Markdown, its first line the verdict. */
  readonly report: string;
  /** One line of Markdown: commit, run, artifact. */
  readonly footer: string;
}

export function assembleBody(content: CommentContent): string {
  const whole = assemble(content, content.report.trim());
  if (whole.length <= BODY_LIMIT) {
    return whole;
  }
  // A report cut in the middle of a table, a fence or <details> renders as garbage; the verdict line always stands alone.
  const verdict = content.report.trim().split('\n', 1)[0];
  return assemble(
    content,
    `${verdict}\n\nThe report is too long for a comment; the job summary has all of it.`,
  );
}

function assemble(content: CommentContent, report: string): string {
  return `${markerOf(content.key)}\n${report}\n\n${FOOTER_MARK}\n${content.footer}\n`;
}

/** Whether two bodies report the same measurement, whatever commit or run their footers name. */
export function sameReport(one: string, other: string): boolean {
  return measuredPart(one) === measuredPart(other);
}

/** Whether GitHub would show the same: it stores bodies with CRLF as a browser sends them, and trims the end. */
export function sameBody(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

function measuredPart(body: string): string {
  const normalized = normalize(body);
  const end = normalized.lastIndexOf(FOOTER_MARK);
  return end < 0 ? normalized : normalized.slice(0, end).trimEnd();
}

function normalize(body: string): string {
  return body.replaceAll('\r\n', '\n').trimEnd();
}
