import { Failure } from '../base/failure.ts';
import { printPath, shapeProblem } from '../base/shape-problem.ts';
import type { Machine, Needs } from './machine.ts';
import {
  fileShape,
  type KsrMachine,
  ksrShape,
  type MachineFile,
  MOST,
  type WholeMachine,
  wholeShape,
} from './schema.ts';

/** Finds the file of a machine that another one extends. */
export type FindMachine = (name: string) => Promise<unknown>;

/** A model from the parsed JSON of its file. `where` names the file in messages. */
export async function readMachine(json: unknown, where: string, find: FindMachine): Promise<Machine> {
  return machineOf(await wholeMachine(json, where, find, []), where);
}

/** The model of the paper's machine. */
export function readKsr(json: unknown, where: string): KsrMachine {
  return checked(ksrShape, json, where) as KsrMachine;
}

async function wholeMachine(
  json: unknown,
  where: string,
  find: FindMachine,
  below: readonly string[],
): Promise<WholeMachine> {
  const file = checked(fileShape, json, where) as MachineFile;
  const { extends: base, ...own } = file;
  if (base === undefined) return checked(wholeShape, own, where) as WholeMachine;
  if (below.includes(base) || base === file.name)
    throw new Failure('config', 'machine-extends-itself', `${where} extends itself, through ${base}`);
  const parent = await wholeMachine(await find(base), base, find, [...below, file.name]);
  // Own rows come last, where they win; own sources join the base's.
  const merged = {
    ...parent,
    ...own,
    sources: { ...parent.sources, ...own.sources },
    overlay: [...(parent.overlay ?? []), ...(own.overlay ?? [])],
  };
  return checked(wholeShape, merged, where) as WholeMachine;
}

interface Shape {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: readonly unknown[] } };
}

function checked(shape: Shape, value: unknown, where: string): unknown {
  const result = shape.safeParse(value);
  if (result.success) return value;
  const problem = shapeProblem(result.error!.issues[0] as Parameters<typeof shapeProblem>[0], value);
  const message = `${where}: ${printPath(problem.path)} must be ${problem.expected}, but is ${problem.found}`;
  throw new Failure('config', 'bad-machine', message, { file: where });
}

function machineOf(whole: WholeMachine, where: string): Machine {
  const { table, overlay, llvm: _, rename, bypasses, ...rest } = whole;
  const rows = new Map<string, Needs>();
  for (const [mnemonic, classes] of Object.entries(table?.forms ?? {}))
    for (const [id, operands] of Object.entries(classes)) {
      const row = table!.classes[Number(id)];
      if (row === undefined)
        throw bad(where, `table.forms.${mnemonic} names class ${id}, which does not exist`);
      const needs = fromClass(row, where);
      for (const each of operands.split(' '))
        rows.set(each === '-' ? mnemonic : `${mnemonic} ${each}`, needs);
    }
  const patches = (overlay ?? []).map((row) => ({ ...row, test: pattern(row.match, where) }));
  for (const { uops } of patches) if (uops !== undefined) parseUops(uops, where);
  const paths = (bypasses ?? []).map(({ from, to, sooner }) => ({
    from: pattern(from, where),
    to: pattern(to, where),
    sooner,
  }));
  const soonerFor = (from: string, to: string): number =>
    paths.find((path) => path.from.test(from) && path.to.test(to))?.sooner ?? 0;
  const known = new Map<string, Needs | undefined>();
  const needsOf = (form: string): Needs | undefined => {
    if (known.has(form)) return known.get(form);
    let needs = rows.get(form);
    for (const patch of patches) if (patch.test.test(form)) needs = patched(needs, patch, where);
    known.set(form, needs);
    return needs;
  };
  for (const set of portSets(whole)) checkPorts(set, whole.ports, where);
  checkTogether(whole, where);
  return {
    ...rest,
    rename: { ...rename, zeroIdioms: words(rename.zeroIdioms), onesIdioms: words(rename.onesIdioms) },
    needsOf,
    soonerFor,
    formCount: rows.size,
    byHand: (overlay ?? []).map(({ match, source }) => ({ match, source })),
    tableNote: table?.note ?? '',
  };
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

const bad = (where: string, message: string): Failure =>
  new Failure('config', 'bad-machine', `${where}: ${message}`, { file: where });

function pattern(text: string, where: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    throw bad(where, `${JSON.stringify(text)} is not a regular expression`);
  }
}

function portSets({ memory, rename, table, overlay }: WholeMachine): readonly string[] {
  const uops = [
    ...(table?.classes ?? []).map(([text]) => String(text)),
    ...(overlay ?? []).flatMap(({ uops }) => uops ?? []),
  ];
  return [
    memory.load,
    memory.storeAddress,
    memory.storeAddressIndexed,
    memory.storeData,
    rename.stackEngine.syncPorts ?? '',
    ...uops.flatMap((text) => parts(text).map(([, set]) => (set === 'L' || set === 'S' ? '' : set))),
  ];
}

function checkPorts(set: string, ports: string, where: string): void {
  for (const port of set)
    if (!ports.includes(port))
      throw bad(where, `port ${JSON.stringify(port)} of ${JSON.stringify(set)} is not one of its ports`);
}

/** Numbers that are good alone can be such that nothing ever moves on. */
function checkTogether({ issue, predecode, decode, window }: WholeMachine, where: string): void {
  const check = (holds: boolean, key: string, least: string): void => {
    if (!holds) throw bad(where, `${key} must be ${least}`);
  };
  for (const key of ['reorder', 'scheduler'] as const)
    check(window[key] >= issue.width, `window.${key}`, `at least issue.width (${issue.width})`);
  // The predecoder waits until all that it finds in a cycle has room, and one may be waiting for what it fuses with.
  const least = predecode.width + 1;
  check(decode.queue >= least, 'decode.queue', `above predecode.width: at least ${least}`);
  check(decode.fusibleOnLast || decode.decoders > 1, 'decode.decoders', 'at least 2 without fusibleOnLast');
}

/** `2*0156+1+L`: how many, of which ports. */
function parts(text: string): [count: number, set: string][] {
  if (text === '') return [];
  return text.split('+').map((part) => {
    const [, count, set] = /^(?:(\d+)\*)?([0-9A-Za-z]+)$/.exec(part) ?? [];
    return [Number(count ?? 1), set ?? ''];
  });
}

interface Uops {
  readonly compute: readonly string[];
  readonly loads: number;
  readonly stores: number;
}

function parseUops(text: string, where: string): Uops {
  const compute: string[] = [];
  let loads = 0;
  let stores = 0;
  if (parts(text).reduce((sum, [count]) => sum + count, 0) > MOST)
    throw bad(where, `${JSON.stringify(text)} are more than ${MOST} micro-operations`);
  for (const [count, set] of parts(text)) {
    if (set === '')
      throw bad(where, `${JSON.stringify(text)} is not a sum of micro-operations, such as "2*0156+1+L"`);
    if (set === 'L') loads += count;
    else if (set === 'S') stores += count;
    else for (let i = 0; i < count; i++) compute.push(set);
  }
  return { compute, loads, stores };
}

function fromClass([uops, ...numbers]: readonly (string | number)[], where: string): Needs {
  for (const each of numbers)
    if (!(Number.isInteger(each) && Number(each) >= 0 && Number(each) <= MOST))
      throw bad(where, `${JSON.stringify(each)} in a class of the table is not a whole number up to ${MOST}`);
  const [latency = 1, divider = 0, slots] = numbers.map(Number);
  return { ...parseUops(String(uops), where), latency, divider, slots };
}

interface Patch {
  readonly uops?: string;
  readonly latency?: number;
  readonly divider?: number;
  readonly slots?: number;
}

/** What a row of the overlay leaves out stays as the table has it. */
function patched(needs: Needs | undefined, patch: Patch, where: string): Needs {
  const base: Needs = needs ?? {
    compute: [],
    loads: undefined,
    stores: undefined,
    latency: 1,
    divider: 0,
    slots: undefined,
  };
  const uops = patch.uops === undefined ? undefined : parseUops(patch.uops, where);
  const memory = uops !== undefined && /[LS]/.test(patch.uops!);
  return {
    compute: uops?.compute ?? base.compute,
    loads: memory ? uops!.loads : uops === undefined ? base.loads : undefined,
    stores: memory ? uops!.stores : uops === undefined ? base.stores : undefined,
    latency: patch.latency ?? base.latency,
    divider: patch.divider ?? (uops === undefined ? base.divider : 0),
    slots: patch.slots ?? (uops === undefined ? base.slots : undefined),
  };
}
