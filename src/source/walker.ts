import { Arithmetic } from './arithmetic.ts';
import type { LoopFacts } from './facts.ts';
import { Graph, type Node } from './graph.ts';
import { LoopWalker } from './loop-walker.ts';
import { isScalar, typeOfNode } from './places.ts';
import { linesOf, withoutBreak } from './shapes.ts';
import { type Binding, type State, TooMuchWork } from './state.ts';
import type { Branch, Expression, Part, SourceFunction, Statement, Type } from './syntax.ts';
import { placeOf } from './targets.ts';

/**
 * Follows a function from its start with symbols for what is not known: a loop's body is gone through until it is known
 * which variables advance by the same amount in every iteration, then once more to see what it does.
 */
export class Walker extends LoopWalker {
  /** The facts of a function's loops, outer ones before those inside them; with the graph that they speak of. */
  walk(source: SourceFunction): { readonly loops: readonly LoopFacts[]; readonly graph: Graph } {
    this.graph = new Graph();
    this.arithmetic = new Arithmetic(this.graph);
    this.facts.length = 0;
    this.frames = [];
    this.entries = new Map();
    this.work = 0;
    this.calls = [source.name];
    this.current = source;
    this.resultType = source.result;
    this.self = undefined;
    this.deduced = new Map();
    this.declaredIn.clear();
    this.final = true;
    const own = new Map<string, Binding>();
    this.scopes = [new Map(), own];
    for (const each of [...source.locals, ...source.parameters]) own.set(each.name, this.bind(each));
    this.graph.addArea(0, undefined, source.line, source.line);
    const before = this.nextLoop;
    try {
      this.run(source.body, { variables: new Map(), memory: new Map() });
    } catch (error) {
      if (!(error instanceof TooMuchWork) && !(error instanceof RangeError)) throw error;
      this.facts.length = 0;
      this.lost(source, before);
    }
    return { loops: [...this.facts], graph: this.graph };
  }

  /** Names the loops of a function that could not be gone through. */
  private lost(source: SourceFunction, id: number): void {
    let next = id;
    const visit = (list: readonly Statement[], depth: number): void => {
      for (const each of list) {
        if (each.kind === 'block') visit(each.body, depth);
        if (each.kind === 'if') {
          visit(each.yes.body, depth);
          visit(each.no?.body ?? [], depth);
        }
        if (each.kind === 'switch') for (const { body } of each.cases) visit(body, depth);
        if (each.kind !== 'loop' || this.facts.length > 10_000) continue;
        const { loop } = each;
        const position = this.facts.length;
        visit(loop.body, depth + 1);
        this.facts.splice(position, 0, {
          id: next++,
          function: source.name,
          line: loop.line,
          endLine: loop.endLine,
          depth,
          innermost: this.facts.length === position,
          independent: loop.form === 'concurrent',
          induction: undefined,
          trips: loop.trips,
          areas: [],
          accesses: [],
          roots: [],
          carried: [],
          reasons: ['the function is too large to be followed'],
          assumptions: [],
        });
      }
    };
    visit(source.body, 1);
  }

  // Statements. A state that is undefined is not reached.

  protected run(list: readonly Statement[], start: State | undefined): State | undefined {
    const { frame } = this;
    const area = frame?.area ?? 0;
    let state = start;
    for (const [i, each] of list.entries()) {
      if (state === undefined && each.kind !== 'loop') continue;
      const left = frame?.continues.length ?? 0;
      state = this.statement(each, state ?? { variables: new Map(), memory: new Map() });
      // Behind a `continue` that not every iteration meets, what follows is an area of its own.
      const next = list[i + 1];
      if (frame === undefined || state === undefined || next === undefined || frame.continues.length === left)
        continue;
      frame.area = this.graph.addArea(frame.id, frame.area, linesOf(next)[0], linesOf(list.at(-1)!)[1]);
      frame.areas.push(frame.area);
    }
    if (frame !== undefined) frame.area = area;
    return state;
  }

  private statement(statement: Statement, state: State): State | undefined {
    this.spend(1);
    if (statement.kind !== 'block' && statement.kind !== 'loop') this.graph.line = statement.line;
    switch (statement.kind) {
      case 'expression': {
        const value = this.rvalue(statement.value, state);
        if (value?.op === 'opaque') this.root(value);
        return state;
      }
      case 'declare': {
        this.declared(statement, state);
        return state;
      }
      case 'block': {
        this.scopes.push(new Map());
        const after = this.run(statement.body, state);
        this.scopes.pop();
        return after;
      }
      case 'if':
        return this.branches(statement.test, [statement.yes, statement.no], state, true);
      case 'switch':
        return this.branches(statement.on, [...statement.cases, undefined], state, false);
      case 'loop':
        return this.enterLoop(statement.loop, state);
      case 'jump': {
        const value = statement.value === undefined ? undefined : this.returned(statement.value, state);
        if (statement.to === 'return' && this.returns !== undefined) {
          this.returns.push({ state, value: value?.id });
          return undefined;
        }
        this.root(value);
        if (statement.to === 'continue') this.frame?.continues.push(state);
        if (statement.to === 'elsewhere') this.reason(`the jump in line ${statement.line} is not followed`);
        return undefined;
      }
      case 'label':
        return state;
      case 'opaque':
        this.reason(statement.why);
        state.memory.clear();
        return state;
    }
  }

  private declared(statement: Extract<Statement, { kind: 'declare' }>, state: State): void {
    const from = statement.value;
    const list = from?.kind === 'aggregate' && from.type === undefined ? from.parts : undefined;
    const isArray = statement.type.kind === 'array';
    const value =
      from === undefined || (isArray && list !== undefined)
        ? undefined
        : list !== undefined
          ? this.made(list, statement.type, state)
          : this.rvalue(from, state);
    const inferred = statement.type.kind === 'unknown' && statement.type.why === 'auto';
    const type = inferred && value !== undefined ? typeOfNode(value) : this.resolved(statement.type);
    const binding: Binding = { id: this.nextBinding++, type, loop: this.loop };
    this.scopes.at(-1)!.set(statement.name, binding);
    if (isScalar(type)) {
      if (value === undefined) return;
      // What a reference stands for is what it is, understood or not.
      const isReference = statement.name.startsWith('&');
      state.variables.set(binding.id, isReference ? value.id : this.as(value, type, statement.name).id);
      return;
    }
    const target = placeOf(binding, statement.name);
    this.declaredIn.set(target.place.root, this.loop);
    if (isArray && list !== undefined) this.assignElements(target, list, state);
    else if (value?.record !== undefined) this.assign(target, value, state);
  }

  private returned(value: Expression, state: State): Node | undefined {
    const isList = value.kind === 'aggregate' && value.type === undefined;
    const result = this.resultType;
    return isList && result !== undefined ? this.made(value.parts, result, state) : this.rvalue(value, state);
  }

  private made(parts: readonly Part[], type: Type, state: State): Node | undefined {
    const args = parts.map(({ value }) => value);
    const own = type.kind === 'record' ? this.constructed(type.record, args, state) : undefined;
    return own ?? this.aggregate(parts, type, state);
  }

  private branches(
    test: Expression,
    branches: readonly (Branch | undefined)[],
    state: State,
    isIf: boolean,
  ): State | undefined {
    const condition = this.rvalue(test, state);
    if (
      isIf &&
      condition?.op === 'constant' &&
      condition.value !== undefined &&
      !Number.isNaN(condition.value)
    ) {
      const taken = branches[condition.value !== 0 ? 0 : 1];
      if (taken === undefined) return state;
      this.scopes.push(new Map());
      const after = this.run(taken.body, state);
      this.scopes.pop();
      return after;
    }
    this.root(isIf ? this.asked(condition) : condition);
    const outer = this.area;
    const ends: State[] = [];
    for (const branch of branches) {
      if (branch === undefined) {
        ends.push(this.copied(state));
        continue;
      }
      const frame = this.frame;
      if (frame !== undefined) {
        frame.area = this.graph.addArea(frame.id, outer, branch.line, branch.endLine);
        frame.areas.push(frame.area);
      }
      this.scopes.push(new Map());
      // A case ends with its `break`; without one, what follows is counted in its own area all the same.
      const body = isIf ? branch.body : withoutBreak(branch.body);
      const end = this.run(body, this.copied(state));
      this.scopes.pop();
      if (frame !== undefined) frame.area = outer;
      if (end !== undefined) ends.push(end);
    }
    return this.merged(ends);
  }
}
