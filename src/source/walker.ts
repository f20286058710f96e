import { Arithmetic, bytesOf, classOf } from './arithmetic.ts';
import { assignedIn } from './assigned.ts';
import type { Access, Carried, LoopFacts, Root } from './facts.ts';
import { Graph, iterationOf, moved, type Node, type Place, placeKey } from './graph.ts';
import { knownFunction } from './intrinsics.ts';
import {
  constant,
  linearIn,
  numberIn,
  type Polynomial,
  product,
  sum,
  symbol,
  symbolsOf,
  ZERO,
} from './polynomial.ts';
import {
  type Branch,
  DOUBLE,
  type Expression,
  INT,
  LONG,
  type Loop,
  type SourceFunction,
  type SourceUnit,
  type Statement,
  sizeOf,
  type Type,
  unknownType,
  type Variable,
} from './syntax.ts';

/** Steps of one function; what has more is machine-made, and would take minutes. */
const MOST_WORK = 400_000;
/** Of the whole file. */
const MOST_WORK_IN_ALL = 20_000_000;
const DEEPEST_CALL = 4;
const MOST_INLINED_STATEMENTS = 40;
const MOST_PASSES = 5;

interface Binding {
  readonly id: number;
  readonly type: Type;
  /** The loop whose body declares it; 0 for none. */
  readonly loop: number;
  readonly value?: Expression;
  /** It is another name of this. */
  readonly alias?: Target;
}

type Target =
  | { readonly kind: 'variable'; readonly binding: Binding; readonly name: string }
  | { readonly kind: 'place'; readonly place: Place; readonly address: readonly number[] };

/** What variables and places hold. */
interface State {
  readonly variables: Map<number, number>;
  readonly memory: Map<string, number>;
}

/** The loop that is being looked at. */
interface Frame {
  readonly id: number;
  readonly depth: number;
  readonly accesses: Access[];
  readonly roots: Root[];
  readonly reasons: Set<string>;
  readonly assumptions: Set<string>;
  readonly areas: number[];
  area: number;
  readonly continues: State[];
  /** Places that the pass before stored to; undefined in the first pass. */
  readonly stored: ReadonlySet<string> | undefined;
  innermost: boolean;
  readonly loop: Loop;
}

class TooMuchWork extends Error {}

/**
 * Follows a function from its start with symbols for what is not known: a loop's body is gone through until it is known
 * which variables advance by the same amount in every iteration, then once more to see what it does.
 */
export class Walker {
  readonly facts: LoopFacts[] = [];
  graph = new Graph();
  private arithmetic = new Arithmetic(this.graph);
  private readonly unit: SourceUnit;
  private readonly functions = new Map<string, SourceFunction>();
  private scopes: Map<string, Binding>[] = [];
  private frames: Frame[] = [];
  private entries = new Map<number, number>();
  private nextBinding = 1;
  private nextLoop = 1;
  private work = 0;
  private workInAll = 0;
  private calls: string[] = [];
  private returns: { readonly state: State; readonly value: number | undefined }[] | undefined;
  private current: SourceFunction | undefined;
  /** Whether loops are recorded: only in a pass that knows what advances. */
  private final = true;

  constructor(unit: SourceUnit) {
    this.unit = unit;
    for (const each of unit.functions) this.functions.set(plainName(each.name), each);
  }

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

  private bind(variable: Variable): Binding {
    return {
      id: this.nextBinding++,
      type: variable.type,
      loop: 0,
      ...(variable.value === undefined ? {} : { value: variable.value }),
    };
  }

  private spend(amount: number): void {
    this.work += amount;
    this.workInAll += amount;
    if (this.work > MOST_WORK || this.workInAll > MOST_WORK_IN_ALL) throw new TooMuchWork();
  }

  private get frame(): Frame | undefined {
    return this.frames.at(-1);
  }

  private get area(): number {
    return this.frame?.area ?? 0;
  }

  private get loop(): number {
    return this.frame?.id ?? 0;
  }

  private reason(why: string): void {
    if (why !== '' && this.frame !== undefined && this.frame.reasons.size < 20) this.frame.reasons.add(why);
  }

  private root(node: Node | undefined, control = false): void {
    if (node !== undefined) this.frame?.roots.push({ node: node.id, control });
  }

  // Statements. A state that is undefined is not reached.

  private run(list: readonly Statement[], start: State | undefined): State | undefined {
    let state = start;
    for (const each of list) {
      if (state === undefined && each.kind !== 'loop') continue;
      state = this.statement(each, state ?? { variables: new Map(), memory: new Map() });
    }
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

  private copied({ variables, memory }: State): State {
    this.spend(1 + (variables.size + memory.size) / 16);
    return { variables: new Map(variables), memory: new Map(memory) };
  }

  private merged(states: readonly State[]): State | undefined {
    if (states.length <= 1) return states[0];
    const [first, ...others] = states;
    const variables = new Map<number, number>();
    const memory = new Map<string, number>();
    this.spend(states.length * (1 + (first.variables.size + first.memory.size) / 16));
    const ids = new Set(states.flatMap((each) => [...each.variables.keys()]));
    for (const id of ids) {
      const values = states.map((each) => each.variables.get(id));
      const known = values.filter((value) => value !== undefined);
      // On a way on which nobody wrote it, it holds what it held before.
      if (known.length < values.length) {
        const { class: cls, bytes } = this.graph.nodes[known[0]];
        const unread = (): number =>
          this.graph.fresh({ op: 'opaque', inputs: [], class: cls, bytes }, this.loop, this.area).id;
        known.push(this.entries.get(id) ?? unread());
      }
      variables.set(id, this.joined(known));
    }
    for (const [key, value] of first.memory) {
      const values = [value, ...others.map((each) => each.memory.get(key))];
      if (values.every((each) => each !== undefined)) memory.set(key, this.joined(values));
    }
    return { variables, memory };
  }

  private joined(ids: readonly number[]): number {
    const distinct = [...new Set(ids)];
    if (distinct.length === 1) return distinct[0];
    const [first] = distinct.map((id) => this.graph.nodes[id]);
    // One of several pointers points to something of its own.
    const place =
      first.place === undefined
        ? undefined
        : {
            ...first.place,
            root: `*phi#${this.graph.nodes.length}`,
            rootLoop: this.loop,
            selectors: first.place.selectors.slice(-1),
          };
    const node = this.graph.fresh(
      {
        op: 'phi',
        inputs: distinct,
        class: first.class,
        bytes: first.bytes,
        ...(place === undefined ? {} : { place }),
      },
      this.loop,
      this.area,
    );
    return node.id;
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

  private freshSymbol(): string {
    const node = this.graph.fresh({ op: 'opaque', inputs: [], class: 'int', bytes: 8 }, this.loop, this.area);
    return [...symbolsOf(node.index!)][0];
  }

  private unknownValue(binding: Binding, name: string): Node {
    return this.entry(binding, name, this.loop, 'opaque');
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

  // Variables and places.

  private find(name: string): Binding | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i].get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private read(binding: Binding, name: string, state: State): Node {
    if (binding.value !== undefined) {
      const value = this.rvalue(binding.value, state);
      if (value !== undefined) return value;
    }
    const known = state.variables.get(binding.id);
    if (known !== undefined) return this.graph.nodes[known];
    // One node for all who ask: that it is the same value shows in subscripts.
    const first = this.entries.get(binding.id);
    const node =
      first === undefined ? this.entry(binding, name, binding.loop, 'entry') : this.graph.nodes[first];
    this.entries.set(binding.id, node.id);
    state.variables.set(binding.id, node.id);
    return node;
  }

  private entry(binding: Binding, name: string, loop: number, op: 'entry' | 'opaque'): Node {
    const cls = classOf(binding.type);
    const place = this.variablePlace(binding, name, loop, op === 'opaque');
    return this.graph.fresh(
      {
        op,
        inputs: [],
        class: cls,
        bytes: bytesOf(binding.type),
        name,
        ...(place === undefined ? {} : { place }),
      },
      loop,
      this.area,
    );
  }

  /** What a pointer variable points to. */
  private variablePlace(binding: Binding, name: string, loop: number, isNew = false): Place | undefined {
    if (binding.type.kind !== 'pointer') return undefined;
    const to = binding.type.to;
    const version = loop === 0 && !isNew ? '' : `@${this.graph.nodes.length}`;
    return {
      root: `*${name}#${binding.id}${version}`,
      rootLoop: loop,
      selectors: [{ kind: 'at', index: ZERO, unit: sizeOf(to) }],
      type: to,
    };
  }

  private target(expression: Expression, state: State): Target | undefined {
    switch (expression.kind) {
      case 'name': {
        const reference = this.find(`&${expression.name}`);
        const binding = this.find(expression.name);
        if (reference !== undefined && (binding === undefined || reference.id > binding.id)) {
          const { place } = this.read(reference, expression.name, state);
          return place === undefined ? undefined : { kind: 'place', place, address: [] };
        }
        if (binding === undefined) return undefined;
        if (binding.alias !== undefined) return binding.alias;
        if (isScalar(binding.type)) return { kind: 'variable', binding, name: expression.name };
        return {
          kind: 'place',
          place: {
            root: `${expression.name}#${binding.id}`,
            rootLoop: 0,
            selectors: [],
            type: binding.type,
          },
          address: [],
        };
      }
      case 'index': {
        const base = this.baseOf(expression.base, state);
        if (base === undefined) {
          for (const each of expression.subscripts) this.rvalue(each, state);
          return undefined;
        }
        const subscripts = expression.subscripts.map((each) => this.rvalue(each, state));
        return this.element(base, subscripts);
      }
      case 'member': {
        const base = this.target(expression.base, state);
        if (base === undefined) return undefined;
        const place = base.kind === 'place' ? base.place : undefined;
        if (place === undefined) return undefined;
        const field =
          place.type.kind === 'record' ? place.type.record.fields.get(expression.field) : undefined;
        return {
          kind: 'place',
          address: base.kind === 'place' ? base.address : [],
          place: {
            ...place,
            selectors: [...place.selectors, { kind: 'field', name: expression.field, offset: field?.offset }],
            type:
              field?.type ??
              unknownType(`the type of the member ${expression.field} is not declared in this file`),
          },
        };
      }
      case 'deref': {
        const base = this.baseOf(expression.of, state);
        if (base === undefined) return undefined;
        return base.place.type.kind === 'array' && base.decays
          ? this.element(base, [this.graph.number(0, 'int', 8)])
          : { kind: 'place', place: base.place, address: base.address };
      }
      default:
        return undefined;
    }
  }

  /** What a subscript selects from: an array, or where a pointer points to. */
  private baseOf(
    expression: Expression,
    state: State,
  ): { readonly place: Place; readonly decays: boolean; readonly address: readonly number[] } | undefined {
    const isLvalue = ['name', 'index', 'member', 'deref'].includes(expression.kind);
    const target = isLvalue ? this.target(expression, state) : undefined;
    if (target?.kind === 'place' && target.place.type.kind === 'array')
      return { place: target.place, decays: true, address: target.address };
    if (target?.kind === 'place' && target.place.type.kind === 'record')
      // A class with a subscript of its own.
      return undefined;
    const pointer =
      target === undefined
        ? isLvalue
          ? undefined
          : this.rvalue(expression, state)
        : this.value(target, state);
    if (pointer?.place === undefined) return undefined;
    return { place: pointer.place, decays: false, address: [pointer.id] };
  }

  private element(
    base: { readonly place: Place; readonly decays: boolean; readonly address: readonly number[] },
    subscripts: readonly (Node | undefined)[],
  ): Target | undefined {
    const address = [...base.address, ...subscripts.flatMap((each) => (each === undefined ? [] : [each.id]))];
    const indices = subscripts.map(
      (each) => each?.index ?? (each === undefined ? undefined : symbol(this.freshSymbol())),
    );
    if (indices.some((each) => each === undefined)) return undefined;
    const { type } = base.place;
    if (!base.decays) {
      const place = moved(base.place, indices[0]!);
      return place === undefined ? undefined : { kind: 'place', place, address };
    }
    if (type.kind !== 'array') return undefined;
    const units = unitsOf(type.of, type.dimensions, type.order);
    const selectors = indices.map((index, i) => ({ kind: 'at' as const, index: index!, unit: units[i] }));
    return {
      kind: 'place',
      address,
      place: { ...base.place, selectors: [...base.place.selectors, ...selectors], type: type.of },
    };
  }

  private value(target: Target, state: State): Node {
    if (target.kind === 'variable') return this.read(target.binding, target.name, state);
    const { place, address } = target;
    if (place.type.kind === 'array' || place.type.kind === 'record')
      return this.pointerTo(place.type.kind === 'array' ? decayedPlace(place) : place);
    const key = placeKey(place);
    const known = state.memory.get(key);
    if (known !== undefined) return this.graph.nodes[known];
    const frame = this.frame;
    const level = this.graph.loopOfPlace(place);
    const isKept = frame !== undefined && frame.stored !== undefined && !frame.stored.has(key);
    // A value that no iteration changes is loaded before the loop.
    const loop = isKept ? level : this.loop;
    const cls = classOf(place.type);
    const node = this.graph.fresh(
      {
        op: 'load',
        inputs: address,
        class: cls,
        bytes: bytesOf(place.type),
        name: nameOf(place),
        ...(place.type.kind === 'pointer' ? { place: this.pointedBy(place, key, loop) } : {}),
      },
      loop,
      this.area,
    );
    state.memory.set(key, node.id);
    const owner = this.frames.find(({ id }) => id === loop);
    owner?.accesses.push({ kind: 'load', place, node: node.id, area: owner.area, address });
    return node;
  }

  private pointedBy(place: Place, key: string, loop: number): Place {
    const to = place.type.kind === 'pointer' ? place.type.to : unknownType('it is no pointer');
    return {
      root: `*(${key})`,
      rootLoop: loop,
      selectors: [{ kind: 'at', index: ZERO, unit: sizeOf(to) }],
      type: to,
    };
  }

  private pointerTo(place: Place | undefined): Node {
    const loop = place === undefined ? 0 : this.graph.loopOfPlace(place);
    return this.graph.fresh(
      { op: 'address', inputs: [], class: 'pointer', bytes: 8, ...(place === undefined ? {} : { place }) },
      loop,
      this.area,
    );
  }

  private assign(target: Target | undefined, value: Node, state: State): Node {
    if (target === undefined) {
      this.root(value);
      return value;
    }
    if (target.kind === 'variable') {
      const converted = this.arithmetic.toType(value, target.binding.type, this.area);
      state.variables.set(target.binding.id, converted.id);
      return converted;
    }
    const { place, address } = target;
    const stored = this.arithmetic.toType(value, place.type, this.area);
    if (place.type.kind === 'record') {
      this.reason('a whole structure is copied');
      state.memory.clear();
      return stored;
    }
    state.memory.set(placeKey(place), stored.id);
    this.frame?.accesses.push({ kind: 'store', place, node: stored.id, area: this.area, address });
    return stored;
  }

  // Expressions. Undefined is what was not understood; the reason was given.

  private rvalue(expression: Expression, state: State): Node | undefined {
    this.spend(1);
    switch (expression.kind) {
      case 'number': {
        const { value, type } = expression;
        const cls = classOf(type);
        if (Number.isNaN(value))
          return this.graph.make(
            { op: 'entry', inputs: [], class: cls, bytes: bytesOf(type), name: 'a constant' },
            this.area,
          );
        return this.graph.number(value, cls, bytesOf(type));
      }
      case 'name':
      case 'index':
      case 'member':
      case 'deref': {
        const target = this.target(expression, state);
        if (target !== undefined) return this.value(target, state);
        return this.unresolved(expression);
      }
      case 'address': {
        const target = this.target(expression.of, state);
        if (target?.kind !== 'place') return this.opaque([]);
        return this.pointerTo(target.place);
      }
      case 'unary': {
        const of = this.rvalue(expression.of, state) ?? this.opaque([]);
        if (expression.op === '-') return this.arithmetic.negate(of, this.area);
        if (of.op === 'constant' && of.value !== undefined)
          return this.graph.number(expression.op === '!' ? (of.value === 0 ? 1 : 0) : ~of.value, 'int', 4);
        // What `!` says is what a branch asks anyway.
        if (expression.op === '!') return of;
        return this.arithmetic.unary('not', of, this.area);
      }
      case 'binary':
        return this.binary(expression, state);
      case 'assign': {
        let target = this.target(expression.target, state);
        if (target === undefined) {
          // Says why, or takes an undeclared name for a variable from here on.
          this.unresolved(expression.target);
          target = expression.target.kind === 'name' ? this.target(expression.target, state) : undefined;
        }
        if (expression.op === undefined) {
          const value = this.rvalue(expression.value, state) ?? this.opaque([]);
          return this.assign(target, value, state);
        }
        const old = target === undefined ? this.unresolved(expression.target) : this.value(target, state);
        const value = this.rvalue(expression.value, state) ?? this.opaque([]);
        return this.assign(target, this.combine(expression.op, old, value), state);
      }
      case 'step': {
        const target = this.target(expression.target, state);
        const old = target === undefined ? this.unresolved(expression.target) : this.value(target, state);
        const one = this.graph.number(1, 'int', 4);
        const next = this.combine(expression.by === 1 ? '+' : '-', old, one);
        const after = this.assign(target, next, state);
        return expression.prefix ? after : old;
      }
      case 'choose':
        return this.choose(expression, state);
      case 'call':
        return this.call(expression, state);
      case 'cast': {
        const of = this.rvalue(expression.of, state);
        if (of === undefined) return undefined;
        if (of.class === 'unknown' && isScalar(expression.to) && expression.to.kind !== 'unknown')
          return this.graph.make(
            { op: 'phi', inputs: [of.id], class: classOf(expression.to), bytes: bytesOf(expression.to) },
            this.area,
          );
        return this.arithmetic.toType(of, expression.to, this.area);
      }
      case 'comma': {
        let last: Node | undefined;
        for (const each of expression.parts) last = this.rvalue(each, state);
        return last;
      }
      case 'opaque': {
        this.reason(expression.why);
        const parts = expression.parts.flatMap((each) => this.rvalue(each, state) ?? []);
        return this.opaque(parts);
      }
    }
  }

  private opaque(inputs: readonly Node[]): Node {
    return this.graph.fresh(
      { op: 'opaque', inputs: inputs.map(({ id }) => id), class: 'unknown', bytes: 0 },
      this.loop,
      this.area,
    );
  }

  private unresolved(expression: Expression): Node {
    if (expression.kind === 'name') {
      const value = HEADER_CONSTANTS.get(expression.name);
      if (value !== undefined)
        return this.graph.number(value.value, classOf(value.type), bytesOf(value.type));
      // A name that nothing declares: from a header, or a macro of one. It is taken for something that does not change.
      const binding: Binding = {
        id: this.nextBinding++,
        type: unknownType(`${expression.name} is not declared in this file`),
        loop: 0,
      };
      this.scopes[0].set(expression.name, binding);
      return this.graph.fresh(
        { op: 'entry', inputs: [], class: 'unknown', bytes: 0, name: expression.name },
        0,
        this.area,
      );
    }
    this.reason(`${describe(expression)} is not understood`);
    return this.opaque([]);
  }

  private binary(expression: Extract<Expression, { kind: 'binary' }>, state: State): Node | undefined {
    const left = this.rvalue(expression.left, state) ?? this.opaque([]);
    const right = this.rvalue(expression.right, state) ?? this.opaque([]);
    return this.combine(expression.op, left, right);
  }

  private combine(op: Extract<Expression, { kind: 'binary' }>['op'], left: Node, right: Node): Node {
    // Pointers move by elements.
    if (left.class === 'pointer' && (op === '+' || op === '-') && right.class !== 'pointer')
      return this.pointerTo(left.place && right.index && moved(left.place, right.index, op === '+' ? 1 : -1));
    if (right.class === 'pointer' && op === '+')
      return this.pointerTo(right.place && left.index && moved(right.place, left.index));
    if (left.class === 'complex' || right.class === 'complex')
      this.reason('complex arithmetic is not followed');
    return this.arithmetic.binary(op, left, right, this.area);
  }

  private choose(expression: Extract<Expression, { kind: 'choose' }>, state: State): Node | undefined {
    const test = this.rvalue(expression.test, state);
    if (test?.op === 'constant' && test.value !== undefined)
      return this.rvalue(test.value !== 0 ? expression.yes : expression.no, state);
    this.root(test);
    const values = [expression.yes, expression.no].map((each) => this.rvalue(each, state) ?? this.opaque([]));
    const bytes = Math.max(...values.map((each) => each.bytes));
    const isFloat = values.some((each) => each.class === 'float');
    const same = isFloat
      ? values.map((each) => this.arithmetic.convert(each, 'float', bytes, this.area))
      : values;
    return this.graph.nodes[this.joined(same.map(({ id }) => id))];
  }

  private call(expression: Extract<Expression, { kind: 'call' }>, state: State): Node | undefined {
    const { callee, args, line } = expression;
    const own = callee === '' ? undefined : this.functions.get(callee);
    if (own !== undefined) {
      const inlined = this.inlined(own, args, state);
      if (inlined !== undefined) return inlined.value;
      this.reason(`line ${line} calls ${callee}, whose work is not counted here`);
      return this.unknownCall(args, state, own.result);
    }
    const known = knownFunction(callee, args.length, this.unit.language);
    if (known === undefined) {
      const name = callee === '' ? 'a function' : callee.replace(/^\./, '');
      this.reason(`line ${line} calls ${name}, whose work is not known`);
      return this.unknownCall(args, state, undefined);
    }
    const values = args.map((each) => this.rvalue(each, state) ?? this.opaque([]));
    return known(values, this.graph, this.arithmetic, this.area);
  }

  private unknownCall(args: readonly Expression[], state: State, result: Type | undefined): Node {
    const values = args.flatMap((each) => this.rvalue(each, state) ?? []);
    for (const value of values) this.root(value);
    const isFortran = this.unit.language.startsWith('fortran');
    for (const each of args) {
      // A do variable may not be changed by what it is passed to.
      const isCounter =
        isFortran &&
        each.kind === 'name' &&
        this.frames.some(({ loop }) => loop.after !== undefined && stepsName(loop.after, each.name));
      if (isCounter) continue;
      const passed = each.kind === 'address' ? each.of : isFortran ? each : undefined;
      const target = passed?.kind === 'name' ? this.target(passed, state) : undefined;
      if (target?.kind === 'variable')
        state.variables.set(target.binding.id, this.unknownValue(target.binding, target.name).id);
    }
    state.memory.clear();
    const type = result ?? unknownType('the result of a call');
    return this.graph.fresh(
      { op: 'opaque', inputs: values.map(({ id }) => id), class: classOf(type), bytes: bytesOf(type) },
      this.loop,
      this.area,
    );
  }

  /** Goes through a small function in the place of its call. */
  private inlined(
    callee: SourceFunction,
    args: readonly Expression[],
    state: State,
  ): { readonly value: Node | undefined } | undefined {
    if (
      this.calls.length > DEEPEST_CALL ||
      this.calls.includes(callee.name) ||
      args.length !== callee.parameters.length ||
      !isSmall(callee)
    )
      return undefined;
    const scope = new Map<string, Binding>();
    callee.parameters.forEach((parameter, i) => {
      const target = callee.byReference ? this.target(args[i], state) : undefined;
      if (target !== undefined) {
        const retyped =
          target.kind === 'place' && parameter.type.kind === 'array' && target.place.type.kind !== 'array'
            ? { ...target, place: { ...target.place, type: parameter.type } }
            : target;
        scope.set(parameter.name, {
          id: this.nextBinding++,
          type: parameter.type,
          loop: this.loop,
          alias: retyped,
        });
        return;
      }
      const value = this.rvalue(args[i], state) ?? this.opaque([]);
      const binding: Binding = { id: this.nextBinding++, type: parameter.type, loop: this.loop };
      scope.set(parameter.name, binding);
      state.variables.set(binding.id, this.arithmetic.toType(value, parameter.type, this.area).id);
    });
    for (const each of callee.locals) scope.set(each.name, { ...this.bind(each), loop: this.loop });
    const { scopes, returns } = this;
    this.scopes = [scopes[0], scope];
    this.returns = [];
    this.calls.push(callee.name);
    const end = this.run(callee.body, this.copied(state));
    this.calls.pop();
    const all = [...this.returns, ...(end === undefined ? [] : [{ state: end, value: undefined }])];
    const result = callee.resultName === undefined ? undefined : this.find(callee.resultName);
    const ends = all.map((each) => each.state);
    const after = this.merged(ends) ?? state;
    // A Fortran function's value is what the variable of its name holds.
    const named = result !== undefined ? this.read(result, callee.name, after) : undefined;
    this.scopes = scopes;
    this.returns = returns;
    state.variables.clear();
    for (const [key, value] of after.variables) state.variables.set(key, value);
    state.memory.clear();
    for (const [key, value] of after.memory) state.memory.set(key, value);
    const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const value = named ?? (values.length === 0 ? undefined : this.graph.nodes[this.joined(values)]);
    return {
      value: value === undefined ? undefined : this.arithmetic.toType(value, callee.result, this.area),
    };
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

/** What headers that are not read define. */
const HEADER_CONSTANTS: ReadonlyMap<string, { readonly value: number; readonly type: Type }> = new Map([
  ...Object.entries({
    M_PI: Math.PI,
    M_PI_2: Math.PI / 2,
    M_PI_4: Math.PI / 4,
    M_1_PI: 1 / Math.PI,
    M_2_PI: 2 / Math.PI,
    M_E: Math.E,
    M_LN2: Math.LN2,
    M_LN10: Math.LN10,
    M_SQRT2: Math.SQRT2,
    M_SQRT1_2: Math.SQRT1_2,
    DBL_EPSILON: 2 ** -52,
    DBL_MAX: Number.MAX_VALUE,
    DBL_MIN: 2 ** -1022,
    HUGE_VAL: Number.POSITIVE_INFINITY,
  }).map(([name, value]): [string, { value: number; type: Type }] => [name, { value, type: DOUBLE }]),
  ...Object.entries({
    FLT_EPSILON: 2 ** -23,
    FLT_MAX: 3.4028234663852886e38,
    FLT_MIN: 2 ** -126,
    INFINITY: Number.POSITIVE_INFINITY,
  }).map(([name, value]): [string, { value: number; type: Type }] => [
    name,
    { value, type: { kind: 'float', bytes: 4 } },
  ]),
  ...Object.entries({ NULL: 0, INT_MAX: 2 ** 31 - 1, INT_MIN: -(2 ** 31), RAND_MAX: 2 ** 31 - 1 }).map(
    ([name, value]): [string, { value: number; type: Type }] => [name, { value, type: INT }],
  ),
  ['LONG_MAX', { value: Number.MAX_SAFE_INTEGER, type: LONG }],
]);

const isScalar = (type: Type): boolean => type.kind !== 'array' && type.kind !== 'record';

export const plainName = (name: string): string => name.split('::').at(-1)!;

function typeOfNode(node: Node): Type {
  switch (node.class) {
    case 'float':
    case 'complex':
      return { kind: node.class, bytes: node.bytes };
    case 'int':
      return { kind: 'int', bytes: node.bytes, signed: true };
    case 'pointer':
      return {
        kind: 'pointer',
        to: node.place?.type ?? unknownType('what a pointer points to is not known'),
      };
    case 'unknown':
      return unknownType('its value is not known');
  }
}

/** Bytes from one to the next for each subscript of an array. */
function unitsOf(
  of: Type,
  dimensions: readonly { readonly extent: number | undefined }[],
  order: 'first' | 'last',
): readonly (number | undefined)[] {
  const units: (number | undefined)[] = new Array(dimensions.length).fill(undefined);
  let unit = sizeOf(of);
  const last = dimensions.length - 1;
  for (let i = 0; i <= last; i++) {
    const at = order === 'first' ? i : last - i;
    units[at] = unit;
    const { extent } = dimensions[at];
    unit = unit === undefined || extent === undefined ? undefined : unit * extent;
  }
  return units;
}

function decayedPlace(place: Place): Place {
  if (place.type.kind !== 'array') return place;
  const { of, dimensions, order } = place.type;
  const units = unitsOf(of, dimensions, order);
  return {
    ...place,
    selectors: [
      ...place.selectors,
      ...units.map((unit) => ({ kind: 'at' as const, index: constant(0), unit })),
    ],
    type: of,
  };
}

/** A place as a person writes it, for messages. */
function nameOf({ root, selectors }: Place): string {
  const base = root.replace(/^\*+\(*/, '').replace(/[#[@.][\s\S]*$/, '');
  const field = selectors.findLast(({ kind }) => kind === 'field');
  return field?.kind === 'field' ? `${base}.${field.name}` : base;
}

function describe(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'index':
      return `${describe(expression.base)}[]`;
    case 'member':
      return `${describe(expression.base)}.${expression.field}`;
    case 'deref':
      return `*${describe(expression.of)}`;
    case 'call':
      return `${expression.callee}()`;
    default:
      return 'an expression';
  }
}

function stepsName(after: Expression, name: string): boolean {
  if (after.kind === 'comma') return after.parts.some((each) => stepsName(each, name));
  return (
    (after.kind === 'step' || after.kind === 'assign') &&
    after.target.kind === 'name' &&
    after.target.name === name
  );
}

/** A case's statements up to the `break` that ends it. */
function withoutBreak(body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((each): readonly Statement[] => {
    if (each.kind === 'jump' && each.to === 'break') return [];
    if (each.kind === 'block') return [{ kind: 'block', body: withoutBreak(each.body) }];
    return [each];
  });
}

const smallness = new WeakMap<SourceFunction, boolean>();

/** Without loops and not long. */
function isSmall(callee: SourceFunction): boolean {
  let small = smallness.get(callee);
  if (small === undefined) {
    let count = 0;
    const visit = (list: readonly Statement[]): boolean =>
      list.every((each) => {
        if (++count > MOST_INLINED_STATEMENTS) return false;
        switch (each.kind) {
          case 'block':
            return visit(each.body);
          case 'if':
            return visit(each.yes.body) && visit(each.no?.body ?? []);
          case 'expression':
          case 'declare':
            return true;
          case 'jump':
            return each.to === 'return';
          default:
            return false;
        }
      });
    small = visit(callee.body);
    smallness.set(callee, small);
  }
  return small;
}
