import { visible } from '../escape.ts';

/**
 * HTML as tagged templates. Every value that is not HTML itself becomes text: its markup is escaped and what cannot be
 * seen is spelled out, so it may stand wherever text may and in quoted attributes, whoever chose it. Attributes are
 * always in double quotes. The page holds no script, so that there is no third place to escape for.
 */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `undefined` and `false` are nothing, so that parts can be left out with `&&`. */
type Value = Html | string | number | undefined | false | readonly Value[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0]!;
  for (const [at, value] of values.entries()) text += textOf(value) + parts[at + 1]!;
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value.map(textOf).join('');
}

/** No name is that long; a whole report would be, were it one name. */
const LONGEST_TEXT = 20_000;

function escaped(text: string): string {
  return visible(text, LONGEST_TEXT).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
