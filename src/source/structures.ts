import { bytesOf } from './arithmetic.ts';
import type { Node, Place } from './graph.ts';
import { leavesOf, memberName, retyped } from './places.ts';
import { ZERO } from './polynomial.ts';
import type { State, Target } from './state.ts';
import { type Expression, type Part, type RecordType, sizeOf, type Type } from './syntax.ts';
import { Tracker } from './tracker.ts';

/** Of a list that an array is set to. */
const MOST_ELEMENTS = 64;

/** Values as those of other types; structures and arrays by the values that make them. */
export abstract class Structures extends Tracker {
  /** The value of an expression; undefined where it was not understood, for which the reason was given. */
  protected abstract rvalue(expression: Expression, state: State): Node | undefined;

  protected abstract value(target: Target, state: State): Node;

  protected abstract assign(target: Target | undefined, value: Node, state: State): Node;

  protected abstract element(base: Base, subscripts: readonly (Node | undefined)[]): Target | undefined;

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

  protected wholeOf(
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

  protected assignWhole(
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
    for (const [i, { value }] of parts.slice(0, MOST_ELEMENTS).entries()) {
      const element = this.element({ ...target, decays: true }, [this.graph.number(i, 'int', 8)]);
      if (element?.kind !== 'place') continue;
      const { type } = element.place;
      if (value.kind === 'aggregate' && value.type === undefined && type.kind === 'array') {
        this.assignElements(element, value.parts, state);
        continue;
      }
      const one =
        value.kind === 'aggregate' && value.type === undefined
          ? this.aggregate(value.parts, type, state)
          : this.rvalue(value, state);
      if (one !== undefined) this.assign(element, one, state);
    }
  }
}

/** What a subscript selects from: an array, or where a pointer points to. */
export interface Base {
  readonly place: Place;
  readonly decays: boolean;
  readonly address: readonly number[];
}
