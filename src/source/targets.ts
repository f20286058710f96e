import { bytesOf, classOf } from './arithmetic.ts';
import { moved, type Node, type Place, placeKey } from './graph.ts';
import { decayedPlace, isScalar, memberName, nameOf, unitsOf } from './places.ts';
import { numberIn, symbol, ZERO } from './polynomial.ts';
import type { Binding, State, Target } from './state.ts';
import { type Base, Structures } from './structures.ts';
import { type Expression, sizeOf, unknownType } from './syntax.ts';

/** What expressions stand for that can be assigned to, and what variables and places hold. */
export abstract class Targets extends Structures {
  /** `x[i]` where x is of a class with a subscript of its own. */
  protected abstract subscripted(
    expression: Extract<Expression, { kind: 'index' }>,
    state: State,
  ): Target | undefined;

  /** What a call gives another name of. */
  protected abstract operated(callee: string, args: readonly Expression[], state: State): Target | undefined;

  protected unknownValue(binding: Binding, name: string): Node {
    return this.entry(binding, name, this.loop, 'opaque');
  }

  protected find(name: string): Binding | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i].get(name);
      if (found !== undefined) return found;
    }
    // Of a file's many globals a function uses few.
    const global = this.unit.globals.get(name);
    if (global === undefined) return undefined;
    return this.outside(global);
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
        return placeOf(binding, expression.name);
      }
      case 'call':
        return this.operated(expression.callee, expression.args, state);
      case 'index': {
        const own = this.subscripted(expression, state);
        if (own !== undefined) return own;
        const base = this.baseOf(expression.base, state);
        if (base === undefined) {
          for (const each of expression.subscripts) this.rvalue(each, state);
          return undefined;
        }
        const subscripts = expression.subscripts.map((each) => this.rvalue(each, state));
        return this.element(base, subscripts);
      }
      case 'member': {
        const isOwn =
          expression.base.kind === 'deref' &&
          expression.base.of.kind === 'name' &&
          expression.base.of.name === 'this';
        if (isOwn) return this.target({ kind: 'name', name: expression.field }, state);
        const base = this.target(expression.base, state);
        if (base === undefined) return undefined;
        const place = base.kind === 'place' ? base.place : undefined;
        if (place === undefined) return undefined;
        if (place.type.kind === 'array' && /^#\d+$/.test(expression.field) && base.kind === 'place')
          return this.element({ ...base, decays: true }, [
            this.graph.number(Number(expression.field.slice(1)), 'int', 8),
          ]);
        const name = memberName(place.type, expression.field);
        const field = place.type.kind === 'record' ? place.type.record.fields.get(name) : undefined;
        return {
          kind: 'place',
          address: base.kind === 'place' ? base.address : [],
          place: {
            ...place,
            selectors: [...place.selectors, { kind: 'field', name, offset: field?.offset }],
            type: field?.type ?? unknownType(`the type of the member ${name} is not declared in this file`),
          },
        };
      }
      case 'deref': {
        if (expression.of.kind === 'name' && expression.of.name === 'this')
          return this.self && { kind: 'place', place: this.self, address: [] };
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
  protected baseOf(expression: Expression, state: State): Base | undefined {
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

  protected element(base: Base, subscripts: readonly (Node | undefined)[]): Target | undefined {
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
    if (place.type.kind === 'array') return this.pointerTo(decayedPlace(place));
    if (place.type.kind === 'record')
      return this.wholeOf(place.type.record, target, state) ?? this.pointerTo(place);
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
      const converted = this.as(value, target.binding.type, target.name);
      state.variables.set(target.binding.id, converted.id);
      return converted;
    }
    const { place, address } = target;
    if (place.type.kind === 'record') return this.assignWhole(place.type.record, target, value, state);
    const stored = this.as(value, place.type, nameOf(place));
    state.memory.set(placeKey(place), stored.id);
    // What the loop's own body declares is in registers.
    const isOwn =
      this.loop !== 0 && this.declaredIn.get(place.root) === this.loop && hasConstantIndices(place);
    if (!isOwn)
      this.frame?.accesses.push({ kind: 'store', place, node: stored.id, area: this.area, address });
    return stored;
  }
}

/** Where an array or a structure is. */
export const placeOf = (binding: Binding, name: string): Extract<Target, { kind: 'place' }> => ({
  kind: 'place',
  place: { root: `${name}#${binding.id}`, rootLoop: 0, selectors: [], type: binding.type },
  address: [],
});

const hasConstantIndices = ({ selectors }: Place): boolean =>
  selectors.every((each) => each.kind === 'field' || numberIn(each.index) !== undefined);
