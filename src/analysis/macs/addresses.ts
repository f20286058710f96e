import type { BlockInstruction, MemoryAccess } from '../../x86/block.ts';
import type { Location } from '../../x86/locations.ts';
import { isGeneral, STACK_POINTER } from '../../x86/locations.ts';

/**
 * Tells which accesses touch the same memory, from how addresses are computed: a value is a root that nothing is known of
 * and a known number added to it. Two accesses with one root overlap or do not; with two roots they are taken not to.
 */
interface Symbolic {
  readonly root: string;
  readonly plus: number;
}

interface Span extends Symbolic {
  readonly size: number;
  /** The registers and numbers that the address is written with. */
  readonly spelling: string;
}

interface Store extends Span {
  readonly round: number;
  readonly instruction: number;
  /** The micro-operations of its data. */
  readonly uops: readonly number[];
  readonly value: Symbolic | undefined;
}

export interface LastStore {
  readonly uops: readonly number[];
  readonly round: number;
  readonly instruction: number;
  readonly spelling: string;
  /** It wrote all of what is read. */
  readonly whole: boolean;
}

/**
 * What registers hold before the first repetition. `distinct`: each something of its own. `alike`: all the same except rsp
 * and rbp, and memory holds the same again, which is how BHive prepares its blocks (Chen et al., IISWC 2019, section III).
 */
export type StartingValues = 'distinct' | 'alike';

const CONSTANT = '#';
/** Stores that are remembered for each root. */
const KEPT = 64;

export class Addresses {
  private readonly start: StartingValues;
  private readonly values = new Map<Location, Symbolic>();
  private readonly stores = new Map<string, Store[]>();
  /** Of instructions before the body. */
  private names = 0;
  /** Long names of roots are numbered. */
  private readonly roots = new Map<string, string>();

  constructor(start: StartingValues) {
    this.start = start;
  }

  /** The spans that an instruction reads, before it changes anything. */
  enter(instruction: BlockInstruction): { readonly loads: readonly Span[] } {
    return { loads: instruction.loads.map((access) => this.spanOf(instruction, access)) };
  }

  /** The last store that wrote any of it; `whole` where it wrote all. */
  lastStore(span: Span): LastStore | undefined {
    const store = this.storeInto(span);
    return store === undefined ? undefined : { ...store, whole: covers(store, span) };
  }

  /** What the instruction leaves in registers and memory. */
  leave(instruction: BlockInstruction, i: number, round: number, data: readonly number[]): void {
    const spans = instruction.stores.map((access) => this.spanOf(instruction, access));
    const stored = this.storedValue(instruction);
    const value = this.valueOf(instruction);
    if (instruction.stackChange !== 0)
      this.values.set(STACK_POINTER, this.plus(this.get(STACK_POINTER), instruction.stackChange));
    for (const location of instruction.writes)
      if (isGeneral(location) && location !== STACK_POINTER)
        this.values.set(location, this.fresh(i, round, location));
    if (instruction.writesStackPointer && instruction.stackChange === 0)
      this.values.set(STACK_POINTER, this.fresh(i, round, STACK_POINTER));
    if (value !== undefined) this.values.set(instruction.value!.to, value);
    for (const span of spans) {
      const list = this.stores.get(span.root) ?? [];
      this.stores.set(span.root, list);
      list.push({ ...span, round, instruction: i, uops: data, value: stored });
      if (list.length > KEPT) list.shift();
    }
  }

  /** What the instruction leaves in registers, before the body begins; what it stores is long there by then. */
  follow(instruction: BlockInstruction): void {
    this.leave({ ...instruction, stores: [] }, this.names++, -1, []);
  }

  /** The registers have changed, and to what is not known. */
  forget(locations: readonly Location[]): void {
    const name = this.names++;
    for (const location of locations) this.values.set(location, this.fresh(name, -1, location));
  }

  private storeInto(span: Span): Store | undefined {
    return this.stores.get(span.root)?.findLast((store) => overlaps(store, span));
  }

  /** Pushes and pops are alike whatever the stack pointer's own displacement. */
  private spanOf(instruction: BlockInstruction, access: MemoryAccess): Span {
    const span = this.span(access);
    return instruction.stackChange === 0 ? span : { ...span, spelling: 'stack' };
  }

  private span({ base, index, scale, displacement, size }: MemoryAccess): Span {
    return {
      ...this.sum(base, index, scale, displacement),
      size,
      spelling: `${base} ${index} ${scale} ${displacement}`,
    };
  }

  private sum(
    base: Location | undefined,
    index: Location | undefined,
    scale: number,
    plus: number,
  ): Symbolic {
    const first = base === undefined ? { root: CONSTANT, plus: 0 } : this.get(base);
    if (index === undefined) return this.plus(first, plus);
    const second = this.get(index);
    const whole = first.plus + scale * second.plus + plus;
    if (second.root === CONSTANT) return { root: first.root, plus: whole };
    if (first.root === CONSTANT && scale === 1) return { root: second.root, plus: whole };
    return { root: this.named(`${first.root}+${scale}*${second.root}`), plus: whole };
  }

  private plus({ root, plus }: Symbolic, more: number): Symbolic {
    return { root, plus: plus + more };
  }

  private get(location: Location): Symbolic {
    const known = this.values.get(location);
    if (known !== undefined) return known;
    const own =
      this.start === 'distinct' || location === STACK_POINTER || location === 5 || !isGeneral(location);
    return { root: own ? `r${location}` : 'start', plus: 0 };
  }

  private fresh(i: number, round: number, location: Location): Symbolic {
    return { root: `i${i}.${round}.${location}`, plus: 0 };
  }

  private named(text: string): string {
    const known = this.roots.get(text);
    if (known !== undefined) return known;
    const name = `s${this.roots.size}`;
    this.roots.set(text, name);
    return name;
  }

  private valueOf(instruction: BlockInstruction): Symbolic | undefined {
    const { value } = instruction;
    switch (value?.kind) {
      case undefined:
        return undefined;
      case 'sum':
        return this.plus(this.get(value.from), value.plus);
      case 'constant':
        return { root: CONSTANT, plus: value.value };
      case 'address':
        return this.sum(value.base, value.index, value.scale, value.plus);
      case 'loaded':
        return this.loadedValue(instruction);
    }
  }

  private loadedValue(instruction: BlockInstruction): Symbolic | undefined {
    const [access] = instruction.loads;
    if (access === undefined) return undefined;
    const span = this.span(access);
    const store = this.storeInto(span);
    if (store !== undefined)
      return store.plus === span.plus && store.size === span.size ? store.value : undefined;
    return this.start === 'alike'
      ? { root: 'start', plus: 0 }
      : { root: this.named(`[${span.root}+${span.plus}]`), plus: 0 };
  }

  /** Of a plain store of a register, or of what was there and a number. */
  private storedValue(instruction: BlockInstruction): Symbolic | undefined {
    if (instruction.storePlus !== undefined) {
      const loaded = this.loadedValue(instruction);
      return loaded && this.plus(loaded, instruction.storePlus);
    }
    const plain = instruction.mnemonic === 'mov' || instruction.mnemonic === 'push';
    if (!plain || instruction.stores.length === 0) return undefined;
    const [source] = instruction.reads.filter(isGeneral);
    return source === undefined ? undefined : this.get(source);
  }
}

const overlaps = (a: Span, b: Span): boolean => a.plus < b.plus + b.size && b.plus < a.plus + a.size;
const covers = (a: Span, b: Span): boolean => a.plus <= b.plus && a.plus + a.size >= b.plus + b.size;
