import type { Branch, Expression, SourceFunction, Statement, Type, Variable } from '../syntax.ts';
import type { Line } from './lines.ts';
import { Scope } from './scope.ts';

/** Constructs inside each other; deeper ones are left out, since what reads them is recursive. */
const DEEPEST = 120;

/** A program unit that is open. */
export interface Unit {
  readonly kind: 'module' | 'procedure' | 'skipped';
  readonly name: string;
  readonly line: number;
  readonly scope: Scope;
  readonly parameters: readonly string[];
  readonly result: string | undefined;
  readonly blocks: Block[];
  /** Constructs that were left out: how many `end`s still belong to them. */
  skipped: number;
}

/** A construct that is open. */
export interface Block {
  readonly kind: 'body' | 'if' | 'do' | 'select' | 'other';
  readonly line: number;
  readonly name: string;
  /** Of a labelled `do`: where it ends. */
  readonly label: number;
  body: Statement[];
  /** Where the part of an `if` or `select` that is open began. */
  partLine: number;
  readonly parts: { readonly test: Expression | undefined; readonly branch: Branch }[];
  test: Expression | undefined;
  /** Of a `where`. */
  mask?: Expression;
  /** Makes a loop of the body. */
  readonly finish?: (body: readonly Statement[], endLine: number) => Statement;
}

/** Program units and constructs: what is open, and what it becomes when it ends. */
export abstract class Units {
  readonly globals = new Map<string, Variable>();
  readonly functions: SourceFunction[] = [];
  readonly problems: { line: number; why: string }[] = [];
  protected readonly modules = new Map<string, Scope>();
  protected readonly units: Unit[] = [];
  protected readonly file = new Scope(undefined);
  protected lastLine = 1;

  end(): void {
    while (this.units.length > 0) this.endUnit(this.lastLine);
  }

  protected get unit(): Unit | undefined {
    return this.units.at(-1);
  }

  protected get scope(): Scope {
    return this.unit?.scope ?? this.file;
  }

  protected problem(line: number, why: string): void {
    if (this.problems.length < 1000) this.problems.push({ line, why });
  }

  protected open(
    kind: Unit['kind'],
    name: string,
    parameters: readonly string[],
    result: string | undefined,
    line: Line,
    type: Type | undefined,
  ): void {
    if (this.units.length > 20) {
      this.problem(line.line, 'program units are nested too deeply');
      this.end();
    }
    const scope = new Scope(this.scope);
    if (result !== undefined && type !== undefined) scope.variables.set(result, { name: result, type });
    this.units.push({
      kind,
      name,
      line: line.line,
      scope,
      parameters,
      result,
      blocks: [body(line.line)],
      skipped: 0,
    });
  }

  protected endUnit(endLine: number): void {
    const unit = this.units.pop();
    if (unit === undefined) return;
    while (unit.blocks.length > 1) {
      this.problem(unit.blocks.at(-1)!.line, `what line ${unit.blocks.at(-1)!.line} begins has no end`);
      this.close(unit, endLine);
    }
    const { scope, name, line } = unit;
    if (unit.kind === 'module') {
      for (const each of scope.variables.values()) this.globals.set(each.name, each);
      for (const [key, record] of scope.types) this.file.types.set(key, record);
      this.modules.set(name, scope);
      return;
    }
    const typed = (variable: string): Variable =>
      scope.variables.get(variable) ?? { name: variable, type: scope.implicitType(variable) };
    const parameters = unit.parameters.map(typed);
    const names = new Set(unit.parameters);
    const own = [
      ...this.units.flatMap((each) => (each.kind === 'procedure' ? [...each.scope.variables.values()] : [])),
      ...scope.variables.values(),
    ];
    const locals = own.filter((each) => !names.has(each.name));
    const result = unit.result === undefined ? undefined : typed(unit.result);
    const statements = unit.blocks[0].body;
    this.functions.push({
      name,
      line,
      parameters,
      byReference: true,
      result: result?.type ?? { kind: 'void' },
      locals: [...locals, ...(result === undefined || scope.variables.has(result.name) ? [] : [result])],
      notes: [...scope.notes],
      body: statements,
      ...(result === undefined ? {} : { resultName: result.name }),
    });
  }

  protected body(line: number): Unit {
    // A main program needs no head.
    if (this.unit === undefined || this.unit.kind === 'module')
      this.open(
        'procedure',
        'main',
        [],
        undefined,
        { line, endLine: line, isIncluded: false, label: 0, text: '' },
        undefined,
      );
    return this.unit!;
  }

  protected add(statement: Statement): void {
    const unit = this.body('line' in statement ? statement.line : 1);
    if (unit.skipped === 0) unit.blocks.at(-1)!.body.push(statement);
  }

  protected opaque(why: string, line: number): void {
    this.add({ kind: 'opaque', why, line });
  }

  protected begin(block: Block): void {
    const unit = this.body(block.line);
    if (unit.skipped > 0 || unit.blocks.length > DEEPEST) {
      if (unit.skipped === 0) this.opaque(`line ${block.line} is nested too deeply`, block.line);
      unit.skipped++;
      return;
    }
    unit.blocks.push(block);
  }

  protected innermostDo(unit: Unit): Block | undefined {
    return unit.blocks.findLast(({ kind }) => kind === 'do');
  }

  /** Ends the part of an `if` or `select` that is open. */
  protected part(block: Block, line: number): void {
    block.parts.push({
      test: block.test,
      branch: { body: block.body, line: block.partLine, endLine: Math.max(block.partLine, line - 1) },
    });
    block.body = [];
    block.partLine = line;
  }

  protected closeInnermost(unit: Unit, endLine: number): void {
    if (unit.skipped > 0) unit.skipped--;
    else if (unit.blocks.length > 1) this.close(unit, endLine);
  }

  protected close(unit: Unit, endLine: number): void {
    const block = unit.blocks.pop();
    if (block === undefined) return;
    const outer = unit.blocks.at(-1)!.body;
    const { line } = block;
    switch (block.kind) {
      case 'do':
        outer.push(block.finish!(block.body, endLine));
        return;
      case 'if': {
        this.part(block, endLine);
        const chain = block.parts.reduceRight<Branch | undefined>((no, { test, branch }) => {
          if (test === undefined) return branch;
          const statement: Statement = { kind: 'if', test, yes: branch, no, line: branch.line };
          return { body: [statement], line: branch.line, endLine };
        }, undefined);
        outer.push(...(chain?.body ?? []));
        return;
      }
      case 'select':
        this.part(block, endLine);
        outer.push({ kind: 'switch', on: block.test!, cases: block.parts.map(({ branch }) => branch), line });
        return;
      case 'other':
      case 'body':
        outer.push(...block.body);
    }
  }
}

/** An open construct of no kind. */
export function body(line: number): Block {
  return { kind: 'body', line, name: '', label: 0, body: [], partLine: line, parts: [], test: undefined };
}
