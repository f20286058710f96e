import { bytesOf, classOf } from './arithmetic.ts';
import { moved, type Node, type Place, placeKey } from './graph.ts';
import { decayedPlace, isScalar, leavesOf, memberName, nameOf, retyped, unitsOf } from './places.ts';
import { numberIn, symbol, ZERO } from './polynomial.ts';
import type { Binding, State, Target } from './state.ts';
import { type Expression, type Part, type RecordType, sizeOf, type Type, unknownType } from './syntax.ts';
import { Tracker } from './tracker.ts';

/** Of a list that an array is set to. */
const MOST_ELEMENTS = 64;

/** What expressions stand for that can be assigned to, and what variables and places hold. */
export abstract class Targets extends Tracker {
  /** The value of an expression; undefined where it was not understood, for which the reason was given. */
  protected abstract rvalue(expression: Expression, state: State): Node | undefined;

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

  /** A value as one of another type; a pointer as one to another. */
  protected as(value: Node, type: Type, name: string): Node {
    const to = this.resolved(type);
    if (to.kind !== 'pointer') return this.arithmetic.toType(value, to, this.area);
    const { place } = value;
    if (place !== undefined) {
      const other = retyped(place, to.to, () => this.freshSymbol());
      if (other === place) return value;
      return this.graph.fresh(
        { op: 'address', inputs: [value.id], class: 'pointer', bytes: 8, place: other },
        value.loop,
        this.area,
      );
    }
    if (value.class === 'int' || value.class === 'float' || value.class === 'complex') return value;
    // What a function gave, such as malloc, is memory of its own.
    return this.graph.fresh(
      {
        op: 'address',
        inputs: [value.id],
        class: 'pointer',
        bytes: 8,
        name,
        place: {
          root: `*${name}#by${value.id}`,
          rootLoop: value.loop,
          selectors: [{ kind: 'at', index: ZERO, unit: sizeOf(to.to) }],
          type: to.to,
        },
      },
      value.loop,
      this.area,
    );
  }

  /** A type with what is known of the template's parameters. */
  protected resolved(type: Type): Type {
    if (type.kind === 'float' && type.parameter !== undefined)
      return this.deduced.get(type.parameter) ?? type;
    return type;
  }

  // Structures, by the values that make them.

  private wholeOf(
    record: RecordType,
    { place, address }: Extract<Target, { kind: 'place' }>,
    state: State,
  ): Node | undefined {
    const values = leavesOf(record)?.map(({ selectors, type }) =>
      this.value(
        { kind: 'place', address, place: { ...place, selectors: [...place.selectors, ...selectors], type } },
        state,
      ),
    );
    return values && this.whole(record, values);
  }

  protected whole(record: RecordType, values: readonly Node[]): Node {
    const inputs = values.map(({ id }) => id);
    return this.graph.make(
      { op: 'phi', inputs, class: 'unknown', bytes: record.bytes ?? 0, name: record.name, record },
      this.area,
    );
  }

  private assignWhole(
    record: RecordType,
    { place, address }: Extract<Target, { kind: 'place' }>,
    value: Node,
    state: State,
  ): Node {
    const leaves = leavesOf(record);
    if (leaves === undefined || value.record !== record) {
      this.reason('a whole structure is copied');
      state.memory.clear();
      return value;
    }
    leaves.forEach(({ selectors, type }, i) => {
      const part = { ...place, selectors: [...place.selectors, ...selectors], type };
      this.assign({ kind: 'place', place: part, address }, this.graph.nodes[value.inputs[i]], state);
    });
    return value;
  }

  /** A member of a structure's value. */
  protected memberOf(of: Node, field: string): Node | undefined {
    const { record } = of;
    const leaves = record && leavesOf(record);
    if (record === undefined || leaves === undefined) return undefined;
    const name = memberName({ kind: 'record', record }, field);
    const type = record.fields.get(name)?.type;
    const own = leaves.flatMap(({ selectors: [first] }, i) =>
      first?.kind === 'field' && first.name === name ? [this.graph.nodes[of.inputs[i]]] : [],
    );
    if (type?.kind === 'record') return this.whole(type.record, own);
    return own.length === 1 && type?.kind !== 'array' ? own[0] : undefined;
  }

  /** `{a, b}` as a value of the type; undefined where that is no structure or number. */
  protected aggregate(parts: readonly Part[], type: Type, state: State): Node | undefined {
    const values = this.partsOf(parts, type, state);
    if (values === undefined) return undefined;
    if (type.kind === 'record') return this.whole(type.record, values);
    if (type.kind !== 'complex') return values[0];
    const half = type.bytes / 2;
    const [real, imaginary] = values.map((each) => this.arithmetic.convert(each, 'float', half, this.area));
    return this.arithmetic.pair(real, imaginary, type.bytes, this.area);
  }

  /** The single values of an aggregate; what it does not give is 0. */
  private partsOf(parts: readonly Part[], type: Type, state: State): readonly Node[] | undefined {
    const one = (part: Part | undefined, of: Type): readonly Node[] | undefined => {
      if (part?.value.kind === 'aggregate' && part.value.type === undefined)
        return this.partsOf(part.value.parts, of, state);
      const isWhole = of.kind === 'record' || of.kind === 'array';
      if (part === undefined && isWhole) return this.partsOf([], of, state);
      const zero = (): Node => this.graph.number(0, of.kind === 'float' ? 'float' : 'int', bytesOf(of) || 4);
      const value = part === undefined ? zero() : (this.rvalue(part.value, state) ?? this.opaque([]));
      if (!isWhole) return [this.as(value, of, 'part')];
      return of.kind === 'record' && value.record === of.record
        ? value.inputs.map((id) => this.graph.nodes[id])
        : undefined;
    };
    switch (type.kind) {
      case 'record': {
        if (leavesOf(type.record) === undefined) return undefined;
        // A copy.
        if (parts.length === 1 && parts[0].value.kind !== 'aggregate') {
          const whole = this.rvalue(parts[0].value, state);
          if (whole?.record === type.record) return whole.inputs.map((id) => this.graph.nodes[id]);
        }
        const fields = [...type.record.fields];
        const all = fields.map(([name, field], i) =>
          one(
            parts.find((each, at) => (each.field === undefined ? at === i : each.field === name)),
            field.type,
          ),
        );
        return all.every((each) => each !== undefined) ? all.flat() : undefined;
      }
      case 'array': {
        const [{ extent }] = type.dimensions;
        const all = Array.from({ length: extent ?? 0 }, (_, i) => one(parts[i], type.of));
        return all.every((each) => each !== undefined) ? all.flat() : undefined;
      }
      case 'complex': {
        const part: Type = { kind: 'float', bytes: type.bytes / 2 };
        const all = [0, 1].map((i) => one(parts[i], part));
        return all.every((each) => each !== undefined) ? all.flat() : undefined;
      }
      case 'float':
      case 'int':
        return parts.length > 1 ? undefined : one(parts[0], type);
      default:
        return undefined;
    }
  }

  /** Sets the elements of an array to the values of its list. */
  protected assignElements(target: Target, parts: readonly Part[], state: State): void {
    if (target.kind !== 'place' || target.place.type.kind !== 'array') return;
    parts.slice(0, MOST_ELEMENTS).forEach(({ value }, i) => {
      const element = this.element({ ...target, decays: true }, [this.graph.number(i, 'int', 8)]);
      if (element?.kind !== 'place') return;
      const { type } = element.place;
      if (value.kind === 'aggregate' && value.type === undefined && type.kind === 'array')
        return this.assignElements(element, value.parts, state);
      const one =
        value.kind === 'aggregate' && value.type === undefined
          ? this.aggregate(value.parts, type, state)
          : this.rvalue(value, state);
      if (one !== undefined) this.assign(element, one, state);
    });
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
