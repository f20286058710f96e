import { Arithmetic } from './arithmetic.ts';
import type { LoopFacts } from './facts.ts';
import { Graph, type Node, type Place } from './graph.ts';
import { symbolsOf } from './polynomial.ts';
import { plainName } from './shapes.ts';
import { type Binding, type Frame, type State, TooMuchWork } from './state.ts';
import type { SourceFunction, SourceUnit, Type, Variable } from './syntax.ts';

const MOST_WORK = 400_000;
/** Of the whole file. */
const MOST_WORK_IN_ALL = 20_000_000;

/** What is known while a function is gone through: variables in scope, the loops around, what states have in common. */
export abstract class Tracker {
  readonly facts: LoopFacts[] = [];
  graph = new Graph();
  protected arithmetic = new Arithmetic(this.graph);
  protected readonly unit: SourceUnit;
  /** Of one name, in the order of the file. */
  protected readonly functions = new Map<string, SourceFunction[]>();
  protected readonly closures = new Map<string, SourceFunction>();
  /** Functions of classes, as `class::function`. */
  protected readonly methods = new Map<string, SourceFunction[]>();
  protected scopes: Map<string, Binding>[] = [];
  protected frames: Frame[] = [];
  protected entries = new Map<number, number>();
  protected nextBinding = 1;
  private outsideBindings = 0;
  protected nextLoop = 1;
  protected work = 0;
  protected workInAll = 0;
  protected calls: string[] = [];
  protected returns: { readonly state: State; readonly value: number | undefined }[] | undefined;
  protected current: SourceFunction | undefined;
  /** Of the function whose statements are gone through. */
  protected resultType: Type | undefined;
  /** The object whose function is gone through in the place of its call. */
  protected self: Place | undefined;
  /** What parameters of templates stand for in the calls that are gone through. */
  protected deduced: ReadonlyMap<string, Type> = new Map();
  /** Structures and arrays by their roots, with the loop whose body declares them. */
  protected readonly declaredIn = new Map<string, number>();
  /** Whether loops are recorded: only in a pass that knows what advances. */
  protected final = true;

  /** Fortran passes variables; of C++'s functions those of the file tell what they take by reference. */
  protected readonly changes = (callee: string, position: number): boolean => {
    if (this.unit.language.startsWith('fortran')) return true;
    if (this.unit.language === 'c') return false;
    if (callee === 'swap') return true;
    // The object comes before what its function is given.
    const isMember = callee.startsWith('.');
    const at = isMember ? position - 1 : position;
    const closures = this.closures.get(`${this.current?.name}::${callee}`);
    const known = closures === undefined ? this.functions.get(callee.replace(/^\./, '')) : [closures];
    return (
      known?.some(({ parameters }) => parameters[at]?.isReference && !parameters[at].isConstant) === true
    );
  };

  constructor(unit: SourceUnit) {
    this.unit = unit;
    for (const each of unit.functions) {
      if (each.isClosure === true) {
        this.closures.set(each.name, each);
        continue;
      }
      addTo(this.functions, plainName(each.name), each);
      const path = each.name.replace(/<[^<>]*>/g, '').split('::');
      if (path.length > 1) addTo(this.methods, path.slice(-2).join('::'), each);
    }
  }

  protected bind(variable: Variable): Binding {
    return {
      id: this.nextBinding++,
      type: variable.type,
      loop: 0,
      ...(variable.value === undefined ? {} : { value: variable.value }),
    };
  }

  /**
   * The binding of a name from outside of the function. It is made where the name is first used, be it in a pass through a loop
   * whose own bindings are forgotten behind it: so it counts down where they count up.
   */
  protected outside(variable: Variable): Binding {
    const binding = { ...this.bind(variable), id: -++this.outsideBindings };
    this.scopes[0].set(variable.name, binding);
    return binding;
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
    const [first, ...others] = distinct.map((id) => this.graph.nodes[id]);
    // Structures are joined member by member.
    if (first.record !== undefined && others.every((each) => each.record === first.record)) {
      const inputs = first.inputs.map((id, i) => this.joined([id, ...others.map((each) => each.inputs[i])]));
      const { class: cls, bytes, record } = first;
      return this.graph.make({ op: 'phi', inputs, class: cls, bytes, name: record.name, record }, this.area)
        .id;
    }
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

  protected opaque(inputs: readonly Node[]): Node {
    return this.graph.fresh(
      { op: 'opaque', inputs: inputs.map(({ id }) => id), class: 'unknown', bytes: 0 },
      this.loop,
      this.area,
    );
  }
}

function addTo(map: Map<string, SourceFunction[]>, name: string, each: SourceFunction): void {
  const list = map.get(name);
  if (list === undefined) map.set(name, [each]);
  else list.push(each);
}
