import { Arithmetic, bytesOf, classOf } from './arithmetic.ts';
import { assignedIn } from './assigned.ts';
import { Evaluator } from './evaluator.ts';
import type { Carried, LoopFacts } from './facts.ts';
import { Graph, iterationOf, moved, type Node, placeKey } from './graph.ts';
import { isScalar, typeOfNode } from './places.ts';
import { linearIn, numberIn, type Polynomial, product, sum, symbol, symbolsOf } from './polynomial.ts';
import { linesOf, stepsName, withoutBreak } from './shapes.ts';
import { type Binding, type Frame, type State, TooMuchWork } from './state.ts';
import type { Branch, Expression, Loop, SourceFunction, Statement } from './syntax.ts';

const MOST_PASSES = 5;

/**
 * Follows a function from its start with symbols for what is not known: a loop's body is gone through until it is known
 * which variables advance by the same amount in every iteration, then once more to see what it does.
 */
export class Walker extends Evaluator {
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
    this.final = true;
    const globals = new Map<string, Binding>();
    const own = new Map<string, Binding>();
    this.scopes = [globals, own];
    for (const each of this.unit.globals.values()) globals.set(each.name, this.bind(each));
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
        const value = statement.value === undefined ? undefined : this.rvalue(statement.value, state);
        const inferred = statement.type.kind === 'unknown' && statement.type.why === 'auto';
        const type = inferred && value !== undefined ? typeOfNode(value) : statement.type;
        const binding: Binding = { id: this.nextBinding++, type, loop: this.loop };
        this.scopes.at(-1)!.set(statement.name, binding);
        if (value !== undefined && isScalar(type))
          state.variables.set(binding.id, this.arithmetic.toType(value, type, this.area).id);
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
        const value = statement.value === undefined ? undefined : this.rvalue(statement.value, state);
        if (statement.to === 'return' && this.returns !== undefined) {
          this.returns.push({ state, value: value?.id });
          return undefined;
        }
        this.root(value);
        if (statement.to === 'continue') this.frame?.continues.push(state);
        if (statement.to === 'elsewhere') this.reason(`the jump in line ${statement.line} is not followed`);
        return undefined;
      }
      case 'opaque':
        this.reason(statement.why);
        state.memory.clear();
        return state;
    }
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
    this.root(condition);
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

  // Loops.

  private enterLoop(loop: Loop, outerState: State): State {
    this.scopes.push(new Map());
    this.run(loop.before, outerState);
    const outer = this.frame;
    if (outer !== undefined) outer.innermost = false;
    // Passes of an outer loop that only look for what advances need not look inside.
    if (!this.final) {
      this.havoc(loop, outerState);
      this.scopes.pop();
      return outerState;
    }
    const id = this.nextLoop++;
    const depth = this.frames.length + 1;
    this.graph.addLoop(id, depth);
    const known = new Map<number, Advance>();
    const position = this.facts.length;
    let stored: ReadonlySet<string> | undefined;
    let advances: ReadonlyMap<number, Advance> = new Map();
    for (let pass = 0; ; pass++) {
      this.final = pass === MOST_PASSES;
      const before = this.nextBinding;
      let result = this.pass(loop, id, depth, outerState, known, stored);
      const found = this.final ? 0 : this.discover(result, known, id);
      advances = known;
      stored = new Set(
        result.frame.accesses.filter(({ kind }) => kind === 'store').map(({ place }) => placeKey(place)),
      );
      if (!this.final && (found > 0 || pass === 0)) {
        this.nextBinding = before;
        continue;
      }
      if (!this.final) {
        this.final = true;
        this.nextBinding = before;
        result = this.pass(loop, id, depth, outerState, known, stored);
      }
      // What it starts from is computed in the loop outside.
      for (const { entry, binding } of result.starts)
        if (known.get(binding.id)?.kind !== 'same' && entry.class !== 'pointer') this.root(entry);
      const inner = this.facts.splice(position);
      this.facts.push(this.factsOf(loop, result, advances, inner.length === 0), ...inner);
      break;
    }
    this.havoc(loop, outerState, advances);
    this.scopes.pop();
    return outerState;
  }

  /** After a loop, what it changed is not known; a pointer that advanced still points into the same. */
  private havoc(loop: Loop, state: State, advances?: ReadonlyMap<number, Advance>): void {
    for (const name of assignedIn(loop)) {
      const binding = this.find(name);
      if (binding === undefined || binding.alias !== undefined || !isScalar(binding.type)) continue;
      const advance = advances?.get(binding.id);
      const old = state.variables.get(binding.id);
      const node = this.unknownValue(binding, name);
      const place = old === undefined ? undefined : this.graph.nodes[old].place;
      const moves = advance?.kind === 'step' && place !== undefined;
      const there = moves ? moved(place, symbol(this.freshSymbol())) : undefined;
      state.variables.set(
        binding.id,
        there === undefined
          ? node.id
          : this.graph.fresh(
              { op: 'opaque', inputs: [], class: 'pointer', bytes: 8, place: there, name },
              this.loop,
              this.area,
            ).id,
      );
    }
    state.memory.clear();
  }

  private pass(
    loop: Loop,
    id: number,
    depth: number,
    outerState: State,
    known: ReadonlyMap<number, Advance>,
    stored: ReadonlySet<string> | undefined,
  ): PassResult {
    const frame: Frame = {
      id,
      depth,
      accesses: [],
      roots: [],
      reasons: new Set(this.current?.notes ?? []),
      assumptions: new Set(),
      areas: [],
      area: 0,
      continues: [],
      stored,
      innermost: true,
      loop,
    };
    frame.area = this.graph.addArea(id, undefined, loop.line, loop.endLine);
    frame.areas.push(frame.area);
    this.frames.push(frame);
    const state = this.copied(outerState);
    // An element that the loop stores to is another one, or holds another value, in the next iteration.
    state.memory.clear();
    const starts: Start[] = [];
    for (const name of assignedIn(loop)) {
      const binding = this.find(name);
      if (binding === undefined || binding.alias !== undefined || !isScalar(binding.type)) continue;
      if (starts.some((each) => each.binding.id === binding.id)) continue;
      const node = this.startOf(binding, name, known.get(binding.id), outerState, id, frame.area);
      if (node === undefined) continue;
      state.variables.set(binding.id, node.id);
      starts.push({ name, binding, node, entry: this.read(binding, name, outerState) });
    }
    const enclosing = this.returns;
    let end: State | undefined = state;
    this.graph.line = loop.line;
    if (loop.form !== 'do' && loop.test !== undefined) this.root(this.rvalue(loop.test, state), true);
    this.scopes.push(new Map());
    end = this.run(loop.body, state);
    this.scopes.pop();
    end = this.merged([...(end === undefined ? [] : [end]), ...frame.continues]) ?? state;
    this.graph.line = loop.line;
    if (loop.after !== undefined) this.rvalue(loop.after, end);
    if (loop.form === 'do' && loop.test !== undefined) this.root(this.rvalue(loop.test, end), true);
    this.returns = enclosing;
    this.frames.pop();
    return { frame, starts, end };
  }

  /** What a variable holds at the start of an iteration; undefined where that is what it held before the loop. */
  private startOf(
    binding: Binding,
    name: string,
    advance: Advance | undefined,
    outerState: State,
    id: number,
    area: number,
  ): Node | undefined {
    const entry = this.read(binding, name, outerState);
    if (advance?.kind === 'same') return undefined;
    const t = symbol(iterationOf(id));
    const cls = classOf(binding.type);
    const bytes = bytesOf(binding.type);
    if (advance?.kind === 'step') {
      const way = product(advance.by, t);
      if (entry.place !== undefined && way !== undefined) {
        const place = moved(entry.place, way);
        if (place !== undefined)
          return this.graph.fresh({ op: 'carried', inputs: [], class: cls, bytes, place, name }, id, area);
      }
      const index = entry.index === undefined || way === undefined ? undefined : sum(entry.index, way);
      if (index !== undefined)
        return this.graph.fresh({ op: 'carried', inputs: [], class: cls, bytes, index, name }, id, area);
    }
    if (advance?.kind === 'value')
      return this.graph.fresh(
        { op: 'carried', inputs: [], class: cls, bytes, index: advance.index, name },
        id,
        area,
      );
    const place = this.variablePlace(binding, name, id);
    return this.graph.fresh(
      { op: 'carried', inputs: [], class: cls, bytes, name, ...(place === undefined ? {} : { place }) },
      id,
      area,
    );
  }

  /** Finds variables that advance by the same in every iteration; how many of them were not known before. */
  private discover({ frame, starts, end }: PassResult, known: Map<number, Advance>, id: number): number {
    let found = 0;
    for (const { binding, node } of starts) {
      if (known.has(binding.id)) continue;
      const last = this.graph.nodes[end.variables.get(binding.id) ?? node.id];
      const advance = this.advanceOf(node, last, id, frame.stored !== undefined);
      if (advance === undefined) continue;
      known.set(binding.id, advance);
      found++;
    }
    return found;
  }

  private advanceOf(start: Node, end: Node, id: number, isLater: boolean): Advance | undefined {
    if (start.id === end.id) return { kind: 'same' };
    const isOwn = (p: Polynomial): boolean =>
      [...symbolsOf(p)].every((name) => this.graph.loopOfSymbol(name) !== id);
    if (start.place !== undefined && end.place !== undefined && start.place.root === end.place.root) {
      const from = start.place.selectors.at(-1);
      const to = end.place.selectors.at(-1);
      if (from?.kind !== 'at' || to?.kind !== 'at') return undefined;
      const by = sum(to.index, from.index, -1);
      return by !== undefined && isOwn(by) ? { kind: 'step', by } : undefined;
    }
    if (start.class !== 'int' || start.index === undefined || end.index === undefined) return undefined;
    const by = sum(end.index, start.index, -1);
    if (by !== undefined && isOwn(by)) return { kind: 'step', by };
    // It takes over what advances, one iteration late.
    const t = iterationOf(id);
    const parts = isLater ? linearIn(end.index, t) : undefined;
    if (parts === undefined || !isOwn(parts.rest) || !isOwn(parts.slope)) return undefined;
    const index = sum(end.index, parts.slope, -1);
    return index === undefined ? undefined : { kind: 'value', index };
  }

  private factsOf(
    loop: Loop,
    { frame, starts, end }: PassResult,
    advances: ReadonlyMap<number, Advance>,
    innermost: boolean,
  ): LoopFacts {
    const carried: Carried[] = [];
    let induction: LoopFacts['induction'];
    const hasNumber = false;
    for (const { name, binding, node } of starts) {
      const advance = advances.get(binding.id);
      const last = end.variables.get(binding.id) ?? node.id;
      if (advance?.kind === 'step') {
        const step = numberIn(advance.by);
        // The one that the loop itself steps is its own.
        const isOwn = loop.after !== undefined && stepsName(loop.after, name);
        const isNumber = node.class !== 'pointer';
        if (induction === undefined || isOwn || (isNumber && !hasNumber))
          induction = {
            variable: name.startsWith('<') ? '' : name,
            step: step === undefined ? undefined : step,
          };
      }
      if (advance?.kind === 'step' || advance?.kind === 'value') continue;
      if (last !== node.id)
        carried.push({ variable: name, start: node.id, end: last, outlives: binding.loop !== frame.id });
    }
    return {
      id: frame.id,
      function: this.current!.name,
      line: loop.line,
      endLine: loop.endLine,
      depth: frame.depth,
      innermost,
      induction,
      trips: loop.trips ?? this.tripsOf(frame),
      areas: frame.areas,
      accesses: frame.accesses,
      roots: frame.roots,
      carried,
      reasons: [...frame.reasons],
      assumptions: [...frame.assumptions],
    };
  }

  /** How often the condition holds, where both its sides are known: `i0 + s t` against a number. */
  private tripsOf({ id, roots }: Frame): number | undefined {
    const test = roots.find(({ control }) => control);
    const node = test === undefined ? undefined : this.graph.nodes[test.node];
    if (node?.op !== 'compare' || node.inputs.length !== 2) return undefined;
    const [left, right] = node.inputs.map((each) => this.graph.nodes[each].index);
    const difference = left && right && sum(left, right, -1);
    const parts = difference && linearIn(difference, iterationOf(id));
    const rest = parts && numberIn(parts.rest);
    const slope = parts && numberIn(parts.slope);
    if (rest === undefined || slope === undefined || slope === 0) return undefined;
    const op = node.name;
    // Holds as long as rest + slope t is on its side of 0.
    const until = -rest / slope;
    const inclusive = op === '<=' || op === '>=';
    const grows = slope > 0;
    if (
      (grows && op !== '<' && op !== '<=' && op !== '!=') ||
      (!grows && op !== '>' && op !== '>=' && op !== '!=')
    )
      return undefined;
    const trips = inclusive ? Math.floor(until) + 1 : Math.ceil(until);
    return trips < 0 ? 0 : trips;
  }
}

/** How a variable changes from one iteration to the next. */
type Advance =
  | { readonly kind: 'same' }
  | { readonly kind: 'step'; readonly by: Polynomial }
  | { readonly kind: 'value'; readonly index: Polynomial };

interface Start {
  readonly name: string;
  readonly binding: Binding;
  readonly node: Node;
  readonly entry: Node;
}

interface PassResult {
  readonly frame: Frame;
  readonly starts: readonly Start[];
  readonly end: State;
}
