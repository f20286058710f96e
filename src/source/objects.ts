import { classOf } from './arithmetic.ts';
import type { Node, Place } from './graph.ts';
import { isScalar } from './places.ts';
import { isSmall, statementsOf } from './shapes.ts';
import type { Binding, State, Target } from './state.ts';
import { type Expression, type SourceFunction, sizeOf, type Type } from './syntax.ts';
import { placeOf, Targets } from './targets.ts';

/** Calls inside each other that are followed. */
const DEEPEST_CALL = 6;

/** Of the parts of an expression whose types are asked for. */
const DEEPEST_TYPE = 12;

/** Classes: their members, and which of several functions of one name a call means. */
export abstract class Objects extends Targets {
  /** `x[i]` where x is of a class with a subscript of its own. */
  protected subscripted(
    { base, subscripts }: Extract<Expression, { kind: 'index' }>,
    state: State,
  ): Target | undefined {
    if (this.methods.size === 0) return undefined;
    const isLvalue = ['name', 'index', 'member', 'deref'].includes(base.kind);
    const object = isLvalue ? this.objectOf(base, state) : undefined;
    return object === undefined ? undefined : this.selected(object, 'operator[]', subscripts, state);
  }

  /** `x(i, j)` where x is a variable of a class that can be called, `x.f(i)`, or `f(x, i)`. */
  protected operated(callee: string, args: readonly Expression[], state: State): Target | undefined {
    if (this.methods.size === 0 && this.functions.size === 0) return undefined;
    if (callee === '') return undefined;
    if (callee.startsWith('.')) {
      const object = args[0] && this.objectOf(args[0], state);
      return object && this.selected(object, callee.slice(1), args.slice(1), state);
    }
    if (this.find(callee) || this.find(`&${callee}`)) {
      const object = this.objectOf({ kind: 'name', name: callee }, state);
      return object && this.selected(object, 'operator()', args, state);
    }
    const own = this.unit.language === 'c++' ? this.chosen(this.inReach(callee), args, state) : undefined;
    return own && this.given(own, this.scopeFor(own), args, state);
  }

  protected objectOf(expression: Expression, state: State): Place | undefined {
    const target = this.target(expression, state);
    return target?.kind === 'place' && target.place.type.kind === 'record' ? target.place : undefined;
  }

  /** The element that a function of a class gives, where giving it is all it does. */
  private selected(
    object: Place,
    name: string,
    args: readonly Expression[],
    state: State,
  ): Target | undefined {
    const method = this.methodOf(object, name, args, state);
    return method && this.given(method, { self: object, names: this.membersOf(object) }, args, state);
  }

  private given(
    callee: SourceFunction,
    { self, names }: Within,
    args: readonly Expression[],
    state: State,
  ): Target | undefined {
    const [only, more] = statementsOf(callee);
    if (only?.kind !== 'jump' || only.value === undefined || more !== undefined) return undefined;
    if (!isDesignator(only.value) || !this.isFollowed(callee, args)) return undefined;
    const scope = new Map(names);
    this.bindParameters(callee, args, scope, state);
    const { scopes, self: outer } = this;
    this.scopes = [scopes[0], scope];
    this.self = self;
    this.calls.push(callee.name);
    const target = this.target(only.value, state);
    this.calls.pop();
    this.self = outer;
    this.scopes = scopes;
    return target;
  }

  protected isFollowed(callee: SourceFunction, args: readonly Expression[]): boolean {
    return (
      this.calls.length <= DEEPEST_CALL &&
      !this.calls.includes(callee.name) &&
      args.length === callee.parameters.length &&
      isSmall(callee)
    );
  }

  /** Gives the parameters what is passed for them. */
  protected bindParameters(
    callee: SourceFunction,
    args: readonly Expression[],
    scope: Map<string, Binding>,
    state: State,
  ): void {
    callee.parameters.forEach((parameter, i) => {
      const { name, type } = parameter;
      const id = this.nextBinding++;
      const isOther = callee.byReference || parameter.isReference === true;
      const target = isOther && isDesignator(args[i]) ? this.target(args[i], state) : undefined;
      if (target !== undefined) {
        const retyped =
          target.kind === 'place' && type.kind === 'array' && target.place.type.kind !== 'array'
            ? { ...target, place: { ...target.place, type } }
            : target;
        scope.set(name, { id, type, loop: this.loop, alias: retyped });
        return;
      }
      const binding: Binding = { id, type, loop: this.loop };
      scope.set(name, binding);
      const value = this.passed(args[i], type, state);
      if (isScalar(type)) {
        state.variables.set(id, this.as(value, type, name).id);
        return;
      }
      this.declaredIn.set(placeOf(binding, name).place.root, this.loop);
      this.assign(placeOf(binding, name), value, state);
    });
  }

  private passed(argument: Expression, type: Type, state: State): Node {
    const value =
      argument.kind === 'aggregate' && argument.type === undefined
        ? this.aggregate(argument.parts, type, state)
        : this.rvalue(argument, state);
    return value ?? this.opaque([]);
  }

  protected methodOf(
    object: Place,
    name: string,
    args: readonly Expression[],
    state: State,
  ): SourceFunction | undefined {
    if (object.type.kind !== 'record') return undefined;
    return this.chosen(this.methods.get(`${object.type.record.name}::${name}`), args, state);
  }

  /** What a function sees besides its parameters: the members of its object, where it has one. */
  protected scopeFor(callee: SourceFunction): Within {
    const owner = callee.isMember === true ? ownerOf(callee.name) : undefined;
    if (owner === undefined) return { self: undefined, names: new Map() };
    const { self } = this;
    if (self?.type.kind === 'record' && self.type.record.name === owner)
      return { self, names: this.membersOf(self) };
    // A function of a class that nobody called: its members are variables of its own.
    return { self: undefined, names: this.isOfCurrent(owner) ? new Map(this.scopes[1]) : new Map() };
  }

  private isOfCurrent(owner: string): boolean {
    const { current } = this;
    return current?.isMember === true && ownerOf(current.name) === owner;
  }

  /** The functions that a name without an object may mean: free ones, and those of the class that it is used in. */
  protected inReach(name: string): readonly SourceFunction[] | undefined {
    const all = this.functions.get(name);
    return all?.filter((each) => {
      if (each.isMember !== true) return true;
      const owner = ownerOf(each.name)!;
      const { self } = this;
      return (self?.type.kind === 'record' && self.type.record.name === owner) || this.isOfCurrent(owner);
    });
  }

  /** Of functions with one name, the one whose parameters fit best; of equals the last. */
  protected chosen(
    candidates: readonly SourceFunction[] | undefined,
    args: readonly Expression[],
    state: State,
  ): SourceFunction | undefined {
    if (candidates === undefined || candidates.length === 0) return undefined;
    if (candidates.length === 1 && !isOperator(candidates[0])) return candidates[0];
    let best: SourceFunction | undefined;
    let most = -1;
    for (const each of candidates) {
      if (each.parameters.length !== args.length) continue;
      const points = each.parameters.map(({ type }, i) => fitness(type, this.typeOf(args[i], state)));
      const sum = points.some((one) => one < 0) ? -1 : points.reduce((all, one) => all + one, 0);
      if (sum >= most && sum >= 0) {
        best = each;
        most = sum;
      }
    }
    return best;
  }

  /** The type of an expression, as far as it shows without evaluating it; undefined where it does not. */
  protected typeOf(expression: Expression, state: State, depth = 0): Type | undefined {
    if (depth > DEEPEST_TYPE) return undefined;
    this.spend(1);
    const of = (each: Expression): Type | undefined => this.typeOf(each, state, depth + 1);
    switch (expression.kind) {
      case 'number':
        return expression.type;
      case 'name':
      case 'index':
      case 'member':
      case 'deref': {
        if (!isPure(expression)) return undefined;
        const target = this.target(expression, state);
        const type = target?.kind === 'variable' ? target.binding.type : target?.place.type;
        return type && this.resolved(type);
      }
      case 'cast':
        return expression.to;
      case 'aggregate':
        return expression.type;
      case 'unary':
        return of(expression.of);
      case 'binary': {
        const sides = [expression.left, expression.right];
        const types = sides.map(of);
        const own = this.operator(expression.op, sides, types, state);
        if (own !== undefined) return own.callee.result;
        return types.find((each) => each?.kind === 'float') ?? types[0];
      }
      case 'choose':
        return of(expression.yes);
      case 'call': {
        const target = isPure(expression)
          ? this.operated(expression.callee, expression.args, state)
          : undefined;
        if (target !== undefined) return target.kind === 'variable' ? target.binding.type : target.place.type;
        return this.chosen(this.inReach(expression.callee), expression.args, state)?.result;
      }
      default:
        return undefined;
    }
  }

  /** The function of a class that an operator stands for. */
  protected operator(
    op: string,
    args: readonly Expression[],
    types: readonly (Type | undefined)[],
    state: State,
  ): { readonly callee: SourceFunction; readonly object: Place | undefined } | undefined {
    const name = `operator${op}`;
    if (!types.some((each) => each?.kind === 'record')) return undefined;
    const free = (this.functions.get(name) ?? []).filter(({ isMember }) => isMember !== true);
    const [first] = types;
    if (first?.kind === 'record') {
      const own = this.chosen(this.methods.get(`${first.record.name}::${name}`), args.slice(1), state);
      const object = own && isDesignator(args[0]) ? this.objectOf(args[0], state) : undefined;
      if (own !== undefined) return { callee: own, object };
    }
    const callee = this.chosen(free, args, state);
    return callee && { callee, object: undefined };
  }

  /** Members of an object by their names, as its own functions see them. */
  protected membersOf(object: Place): Map<string, Binding> {
    const scope = new Map<string, Binding>();
    if (object.type.kind !== 'record') return scope;
    for (const [name, { type, offset }] of object.type.record.fields)
      scope.set(name, {
        id: this.nextBinding++,
        type,
        loop: this.loop,
        alias: {
          kind: 'place',
          address: [],
          place: { ...object, selectors: [...object.selectors, { kind: 'field', name, offset }], type },
        },
      });
    return scope;
  }
}

interface Within {
  readonly self: Place | undefined;
  readonly names: ReadonlyMap<string, Binding>;
}

/** The class that a function is of, as far as its name tells: namespaces are spelled the same way. */
const ownerOf = (name: string): string | undefined =>
  name
    .replace(/<[^<>]*>/g, '')
    .split('::')
    .at(-2);

const isOperator = ({ name }: SourceFunction): boolean => /(?:^|::)operator\W/.test(name);

/** What may be the other side of a reference. */
const isDesignator = ({ kind }: Expression): boolean =>
  kind === 'name' || kind === 'index' || kind === 'member' || kind === 'deref' || kind === 'call';

/** How well a parameter takes an argument; below 0 not at all. */
function fitness(parameter: Type, argument: Type | undefined): number {
  if (argument === undefined || argument.kind === 'unknown' || parameter.kind === 'unknown') return 0;
  if (parameter.kind === 'record' || argument.kind === 'record')
    return parameter.kind === 'record' &&
      argument.kind === 'record' &&
      parameter.record.name === argument.record.name
      ? 4
      : -1;
  const [to, from] = [classOf(parameter), classOf(argument)];
  if ((to === 'pointer') !== (from === 'pointer')) return -1;
  return to !== from ? 0 : sizeOf(parameter) === sizeOf(argument) ? 2 : 1;
}

/** Whether evaluating it changes nothing. */
function isPure(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'name':
      return true;
    case 'index':
      return isPure(expression.base) && expression.subscripts.every(isPure);
    case 'member':
      return isPure(expression.base);
    case 'deref':
    case 'unary':
    case 'cast':
    case 'address':
      return isPure(expression.of);
    case 'binary':
      return isPure(expression.left) && isPure(expression.right);
    case 'call':
      return expression.args.every(isPure);
    default:
      return false;
  }
}
