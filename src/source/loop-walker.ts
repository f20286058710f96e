import { type Advance, advanceOf, tripsOf } from './advances.ts';
import { bytesOf, classOf } from './arithmetic.ts';
import { assignedIn } from './assigned.ts';
import { Evaluator } from './evaluator.ts';
import type { Access, Carried, LoopFacts } from './facts.ts';
import { iterationOf, moved, type Node, placeKey } from './graph.ts';
import { isScalar, nameOf } from './places.ts';
import { numberIn, product, sum, symbol } from './polynomial.ts';
import { stepsName } from './shapes.ts';
import type { Binding, Frame, State } from './state.ts';
import type { Loop } from './syntax.ts';

const MOST_PASSES = 5;

/** Loops: the body is gone through until it is known what advances evenly, then once more to see what it does. */
export abstract class LoopWalker extends Evaluator {
  protected enterLoop(loop: Loop, outerState: State): State {
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
      this.keepInRegisters(result.frame, id, outerState);
      const inner = this.facts.splice(position);
      this.facts.push(this.factsOf(loop, result, advances, inner.length === 0), ...inner);
      break;
    }
    this.havoc(loop, outerState, advances);
    this.scopes.pop();
    return outerState;
  }

  /** An element that every iteration changes is loaded before the loop and stored behind it, in the loop outside. */
  private keepInRegisters({ accesses }: Frame, id: number, state: State): void {
    const { frame } = this;
    if (frame === undefined) return;
    const seen = new Map<string, { readonly first: Access; isStored: boolean }>();
    for (const access of accesses) {
      if (this.graph.loopOfPlace(access.place) === id) continue;
      const key = placeKey(access.place);
      const known = seen.get(key) ?? { first: access, isStored: false };
      known.isStored ||= access.kind === 'store';
      seen.set(key, known);
    }
    for (const [key, { first, isStored }] of seen) {
      if (!isStored) continue;
      const { place } = first;
      const address = first.address.filter((each) => this.graph.nodes[each].loop !== id);
      const parts = { class: classOf(place.type), bytes: bytesOf(place.type), name: nameOf(place) };
      const inputs: number[] = [];
      if (first.kind === 'load' && !state.memory.has(key)) {
        const load = this.graph.fresh({ op: 'load', inputs: address, ...parts }, frame.id, frame.area);
        frame.accesses.push({ kind: 'load', place, node: load.id, area: frame.area, address });
        inputs.push(load.id);
      }
      const { id: node } = this.graph.fresh({ op: 'phi', inputs, ...parts }, frame.id, frame.area);
      frame.accesses.push({ kind: 'store', place, node, area: frame.area, address });
    }
  }

  /** After a loop, what it changed is not known; a pointer that advanced still points into the same. */
  private havoc(loop: Loop, state: State, advances?: ReadonlyMap<number, Advance>): void {
    for (const name of assignedIn(loop, this.changes)) {
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
    for (const name of assignedIn(loop, this.changes)) {
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
    if (loop.form !== 'do' && loop.test !== undefined)
      this.root(this.asked(this.rvalue(loop.test, state)), true);
    this.scopes.push(new Map());
    end = this.run(loop.body, state);
    this.scopes.pop();
    end = this.merged([...(end === undefined ? [] : [end]), ...frame.continues]) ?? state;
    this.graph.line = loop.line;
    if (loop.after !== undefined) this.rvalue(loop.after, end);
    if (loop.form === 'do' && loop.test !== undefined)
      this.root(this.asked(this.rvalue(loop.test, end)), true);
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
        // By what it advances in memory, whichever way its own steps lead.
        const place = moved(entry.place, way, entry.place.backward === true ? -1 : 1);
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
      const advance = advanceOf(this.graph, node, last, id, frame.stored !== undefined);
      if (advance === undefined) continue;
      known.set(binding.id, advance);
      found++;
    }
    return found;
  }

  private factsOf(
    loop: Loop,
    { frame, starts, end }: PassResult,
    advances: ReadonlyMap<number, Advance>,
    innermost: boolean,
  ): LoopFacts {
    const carried: Carried[] = [];
    let induction: LoopFacts['induction'];
    let best = 0;
    for (const { name, binding, node } of starts) {
      const advance = advances.get(binding.id);
      const last = end.variables.get(binding.id) ?? node.id;
      if (advance?.kind === 'step') {
        const step = numberIn(advance.by);
        // The one that the loop itself steps is its own.
        const isOwn = loop.after !== undefined && stepsName(loop.after, name);
        const rank = isOwn ? 3 : node.class === 'pointer' ? 1 : 2;
        if (rank > best) induction = { variable: name.startsWith('<') ? '' : name, step };
        best = Math.max(best, rank);
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
      independent: loop.form === 'concurrent',
      induction,
      trips: loop.trips ?? tripsOf(this.graph, frame),
      areas: frame.areas,
      accesses: frame.accesses,
      roots: frame.roots,
      carried,
      reasons: [...frame.reasons],
      assumptions: [...frame.assumptions],
    };
  }
}

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
