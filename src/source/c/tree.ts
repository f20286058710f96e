import type { Language, Parser, Tree, TreeCursor } from 'web-tree-sitter';
import type { GrammarFile, ReadGrammar } from '../ports.ts';

/** A node of the syntax tree, as plain data: without comments, with the words that grammars do not name. */
export interface CNode {
  readonly type: string;
  /** What it is to its parent; '' where the grammar does not say. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** First and last line, from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly kids: CNode[];
  /** Of a function's body: makes its node with kids, which the tree leaves out until somebody asks. */
  readonly expand: (() => CNode) | undefined;
}

/** The tree's memory is the parser's until it is released. */
export interface CTree {
  readonly root: CNode;
  release(): void;
}

/**
 * The parser looks in so often (every hundred steps or so): a file of 10 MB took 250,000, so that only a text which the
 * grammar finds endlessly ambiguous comes to this many.
 */
const mostProgress = (size: number): number => 200_000 + size / 10;

/** Undefined where the text is too ambiguous to be parsed. */
export async function parseC(text: string, cpp: boolean, read: ReadGrammar): Promise<CTree | undefined> {
  const parser = await parserFor(cpp ? 'tree-sitter-cpp.wasm' : 'tree-sitter-c.wasm', read);
  let left = mostProgress(text.length);
  let tree: Tree | null;
  try {
    tree = parser.parse(text, null, { progressCallback: () => --left < 0 });
  } catch {
    // Stopped, or out of memory.
    tree = null;
  }
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  const root = plain(cursor, true, linesIn(text));
  cursor.delete();
  return { root, release: () => tree.delete() };
}

const parsers = new Map<GrammarFile, Promise<Parser>>();

function parserFor(file: GrammarFile, read: ReadGrammar): Promise<Parser> {
  let parser = parsers.get(file);
  if (parser === undefined) {
    parser = load(file, read);
    parsers.set(file, parser);
  }
  return parser;
}

/** Its own start-up takes tens of milliseconds, which only those pay who need it. */
async function load(file: GrammarFile, read: ReadGrammar): Promise<Parser> {
  const { Parser, Language } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: await read('web-tree-sitter.wasm') });
  const parser = new Parser();
  const language: Language = await Language.load(await read(file));
  parser.setLanguage(language);
  return parser;
}

/** The line, from 1, of a position in a text: asking the tree for it is slow. */
function linesIn(text: string): (position: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (position) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < position) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** Without recursion: nesting is as deep as the text says. */
function plain(cursor: TreeCursor, lazy: boolean, lineOf: (position: number) => number): CNode {
  const make = (parent: CNode | undefined): CNode => {
    const { startIndex: start, endIndex: end } = cursor;
    // Each question to the cursor is a call of the parser: what has a text is not missing.
    const type = start === end && cursor.nodeIsMissing ? 'MISSING' : cursor.nodeType;
    const isBody = lazy && type === 'compound_statement' && parent?.type === 'function_definition';
    const body = isBody ? cursor.currentNode : undefined;
    return {
      type,
      field: cursor.currentFieldName ?? '',
      start,
      end,
      line: lineOf(start),
      endLine: lineOf(end),
      kids: [],
      expand:
        body === undefined
          ? undefined
          : () => {
              const inside = body.walk();
              const whole = plain(inside, false, lineOf);
              inside.delete();
              return whole;
            },
    };
  };
  const root = make(undefined);
  const path: CNode[] = [root];
  let down = cursor.gotoFirstChild();
  while (path.length > 0) {
    if (down) {
      const node = make(path.at(-1));
      if (node.type !== 'comment') {
        path.at(-1)!.kids.push(node);
        // Data tables are most of what large files hold, and hold no loop.
        const isTable = node.type === 'initializer_list' && node.end - node.start > LARGE_TABLE;
        const enter = !isTable && node.expand === undefined;
        if (enter && cursor.gotoFirstChild()) {
          path.push(node);
          continue;
        }
      }
      down = cursor.gotoNextSibling();
      continue;
    }
    path.pop();
    if (path.length === 0) break;
    cursor.gotoParent();
    down = cursor.gotoNextSibling();
  }
  return root;
}

const LARGE_TABLE = 4000;

export const kid = (node: CNode, field: string): CNode | undefined =>
  node.kids.find((each) => each.field === field);

export const kidOf = (node: CNode, ...types: readonly string[]): CNode | undefined =>
  node.kids.find((each) => types.includes(each.type));
