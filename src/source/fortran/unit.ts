import type { Surroundings } from '../ports.ts';
import type { Language, SourceUnit } from '../syntax.ts';
import { closing, isTypeDeclaration, typeAt } from './declarations.ts';
import { Executables, isAssignment } from './executables.ts';
import { type Token, tokensOf } from './expressions.ts';
import { type Line, linesOf } from './lines.ts';
import { fileOfModule } from './modules.ts';
import { Scope } from './scope.ts';

/** Program units, types and module variables of a Fortran file. */
export function readFortran(source: string, language: Language, around: Surroundings): SourceUnit {
  const reader = new Reader(around);
  reader.read(source, language === 'fortran-fixed' ? 'fixed' : 'free');
  return { language, globals: reader.globals, functions: reader.functions, problems: reader.problems };
}

const DEEPEST = 10;
const MOST_MODULES = 200;
const LARGEST = 2 * 2 ** 20;

/** Tells what kind a statement is. */
class Reader extends Executables {
  private inInterface = 0;
  private readonly around: Surroundings;
  /** Files of modules that are open: what they use is read, too. */
  private readonly depth: number;

  constructor(around: Surroundings, depth = 0) {
    super();
    this.around = around;
    this.depth = depth;
  }

  read(source: string, form: 'free' | 'fixed'): void {
    const included = new Set<number>();
    const lines = linesOf(source, form, this.around);
    // Used before they are met.
    for (const { text } of lines) {
      const name = /\belemental\b.*\bfunction\s+([a-z]\w*)/.exec(text)?.[1];
      if (name !== undefined) this.file.elementals.add(name);
    }
    for (const line of lines) {
      if (line.isIncluded) included.add(line.line);
      this.statement(line);
    }
    this.end();
    const own = this.functions.filter((each) => !included.has(each.line));
    this.functions.splice(0, this.functions.length, ...own);
  }

  protected moduleNamed(name: string): Scope | undefined {
    const known = this.modules.get(name);
    if (known !== undefined || this.depth > DEEPEST || this.modules.size > MOST_MODULES) return known;
    // Whatever becomes of it, it is not looked for again; two modules that use each other are none.
    this.modules.set(name, new Scope(undefined));
    const file = fileOfModule(name, this.around);
    if (file === undefined || file.text.length > LARGEST) return undefined;
    const other = new Reader(this.around, this.depth + 1);
    for (const [each, scope] of this.modules) other.modules.set(each, scope);
    other.read(file.text, file.form);
    for (const [each, scope] of other.modules) this.modules.set(each, scope);
    for (const [each, variable] of other.globals)
      if (!this.globals.has(each)) this.globals.set(each, variable);
    return this.modules.get(name);
  }

  statement(line: Line): void {
    this.lastLine = line.endLine;
    const tokens = tokensOf(line.text);
    if (line.label > 0 && this.unit?.kind === 'procedure' && tokens[0] !== 'format')
      this.add({ kind: 'label', name: String(line.label), line: line.line });
    this.classified(tokens, line);
    if (line.label > 0) this.endLabelled(line.label, line.endLine);
  }

  protected classified(tokens: Token[], line: Line): void {
    if (tokens.length === 0) return;
    // name: do ...
    let name = '';
    if (tokens[1] === ':' && /^(?:do|if|select|where|forall|block|associate)$/.test(tokens[2] ?? '')) {
      name = tokens[0];
      tokens.splice(0, 2);
    }
    const [first, second] = tokens;
    const words = `${first}${/^[a-z]/.test(second ?? '') ? ` ${second}` : ''}`;
    if (this.inInterface > 0) {
      if (/^end ?interface/.test(words)) this.inInterface--;
      else if (first === 'interface') this.inInterface++;
      return;
    }
    if (this.isInType) return this.inType(tokens, words, line);
    if (isAssignment(tokens)) return this.assignment(tokens, line);
    const compact = /^do(\d+)([a-z]\w*)$/.exec(first);
    if (compact !== null && second === '=') tokens.splice(0, 1, 'do', compact[1], compact[2]);
    if (/^(?:abstract )?interface$/.test(words) || first === 'interface') {
      this.inInterface++;
      return;
    }
    if (this.unitStart(tokens, line)) return;
    if (first === 'type' && second !== '(') return this.typeStart(tokens);
    if (isTypeDeclaration(tokens)) return this.declareNames(tokens, line);
    if (/^end/.test(first) && this.ends(first, second, line)) return;
    if (this.specification(tokens, line)) return;
    this.executable(tokens, name, line);
  }

  private unitStart(tokens: readonly Token[], line: Line): boolean {
    const [first, second] = tokens;
    if (first === 'module' && second !== 'procedure' && second !== undefined) {
      this.open('module', second, [], undefined, line, undefined);
      return true;
    }
    if (first === 'submodule' || (first === 'block' && second === 'data') || first === 'blockdata') {
      this.open('module', '', [], undefined, line, undefined);
      return true;
    }
    if (first === 'program' && second !== undefined) {
      this.open('procedure', second, [], undefined, line, undefined);
      return true;
    }
    if (first === 'module' && second === 'procedure') {
      this.open('procedure', tokens[2] ?? '', [], undefined, line, undefined);
      return true;
    }
    // Prefixes, of which one may be a type, then what it is.
    const at = tokens.findIndex((each) => each === 'subroutine' || each === 'function');
    if (at < 0 || at > 12 || tokens[0] === 'end' || !/^[a-z_]/.test(tokens[at + 1] ?? '')) return false;
    if (!tokens.slice(0, at).every((each) => PREFIX.test(each))) return false;
    const name = tokens[at + 1];
    const open = at + 2;
    const close = tokens[open] === '(' ? closing(tokens, open) : open - 1;
    const parameters =
      tokens[open] === '(' ? tokens.slice(open + 1, close).filter((each) => /^[a-z_]/.test(each)) : [];
    const isFunction = tokens[at] === 'function';
    const resultAt = tokens.indexOf('result', close);
    const result = !isFunction
      ? undefined
      : resultAt >= 0 && tokens[resultAt + 1] === '('
        ? tokens[resultAt + 2]
        : name;
    const typeFrom = tokens.findIndex(
      (each, i) => i < at && isTypeDeclaration([each, ...tokens.slice(i + 1, at), '']),
    );
    const before = typeFrom < 0 ? undefined : typeAt(tokens.slice(typeFrom, at), this.scope, line.line).type;
    this.open('procedure', name, parameters, result, line, before);
    return true;
  }

  private ends(first: Token, second: Token | undefined, line: Line): boolean {
    const what = first === 'end' ? (second ?? '') : first.slice(3);
    const unit = this.unit;
    if (/^(?:|subroutine|function|program|module|submodule|procedure|block ?data|blockdata)$/.test(what)) {
      this.endUnit(line.endLine);
      return true;
    }
    if (!/^(?:do|if|select|where|forall|block|associate|critical|interface|type|enum)$/.test(what))
      return false;
    if (unit === undefined) return true;
    if (unit.skipped === 0 && unit.blocks.length <= 1)
      this.problem(line.line, `line ${line.line} ends what was not begun`);
    this.closeInnermost(unit, line.endLine);
    return true;
  }

  /** A labelled statement ends every `do` that names it. */
  private endLabelled(label: number, endLine: number): void {
    const unit = this.unit;
    if (unit === undefined) return;
    while (unit.blocks.length > 1 && unit.blocks.at(-1)!.kind === 'do' && unit.blocks.at(-1)!.label === label)
      this.close(unit, endLine);
  }
}

const PREFIX =
  /^(?:pure|elemental|impure|recursive|module|non_recursive|integer|real|double|precision|doubleprecision|complex|logical|character|type|class|kind|len|\(|\)|=|\*|\d+|[a-z]\w*|attributes|host|device|global)$/;
