/**
 * Names come from the program under test: symbols, file names, arguments, output. Whoever opens a pull request may
 * choose them, so nothing of them may act: not as Markdown, HTML, a mention or a diagram in a comment, not as an escape
 * sequence on a terminal, not as a workflow command in a job's log.
 */

/** Controls, line and paragraph separators, and what reorders or hides text (Unicode's bidi and zero-width characters). */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Longer names (of templates, mostly) make a table unreadable. */
const LONGEST_NAME = 160;
const LONGEST_LINE = 2000;
const LONGEST_CELL = 60;

/** One line of text in which every character can be seen. The middle of a long one is left out. */
export function visible(text: string, longest: number = LONGEST_NAME): string {
  const tail = Math.floor(longest / 3);
  const short = text.length <= longest ? text : `${text.slice(0, longest - tail - 1)}…${text.slice(-tail)}`;
  return short.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/**
 * For a log: the runner obeys `::command::` at the start of a line, blanks before it or not, and `##[command]`
 * anywhere in it. Callers put no name at the start of a line; this breaks the second form and, to be safe, the first.
 */
export function plain(text: string): string {
  return harmless(visible(text, LONGEST_LINE));
}

/** The same for a column of a table. */
export function plainName(text: string): string {
  return harmless(visible(text, LONGEST_CELL));
}

function harmless(text: string): string {
  return text.replaceAll('##[', '#\\#[').replace(/^(\s*):(?=:)/, '$1\\:');
}

/**
 * Markdown in which the text is shown literally: a code span with a fence longer than any run of backticks within
 * (CommonMark 6.1). Mentions, references, links and HTML do not work inside. A bar would end a table's cell even
 * there, so it is escaped as GFM's tables want it; outside of tables that would show the backslash: see `inTable`.
 */
export function code(text: string, inTable: 'cell' | 'prose' = 'prose'): string {
  const shown = visible(text);
  if (shown === '') return '` `';
  const longestRun = Math.max(0, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longestRun + 1);
  const padded = shown.startsWith('`') || shown.endsWith('`') || /^ .* $/.test(shown) ? ` ${shown} ` : shown;
  const span = `${fence}${padded}${fence}`;
  return inTable === 'cell' ? span.replaceAll('|', '\\|') : span;
}

/** A fenced block of foreign lines: the fence is longer than any in them. */
export function fenced(lines: readonly string[]): string {
  const shown = lines.map((line) => visible(line, LONGEST_LINE));
  const longestRun = Math.max(
    2,
    ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)),
  );
  const fence = '`'.repeat(longestRun + 1);
  return `${fence}text\n${shown.join('\n')}\n${fence}`;
}

/** A Mermaid label for use between double quotes: all but the plainest characters as Mermaid's entity codes. */
export function mermaidLabel(text: string): string {
  return [...visible(text)]
    .map((char) => (/[A-Za-z0-9 .,:%_/+-]/.test(char) ? char : `#${char.codePointAt(0)};`))
    .join('');
}

/**
 * A sentence with foreign words in it, as Markdown: what is no plain word or number is put into code spans, because an
 * escaped `@name` or `#1` is still a mention or a reference to GitHub. Not for the start of a block, where a number
 * would begin a list.
 */
export function prose(text: string, inTable: 'cell' | 'prose' = 'prose'): string {
  const pieces: { plain: boolean; words: string[] }[] = [];
  for (const word of visible(text, LONGEST_LINE).split(' ')) {
    const plain = word === '' || isPlainWord(word);
    const last = pieces[pieces.length - 1];
    if (last?.plain === plain) last.words.push(word);
    else pieces.push({ plain, words: [word] });
  }
  return pieces
    .map(({ plain, words }) => (plain ? words.join(' ') : code(words.join(' '), inTable)))
    .join(' ');
}

/** Words and numbers that no Markdown, no mention and no reference can be made of, with their punctuation. */
function isPlainWord(word: string): boolean {
  const bare = word.replace(/^\(/, '').replace(/[.,;:?!)]+$/, '');
  if (/^[+-]?\d+(?:[.,]\d+)*%?$/.test(bare)) return true;
  // A hexadecimal word may be a commit, GH-1 an issue, www.x a link.
  return /^\p{L}+(?:[-’']\p{L}+)*$/u.test(bare) && !/^[0-9a-f]{7,}$/i.test(bare);
}

/** How foreign text is made harmless where a report goes: names of things, and sentences that may hold such names. */
export interface Escape {
  readonly name: (text: string) => string;
  readonly prose: (text: string) => string;
}

export const IN_TEXT: Escape = { name: plain, prose: plain };
export const IN_MARKDOWN: Escape = { name: (text) => code(text), prose: (text) => prose(text) };
export const IN_CELL: Escape = {
  name: (text) => code(text, 'cell'),
  prose: (text) => prose(text, 'cell'),
};
/** The templates of pages escape what acts there (html/template.ts): text has only to be seen. */
export const IN_HTML: Escape = {
  name: (text) => visible(text),
  prose: (text) => visible(text, LONGEST_LINE),
};
