import { Cursor } from './cursor.ts';
import type { FormValue } from './forms.ts';
import { type CodeRange, DW_AT, numberOf, type UnitValues } from './unit-values.ts';
import type { Attributes, Unit, UnitReader } from './units.ts';

/** A function as it was written: its name, or where to find it. */
export interface FunctionEntry {
  /** As linkers know it. */
  readonly symbol?: string;
  readonly name?: string;
  /** Namespaces and classes around it, with `::` behind each. */
  readonly scope: string;
  /** The entry that says more: a declaration, or of what this is a copy. */
  readonly see?: FormValue;
}

/** Code of a function, or of a call that was inlined; in it what was inlined into that. */
export interface CodeNode {
  readonly ranges: readonly CodeRange[];
  readonly inlined: readonly InlinedNode[];
}

export interface InlinedNode extends CodeNode {
  /** Of what it is a copy. */
  readonly origin: FormValue | undefined;
  /** Where it was called: a number of a file of the unit's line table, and a line. */
  readonly file: number | undefined;
  readonly line: number | undefined;
}

/** What a unit says of functions. */
export interface UnitTree {
  /** By place in the section. */
  readonly functions: ReadonlyMap<number, FunctionEntry>;
  readonly roots: readonly CodeNode[];
}

const TAG_CLASS = 0x02;
const TAG_LEXICAL_BLOCK = 0x0b;
const TAG_STRUCTURE = 0x13;
const TAG_UNION = 0x17;
const TAG_INLINED = 0x1d;
const TAG_MODULE = 0x1e;
const TAG_SUBPROGRAM = 0x2e;
const TAG_NAMESPACE = 0x39;

const SCOPES: ReadonlySet<number> = new Set([
  TAG_CLASS,
  TAG_STRUCTURE,
  TAG_UNION,
  TAG_MODULE,
  TAG_NAMESPACE,
  TAG_SUBPROGRAM,
]);

const isWanted = (tag: number): boolean =>
  SCOPES.has(tag) || tag === TAG_INLINED || tag === TAG_LEXICAL_BLOCK;

/** An entry whose children are being read. */
interface Open {
  readonly scope: string;
  /** Where inlined calls go. */
  readonly inlined: InlinedNode[] | undefined;
}

/** Reads all entries of a unit, once. Throws DwarfError. */
export function unitTree(reader: UnitReader, unit: Unit, values: UnitValues): UnitTree {
  const functions = new Map<number, FunctionEntry>();
  const roots: CodeNode[] = [];
  const cursor = new Cursor(reader.sections.info, unit.entries, unit.end);
  const open: Open[] = [];
  while (cursor.position < unit.end) {
    const at = cursor.position;
    const entry = reader.readEntry(cursor, unit, isWanted);
    if (entry === undefined) {
      open.pop();
      if (open.length === 0) break;
      continue;
    }
    const { tag, attributes, hasChildren } = entry;
    const around: Open = open[open.length - 1] ?? { scope: '', inlined: undefined };
    let inside = around;
    if (tag === TAG_INLINED) {
      const inlined: InlinedNode[] = [];
      around.inlined?.push({
        ranges: values.ranges(attributes),
        inlined,
        origin: attributes.get(DW_AT.abstractOrigin),
        file: numberOf(attributes.get(DW_AT.callFile)),
        line: numberOf(attributes.get(DW_AT.callLine)),
      });
      inside = { scope: around.scope, inlined };
    } else if (tag === TAG_SUBPROGRAM) {
      functions.set(at, functionEntry(attributes, around.scope, values));
      const ranges = values.ranges(attributes);
      const inlined: InlinedNode[] = [];
      if (ranges.length > 0) roots.push({ ranges, inlined });
      inside = { scope: scopeOf(attributes, around.scope, values), inlined };
    } else if (SCOPES.has(tag))
      inside = { scope: scopeOf(attributes, around.scope, values), inlined: undefined };
    if (hasChildren) open.push(inside);
    else if (open.length === 0) break;
  }
  return { functions, roots };
}

function functionEntry(attributes: Attributes, scope: string, values: UnitValues): FunctionEntry {
  const symbol = values.text(attributes.get(DW_AT.linkageName) ?? attributes.get(DW_AT.mipsLinkageName));
  const name = values.text(attributes.get(DW_AT.name));
  const see = attributes.get(DW_AT.abstractOrigin) ?? attributes.get(DW_AT.specification);
  return { scope, ...(symbol && { symbol }), ...(name && { name }), ...(see && { see }) };
}

/** Namespaces nest no deeper in anything that a person wrote. */
const LONGEST_SCOPE = 1000;

function scopeOf(attributes: Attributes, around: string, values: UnitValues): string {
  const name = values.text(attributes.get(DW_AT.name));
  return name === undefined || around.length > LONGEST_SCOPE ? around : `${around}${name}::`;
}
