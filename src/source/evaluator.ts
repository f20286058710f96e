import { Arithmetic, bytesOf, classOf } from './arithmetic.ts';
import type { LoopFacts } from './facts.ts';
import { Graph, moved, type Node, type Place, placeKey } from './graph.ts';
import { HEADER_CONSTANTS } from './header-constants.ts';
import { knownFunction } from './intrinsics.ts';
import { decayedPlace, describe, isScalar, nameOf, unitsOf } from './places.ts';
import { symbol, symbolsOf, ZERO } from './polynomial.ts';
import { isSmall, plainName, stepsName } from './shapes.ts';
import { type Binding, type Frame, type State, type Target, TooMuchWork } from './state.ts';
import {
  type Expression,
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

/** Gives expressions their nodes, and variables and places what they hold. */
export abstract class Evaluator {
  readonly facts: LoopFacts[] = [];
  graph = new Graph();
  protected arithmetic = new Arithmetic(this.graph);
  protected readonly unit: SourceUnit;
  protected readonly functions = new Map<string, SourceFunction>();
  protected scopes: Map<string, Binding>[] = [];
  protected frames: Frame[] = [];
  protected entries = new Map<number, number>();
  protected nextBinding = 1;
  protected nextLoop = 1;
  protected work = 0;
  protected workInAll = 0;
  protected calls: string[] = [];
  protected returns: { readonly state: State; readonly value: number | undefined }[] | undefined;
  protected current: SourceFunction | undefined;
  /** Whether loops are recorded: only in a pass that knows what advances. */
  protected final = true;

  constructor(unit: SourceUnit) {
    this.unit = unit;
    for (const each of unit.functions) this.functions.set(plainName(each.name), each);
  }

  /** Goes through statements; undefined where their end is not reached. */
  protected abstract run(list: readonly Statement[], start: State | undefined): State | undefined;

  protected bind(variable: Variable): Binding {
    return {
      id: this.nextBinding++,
      type: variable.type,
      loop: 0,
      ...(variable.value === undefined ? {} : { value: variable.value }),
    };
  }

  protected spend(amount: number): void {
    this.work += amount;
    this.workInAll += amount;
    if (this.work > MOST_WORK || this.workInAll > MOST_WORK_IN_ALL) throw new TooMuchWork();
  }

  protected get frame(): Frame | undefined {
    return this.frames.at(-1);
  }

  protected get area(): number {
    return this.frame?.area ?? 0;
  }

  protected get loop(): number {
    return this.frame?.id ?? 0;
  }

  protected reason(why: string): void {
    if (why !== '' && this.frame !== undefined && this.frame.reasons.size < 20) this.frame.reasons.add(why);
  }

  protected root(node: Node | undefined, control = false): void {
    if (node !== undefined) this.frame?.roots.push({ node: node.id, control });
  }

  protected copied({ variables, memory }: State): State {
    this.spend(1 + (variables.size + memory.size) / 16);
    return { variables: new Map(variables), memory: new Map(memory) };
  }

  protected merged(states: readonly State[]): State | undefined {
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

  protected joined(ids: readonly number[]): number {
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

  protected freshSymbol(): string {
    const node = this.graph.fresh({ op: 'opaque', inputs: [], class: 'int', bytes: 8 }, this.loop, this.area);
    return [...symbolsOf(node.index!)][0];
  }

  protected unknownValue(binding: Binding, name: string): Node {
    return this.entry(binding, name, this.loop, 'opaque');
  }

  // Variables and places.

  protected find(name: string): Binding | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i].get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  protected read(binding: Binding, name: string, state: State): Node {
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

  protected entry(binding: Binding, name: string, loop: number, op: 'entry' | 'opaque'): Node {
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
  protected variablePlace(binding: Binding, name: string, loop: number, isNew = false): Place | undefined {
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

  protected target(expression: Expression, state: State): Target | undefined {
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
  protected baseOf(
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

  protected element(
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

  protected value(target: Target, state: State): Node {
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

  protected pointedBy(place: Place, key: string, loop: number): Place {
    const to = place.type.kind === 'pointer' ? place.type.to : unknownType('it is no pointer');
    return {
      root: `*(${key})`,
      rootLoop: loop,
      selectors: [{ kind: 'at', index: ZERO, unit: sizeOf(to) }],
      type: to,
    };
  }

  protected pointerTo(place: Place | undefined): Node {
    const loop = place === undefined ? 0 : this.graph.loopOfPlace(place);
    return this.graph.fresh(
      { op: 'address', inputs: [], class: 'pointer', bytes: 8, ...(place === undefined ? {} : { place }) },
      loop,
      this.area,
    );
  }

  protected assign(target: Target | undefined, value: Node, state: State): Node {
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

  protected rvalue(expression: Expression, state: State): Node | undefined {
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

  protected opaque(inputs: readonly Node[]): Node {
    return this.graph.fresh(
      { op: 'opaque', inputs: inputs.map(({ id }) => id), class: 'unknown', bytes: 0 },
      this.loop,
      this.area,
    );
  }

  protected unresolved(expression: Expression): Node {
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

  protected binary(expression: Extract<Expression, { kind: 'binary' }>, state: State): Node | undefined {
    const left = this.rvalue(expression.left, state) ?? this.opaque([]);
    const right = this.rvalue(expression.right, state) ?? this.opaque([]);
    return this.combine(expression.op, left, right);
  }

  protected combine(op: Extract<Expression, { kind: 'binary' }>['op'], left: Node, right: Node): Node {
    // Pointers move by elements.
    if (left.class === 'pointer' && (op === '+' || op === '-') && right.class !== 'pointer')
      return this.pointerTo(left.place && right.index && moved(left.place, right.index, op === '+' ? 1 : -1));
    if (right.class === 'pointer' && op === '+')
      return this.pointerTo(right.place && left.index && moved(right.place, left.index));
    return this.arithmetic.binary(op, left, right, this.area);
  }

  protected choose(expression: Extract<Expression, { kind: 'choose' }>, state: State): Node | undefined {
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

  protected call(expression: Extract<Expression, { kind: 'call' }>, state: State): Node | undefined {
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

  protected unknownCall(args: readonly Expression[], state: State, result: Type | undefined): Node {
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
  protected inlined(
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
