import { bytesOf, classOf } from './arithmetic.ts';
import { moved, type Node, type Place } from './graph.ts';
import { knownFunction } from './intrinsics.ts';
import { Objects } from './objects.ts';
import { symbol } from './polynomial.ts';
import { stepsName } from './shapes.ts';
import type { Binding, State } from './state.ts';
import {
  type Expression,
  type RecordType,
  type SourceFunction,
  type Statement,
  type Type,
  unknownType,
} from './syntax.ts';
import { placeOf } from './targets.ts';

/** Calls: of the language's library, of functions of the file, and of what is not known. */
export abstract class Calls extends Objects {
  /** Goes through statements; undefined where their end is not reached. */
  protected abstract run(list: readonly Statement[], start: State | undefined): State | undefined;

  protected call(expression: Extract<Expression, { kind: 'call' }>, state: State): Node | undefined {
    const { callee, args, line } = expression;
    const selected = this.operated(callee, args, state);
    if (selected !== undefined) return this.value(selected, state);
    const applied = this.applied(callee, args, state);
    if (applied !== undefined) return applied.value;
    const own = this.ownFunction(callee, args, state);
    if (own !== undefined) {
      const inlined = this.inlined(own, args, state);
      if (inlined !== undefined) return inlined.value;
      this.reason(`line ${line} calls ${callee}, whose work is not counted here`);
      return this.unknownCall(args, state, own.result);
    }
    if (callee === 'swap' && args.length === 2) return this.swapped(args, state);
    if (/^\.c?rbegin$/.test(callee) && args[0] !== undefined) return this.fromEnd(args[0], state);
    const known = knownFunction(callee, args.length, this.unit.language);
    if (known === undefined) {
      const name = callee === '' ? 'a function' : callee.replace(/^\./, '');
      this.reason(`line ${line} calls ${name}, whose work is not known`);
      return this.unknownCall(args, state, undefined);
    }
    const values = args.map((each) => this.rvalue(each, state) ?? this.opaque([]));
    return known(values, this.graph, this.arithmetic, this.area);
  }

  private ownFunction(callee: string, args: readonly Expression[], state: State): SourceFunction | undefined {
    if (callee === '') return undefined;
    const closure = this.closures.get(`${this.current?.name}::${callee}`);
    return closure ?? this.chosen(this.inReach(callee), args, state);
  }

  private swapped(args: readonly Expression[], state: State): undefined {
    const targets = args.map((each) => this.target(each, state));
    const values = targets.map((each) => (each === undefined ? undefined : this.value(each, state)));
    targets.forEach((target, i) => {
      const value = values[1 - i];
      if (value !== undefined) this.assign(target, value, state);
    });
    return undefined;
  }

  /** An iterator from the last element back. */
  private fromEnd(container: Expression, state: State): Node {
    const { place } = this.rvalue(container, state) ?? {};
    const last = place && moved(place, symbol(this.freshSymbol()));
    return this.pointerTo(last && { ...last, backward: true });
  }

  /** A call of an object, or of a function of its class, that is small enough to go through. */
  private applied(
    callee: string,
    args: readonly Expression[],
    state: State,
  ): { readonly value: Node | undefined } | undefined {
    if (this.methods.size === 0 || callee === '') return undefined;
    const isMember = callee.startsWith('.');
    const base: Expression | undefined = isMember ? args[0] : { kind: 'name', name: callee };
    if (base === undefined || (!isMember && !this.find(callee) && !this.find(`&${callee}`))) return undefined;
    const own = isMember ? args.slice(1) : args;
    const object = this.objectOf(base, state);
    const method = object && this.methodOf(object, isMember ? callee.slice(1) : 'operator()', own, state);
    return method && this.inlined(method, own, state, object);
  }

  /** A value of a class that a function of its own makes; undefined where there is none. */
  protected constructed(record: RecordType, args: readonly Expression[], state: State): Node | undefined {
    const maker = this.chosen(this.methods.get(`${record.name}::${record.name}`), args, state);
    if (maker === undefined) return undefined;
    const binding: Binding = { id: this.nextBinding++, type: { kind: 'record', record }, loop: this.loop };
    const object = placeOf(binding, '<made>');
    this.declaredIn.set(object.place.root, this.loop);
    if (this.inlined(maker, args, state, object.place) === undefined) return undefined;
    return this.value(object, state);
  }

  protected unknownCall(args: readonly Expression[], state: State, result: Type | undefined): Node {
    const values = args.flatMap((each) => {
      const value = this.rvalue(each, state);
      // A structure is most likely passed by its address.
      return value === undefined || value.record !== undefined ? [] : [value];
    });
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
    object?: Place,
  ): { readonly value: Node | undefined } | undefined {
    if (!this.isFollowed(callee, args)) return undefined;
    const within =
      object === undefined ? this.scopeFor(callee) : { self: object, names: this.membersOf(object) };
    const deduced = this.deduced;
    const made = object?.type.kind === 'record' ? object.type.record.given : undefined;
    this.deduced = new Map([...(made ?? []), ...this.deducedFor(callee, args, state)]);
    const scope = new Map(within.names);
    this.bindParameters(callee, args, scope, state);
    for (const each of callee.locals)
      if (!scope.has(each.name)) scope.set(each.name, { ...this.bind(each), loop: this.loop });
    const { scopes, returns, self, resultType } = this;
    this.scopes = callee.isClosure === true ? [...scopes, scope] : [scopes[0], scope];
    this.returns = [];
    this.resultType = callee.result;
    this.self = callee.isClosure === true ? self : within.self;
    this.calls.push(callee.name);
    const end = this.run(callee.body, this.copied(state));
    this.calls.pop();
    const all = [...this.returns, ...(end === undefined ? [] : [{ state: end, value: undefined }])];
    const holder = callee.resultName === undefined ? undefined : this.find(callee.resultName);
    const ends = all.map((each) => each.state);
    const after = this.merged(ends) ?? state;
    // A Fortran function's value is what the variable of its name holds.
    const named = holder !== undefined ? this.read(holder, callee.name, after) : undefined;
    this.scopes = scopes;
    this.returns = returns;
    state.variables.clear();
    for (const [key, value] of after.variables) state.variables.set(key, value);
    state.memory.clear();
    for (const [key, value] of after.memory) state.memory.set(key, value);
    const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const value = named ?? (values.length === 0 ? undefined : this.graph.nodes[this.joined(values)]);
    const result = value && this.as(value, callee.result, callee.name);
    this.self = self;
    this.resultType = resultType;
    this.deduced = deduced;
    return { value: result };
  }

  /** What the parameters of a template stand for where values of these types are passed. */
  private deducedFor(
    callee: SourceFunction,
    args: readonly Expression[],
    state: State,
  ): ReadonlyMap<string, Type> {
    const found = new Map<string, Type>();
    callee.parameters.forEach(({ type }, i) => {
      const own = type.kind === 'float' || type.kind === 'record' ? this.typeOf(args[i], state) : undefined;
      if (type.kind === 'record' && own?.kind === 'record')
        for (const [name, each] of own.record.given ?? []) if (!found.has(name)) found.set(name, each);
      if (type.kind !== 'float' || type.parameter === undefined || found.has(type.parameter)) return;
      if (own !== undefined && own.kind !== 'unknown') found.set(type.parameter, own);
    });
    return found;
  }
}
