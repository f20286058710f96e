import { bytesOf, classOf } from './arithmetic.ts';
import { Calls } from './calls.ts';
import { moved, type Node, type Place } from './graph.ts';
import { HEADER_CONSTANTS } from './header-constants.ts';
import { describe, isScalar } from './places.ts';
import type { State } from './state.ts';
import { type Expression, type Type, unknownType } from './syntax.ts';
import { placeOf } from './targets.ts';

/** Gives expressions their nodes. */
export abstract class Evaluator extends Calls {
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
        const whole = expression.kind === 'member' ? this.rvalue(expression.base, state) : undefined;
        const member =
          whole !== undefined && expression.kind === 'member'
            ? this.memberOf(whole, expression.field)
            : undefined;
        return member ?? this.unresolved(expression);
      }
      case 'aggregate': {
        const { type, parts } = expression;
        const args = parts.map(({ value }) => value);
        const made = type?.kind === 'record' ? this.constructed(type.record, args, state) : undefined;
        const value = made ?? (type && this.aggregate(parts, type, state));
        if (value === undefined) this.reason('an initializer list is not followed');
        return value;
      }
      case 'address': {
        const target = this.target(expression.of, state);
        if (target?.kind !== 'place') return this.opaque([]);
        return this.pointerTo(target.place);
      }
      case 'unary': {
        const own = this.applyOperator(expression.op, [expression.of], state);
        if (own !== undefined) return own.value;
        const of = this.rvalue(expression.of, state) ?? this.opaque([]);
        if (expression.op === '-') return this.arithmetic.negate(of, this.area);
        if (of.op === 'constant' && of.value !== undefined)
          return this.graph.number(expression.op === '!' ? (of.value === 0 ? 1 : 0) : ~of.value, 'int', 4);
        // What `!` says is what a branch asks anyway.
        if (expression.op === '!') return this.asked(of);
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
          const { value: from } = expression;
          const type = target?.kind === 'variable' ? target.binding.type : target?.place.type;
          const listed =
            from.kind === 'aggregate' && from.type === undefined && type !== undefined
              ? this.aggregate(from.parts, type, state)
              : undefined;
          const value = listed ?? this.rvalue(from, state) ?? this.opaque([]);
          return this.assign(target, value, state);
        }
        const own = this.applyOperator(`${expression.op}=`, [expression.target, expression.value], state);
        if (own !== undefined) return own.value;
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
        const isOther = expression.to.kind !== 'unknown' && expression.to.kind !== 'pointer';
        if (of.class === 'unknown' && isScalar(expression.to) && isOther)
          return this.graph.make(
            { op: 'phi', inputs: [of.id], class: classOf(expression.to), bytes: bytesOf(expression.to) },
            this.area,
          );
        return this.as(of, expression.to, 'memory');
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

  protected unresolved(expression: Expression): Node {
    if (expression.kind === 'name') {
      const value = HEADER_CONSTANTS.get(expression.name);
      if (value !== undefined)
        return this.graph.number(value.value, classOf(value.type), bytesOf(value.type));
      // A name that nothing declares: from a header, or a macro of one. It is taken for something that does not change.
      const { name } = expression;
      this.outside({ name, type: unknownType(`${name} is not declared in this file`) });
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
    const own = this.applyOperator(expression.op, [expression.left, expression.right], state);
    if (own !== undefined) return own.value;
    const left = this.rvalue(expression.left, state) ?? this.opaque([]);
    const right = this.rvalue(expression.right, state) ?? this.opaque([]);
    const isLogical = expression.op === '&&' || expression.op === '||';
    return this.combine(
      expression.op,
      isLogical ? this.asked(left) : left,
      isLogical ? this.asked(right) : right,
    );
  }

  /** An operator that the file defines for these. */
  private applyOperator(
    op: string,
    args: readonly Expression[],
    state: State,
  ): { readonly value: Node | undefined } | undefined {
    if (!this.functions.has(`operator${op}`)) return undefined;
    const types = args.map((each) => this.typeOf(each, state));
    const found = this.operator(op, args, types, state);
    if (found === undefined) return undefined;
    const { callee, object } = found;
    const isMethod = callee.parameters.length < args.length;
    if (!isMethod) return this.inlined(callee, args, state);
    return this.inlined(callee, args.slice(1), state, object ?? this.temporary(args[0], state));
  }

  /** A place for a value that has none. */
  private temporary(expression: Expression, state: State): Place | undefined {
    const value = this.rvalue(expression, state);
    if (value?.record === undefined) return undefined;
    const type: Type = { kind: 'record', record: value.record };
    const target = placeOf({ id: this.nextBinding++, type, loop: this.loop }, '<value>');
    this.declaredIn.set(target.place.root, this.loop);
    this.assign(target, value, state);
    return target.place;
  }

  /** As a condition: a number is compared with zero. */
  protected asked<T extends Node | undefined>(node: T): T | Node {
    if (node?.class !== 'float' || node.op === 'constant') return node;
    return this.arithmetic.binary('!=', node, this.graph.number(0, 'float', node.bytes), this.area);
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
    this.root(this.asked(test));
    const values = [expression.yes, expression.no].map((each) => this.rvalue(each, state) ?? this.opaque([]));
    const bytes = Math.max(...values.map((each) => each.bytes));
    const isFloat = values.some((each) => each.class === 'float');
    const same = isFloat
      ? values.map((each) => this.arithmetic.convert(each, 'float', bytes, this.area))
      : values;
    return this.graph.nodes[this.joined(same.map(({ id }) => id))];
  }
}
