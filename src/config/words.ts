/**
 * Splits a command line into words as a POSIX shell does, with its quotes and backslashes (XCU 2.2) and nothing else:
 * no variables, no globs, no operators. Those are refused where a shell would act on them, because silently passing
 * `$HOME` or `> out.txt` to the program as an argument is not what anybody who writes it means.
 */
export type Words =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: string };

export function splitWords(command: string): Words {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < command.length) {
    const char = command[at]!;
    if (/[ \t\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) return refused(`the single quote at character ${at + 1} is never closed`);
      word = (word ?? '') + command.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const quoted = doubleQuoted(command, at);
      if (quoted.kind === 'refused') return quoted;
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (char === '\\') {
      const next = command[at + 1];
      if (next === undefined) return refused('it ends with a backslash');
      // A backslash before a newline continues the line and stands for nothing.
      if (next !== '\n') word = (word ?? '') + next;
      at += 2;
    } else {
      if (isShellSyntax(char, word)) return refused(shellSyntax(char));
      word = (word ?? '') + char;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return { kind: 'words', words };
}

type Quoted =
  | { readonly kind: 'quoted'; readonly text: string; readonly end: number }
  | { readonly kind: 'refused'; readonly problem: string };

function doubleQuoted(command: string, start: number): Quoted {
  let text = '';
  for (let at = start + 1; at < command.length; at += 1) {
    const char = command[at]!;
    if (char === '"') return { kind: 'quoted', text, end: at + 1 };
    if (char === '$' || char === '`') return refused(shellSyntax(char));
    const next = command[at + 1];
    if (char === '\\' && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== '\n') text += next;
      at += 1;
    } else {
      text += char;
    }
  }
  return refused(`the double quote at character ${start + 1} is never closed`);
}

function isShellSyntax(char: string, word: string | undefined): boolean {
  if ('$`|&;<>()*?['.includes(char)) return true;
  return word === undefined && (char === '#' || char === '~');
}

function shellSyntax(char: string): string {
  return `${JSON.stringify(char)} would need a shell, and none runs here; put it in single quotes if the program is to see it`;
}

function refused(problem: string): { readonly kind: 'refused'; readonly problem: string } {
  return { kind: 'refused', problem };
}
