import { Failure } from '../base/failure.ts';
import { type Instruction, isNop, type Side, sideOf } from './instructions.ts';

/**
 * A two-column listing of KSR assembly code, as the KSR compilers write it: a line is a pair of instructions, the left one
 * for FPU and IPU, the right one for CEU and XIU, between them a semicolon.
 *
 *     .L27:
 *        fmad8.tr  %f0, %f9, %f8    ;  ld8     8(%c7), %f9     # a comment
 *        finop                      ;  bcc.qn  @citst, .L27
 *
 * A bar or white space between the columns does as well, and a line with one instruction has nothing in the other column.
 */
export interface Listing {
  readonly pairs: readonly Pair[];
  /** In order; `pair` is the index of the first pair behind the label. */
  readonly labels: readonly Label[];
}

export interface Pair {
  /** From 1. */
  readonly line: number;
  readonly left: Instruction;
  readonly right: Instruction;
}

export interface Label {
  readonly name: string;
  readonly line: number;
  readonly pair: number;
}

const EMPTY: Readonly<Record<Side, Instruction>> = {
  left: { mnemonic: 'finop', operands: [] },
  right: { mnemonic: 'cxnop', operands: [] },
};

/** What a name may be made of: KSR's compilers put a dollar sign into the names of texts. */
const LABEL = /^([A-Za-z_.$@][\w.$@]*|\d+):/;
const DIRECTIVE = /^\.[A-Za-z]/;
/** What a person may write above the columns. */
const HEADING = /^(?:[-=_*+| ]+|\W*FPU\s*\/\s*IPU\W+CEU\s*\/\s*XIU\W*)$/i;
const MNEMONIC = /^[A-Za-z_]\w*(?:[.,]\w+)*$/;
/** Registers, conditions, numbers, names and sums of them, and all of these in front of a base register. */
const OPERAND = /^[\w.$@%+\-*/#&<>]*(?:\([\w.$@%+\-*/, ]*\))?$/;

/** `where` is for messages. Throws a `Failure` on text that is no such listing. */
export function readListing(text: string, where: string): Listing {
  if (text.includes('\0')) throw bad(where, 1, 'this is not text');
  const pairs: Pair[] = [];
  const labels: Label[] = [];
  const lineOf = new Map<string, number>();
  let both = 0;
  const lines = withoutBlockComments(text).split(/\r\n?|\n/);
  for (let i = 0; i < lines.length; i++) {
    const line = i + 1;
    let rest = withoutComment(lines[i]).trim();
    for (let match = LABEL.exec(rest); match !== null; match = LABEL.exec(rest)) {
      const name = match[1];
      const before = lineOf.get(name);
      if (before !== undefined)
        throw bad(
          where,
          line,
          `the label ${name} is on line ${before} already, so branches to it are ambiguous`,
        );
      lineOf.set(name, line);
      labels.push({ name, line, pair: pairs.length });
      rest = rest.slice(match[0].length).trim();
    }
    if (rest === '' || DIRECTIVE.test(rest) || isRemark(rest)) continue;
    const columns = columnsOf(rest);
    const given = columns.map((column) => instructionOf(column, where, line));
    if (given.length === 0) throw bad(where, line, 'there is no instruction');
    if (given.length > 1) both++;
    pairs.push({ line, ...pairOf(given, where, line) });
  }
  if (both === 0)
    throw new Failure(
      'usage',
      'no-pairs',
      `${where} is not a two-column listing of KSR assembly code: no line has a pair of instructions, such as "finop ; ld8 0(%c6), %f0"`,
    );
  return { pairs, labels };
}

/** A heading, or a line that begins as a comment of other assemblers does and has no instruction of the right column. */
function isRemark(line: string): boolean {
  if (!line.startsWith(';')) return HEADING.test(line);
  return sideOf(mnemonicOf(line.slice(1).trim().split(/\s/, 1)[0])) !== 'right';
}

/** Comments of C's preprocessor, over lines; what is left keeps its line. */
function withoutBlockComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('/*', at);
    if (open < 0) break;
    const close = text.indexOf('*/', open + 2);
    const end = close < 0 ? text.length : close + 2;
    parts.push(text.slice(at, open), ' ', '\n'.repeat(linesIn(text.slice(open, end))));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const linesIn = (text: string): number => text.split('\n').length - 1;

function withoutComment(line: string): string {
  const hash = line.indexOf('#');
  const slashes = line.indexOf('//');
  const bang = line.indexOf('!');
  const ends = [hash, slashes, bang].filter((at) => at >= 0);
  return ends.length === 0 ? line : line.slice(0, Math.min(...ends));
}

/**
 * The columns of a line: one or two, more where the line is not what it should be. Where a bar or white space is between
 * them, a semicolon begins a comment.
 */
function columnsOf(line: string): readonly string[] {
  const filled = (columns: readonly string[]): readonly string[] =>
    columns.map((column) => column.trim()).filter((column) => column !== '');
  const bar = /\|+/;
  if (bar.test(line)) return filled(line.split(';')[0].split(bar));
  const [first, ...others] = filled(line.split(';'));
  const inFirst = first === undefined ? [] : splitAtSpace(first);
  return inFirst.length > 1 ? inFirst : [...inFirst, ...others];
}

/**
 * Where a second instruction begins: behind an operand that no comma follows, or behind a mnemonic that takes none. Operands
 * are told from mnemonics by their first character, and a name is an operand where the mnemonic before it takes operands.
 */
function splitAtSpace(column: string): readonly string[] {
  const words = column.replace(/\s*,\s*/g, ',').split(/\s+/);
  let operands = 0;
  for (let i = 1; i < words.length; i++) {
    const starts = MNEMONIC.test(words[i]) && !words[i].includes(',');
    const full = operands > 0 || isNop(mnemonicOf(words[0]));
    if (starts && full) return [words.slice(0, i).join(' '), words.slice(i).join(' ')];
    operands++;
  }
  return [column];
}

const mnemonicOf = (word: string): string => word.toLowerCase();

function instructionOf(text: string, where: string, line: number): Instruction {
  const space = text.search(/\s/);
  const mnemonic = space < 0 ? text : text.slice(0, space);
  if (!MNEMONIC.test(mnemonic))
    throw bad(where, line, `${shortened(mnemonic)} is not the name of an instruction`);
  const operands = space < 0 ? [] : operandsOf(text.slice(space + 1));
  const odd = operands.find((operand) => operand === '' || !OPERAND.test(operand));
  if (odd !== undefined) throw bad(where, line, `${shortened(odd)} is not an operand of ${mnemonic}`);
  return { mnemonic: mnemonicOf(mnemonic), operands };
}

/** At commas that are not in parentheses. */
function operandsOf(text: string): readonly string[] {
  const operands: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      operands.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  operands.push(text.slice(from).trim());
  return operands;
}

function pairOf(
  given: readonly Instruction[],
  where: string,
  line: number,
): { readonly left: Instruction; readonly right: Instruction } {
  if (given.length > 2) throw bad(where, line, `there are ${given.length} instructions, and a pair has two`);
  if (given.length === 2) return { left: given[0], right: given[1] };
  const [only] = given;
  return { ...EMPTY, [sideOf(only.mnemonic) ?? 'left']: only };
}

const shortened = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);

function bad(where: string, line: number, problem: string): Failure {
  return new Failure('usage', 'bad-listing', `${where}:${line}: ${problem}`, { file: where, line });
}
