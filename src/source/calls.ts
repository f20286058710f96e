import { bytesOf, classOf } from './arithmetic.ts';
import type { Node, Place } from './graph.ts';
import { knownFunction } from './intrinsics.ts';
import { isSmall, stepsName } from './shapes.ts';
import type { Binding, State } from './state.ts';
import { type Expression, type SourceFunction, type Statement, type Type, unknownType } from './syntax.ts';
import { DEEPEST_CALL, Targets } from './targets.ts';

/** Calls: of the language's library, of functions of the file, and of what is not known. */
export abstract class Calls extends Targets {
  /** Goes through statements; undefined where their end is not reached. */
  protected abstract run(list: readonly Statement[], start: State | undefined): State | undefined;

  protected call(expression: Extract<Expression, { kind: 'call' }>, state: State): Node | undefined {
    const { callee, args, line } = expression;
    const selected = this.operated(callee, args, state);
    if (selected !== undefined) return this.value(selected, state);
    const applied = this.applied(callee, args, state);
    if (applied !== undefined) return applied.value;
    const own =
      callee === ''
        ? undefined
        : (this.closures.get(`${this.current?.name}::${callee}`) ?? this.functions.get(callee));
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

  /** A call of an object, or of a function of its class, that is small enough to go through. */
  private applied(
    callee: string,
    args: readonly Expression[],
    state: State,
  ): { readonly value: Node | undefined } | undefined {
    if (this.methods.size === 0 || callee === '') return undefined;
    const isMember = callee.startsWith('.');
    const base: Expression | undefined = isMember ? args[0] : { kind: 'name', name: callee };
    if (base === undefined || (!isMember && this.find(callee) === undefined)) return undefined;
    const object = this.objectOf(base, state);
    const method = object && this.methodOf(object, isMember ? callee.slice(1) : 'operator()');
    return method && this.inlined(method, isMember ? args.slice(1) : args, state, object);
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
    object?: Place,
  ): { readonly value: Node | undefined } | undefined {
    if (
      this.calls.length > DEEPEST_CALL ||
      this.calls.includes(callee.name) ||
      args.length !== callee.parameters.length ||
      !isSmall(callee)
    )
      return undefined;
    const scope = object === undefined ? new Map<string, Binding>() : this.membersOf(object);
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
    for (const each of callee.locals)
      if (!scope.has(each.name)) scope.set(each.name, { ...this.bind(each), loop: this.loop });
    const { scopes, returns } = this;
    this.scopes = callee.isClosure === true ? [...scopes, scope] : [scopes[0], scope];
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
