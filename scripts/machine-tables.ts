// Writes the instruction table of the machine models from LLVM's scheduling models (Apache-2.0 WITH LLVM-exception):
//
//     apt-get install llvm-19 && node scripts/machine-tables.ts [NAME]...
//
// Everything else in src/machines/*.json is written by hand and stays as it is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decompose } from './decompose.ts';
import { type LlvmFacts, llvmFacts, llvmVersion } from './llvm-mca.ts';
import { type Representative, representatives } from './machine-forms.ts';

/** How LLVM's resources are read as this machine's. */
interface Llvm {
  readonly cpu: string;
  /** Port of the model → LLVM's resource. */
  readonly ports: Readonly<Record<string, string>>;
  /** Resources that are busy during a division, beside the port. */
  readonly dividers?: readonly string[];
  /** Loads and stores are taken from the operands, not from LLVM's resources. */
  readonly memoryFromOperands?: true;
  /** LLVM's latency of a load into a general register, 128 bits, 256 and more. */
  readonly loadLatency: readonly [number, number, number];
  readonly avx512: boolean;
  /** Sets of ports that are other ones on this machine than on the one that LLVM describes. */
  readonly widen?: Readonly<Record<string, string>>;
}

interface Ports {
  readonly load: string;
  readonly storeAddress: string;
  readonly storeData: string;
}

const directory = join(import.meta.dirname, '../src/machines');
const forms = representatives();

const wanted = process.argv.slice(2);
for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
  const path = join(directory, file);
  const machine = JSON.parse(readFileSync(path, 'utf8'));
  if (machine.llvm === undefined || (wanted.length > 0 && !wanted.includes(machine.name))) continue;
  machine.table = tableOf(machine.llvm, machine.memory ?? memoryOf(machine.extends));
  writeFileSync(path, printed(machine));
}

function memoryOf(name: string): Ports {
  const base = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'));
  return base.memory ?? memoryOf(base.extends);
}

function tableOf(llvm: Llvm, ports: Ports): unknown {
  const usable = forms.filter((form) => llvm.avx512 || !form.avx512);
  const facts = llvmFacts(
    llvm.cpu,
    usable.map(({ texts }) => texts),
  );
  const ids = new Map(Object.entries(llvm.ports).map(([port, resource]) => [resource, port]));
  const loads = facts.map((each) => each && portLoad(each, ids));
  const sets = [...new Set(loads.flatMap((load) => (load === undefined ? [] : aloneSet(load))))].sort(
    (a, b) => b.length - a.length || (a < b ? -1 : 1),
  );
  for (const set of [ports.load, ports.storeAddress, ports.storeData])
    if (!sets.includes(set)) sets.push(set);
  const drafts = new Map<string, Draft>();
  let rough = 0;
  usable.forEach((form, i) => {
    const each = facts[i];
    const load = loads[i];
    if (each === undefined || load === undefined) return;
    const uops = decompose(load, sets);
    if (uops === undefined) rough++;
    drafts.set(form.form, draftOf(form, each, uops ?? roughly(load), llvm, ports));
  });
  console.error(`${llvm.cpu}: ${drafts.size} forms, ${rough} only roughly, sets ${sets.join(' ')}`);
  return compact(drafts, llvm);
}

function portLoad(facts: LlvmFacts, ids: ReadonlyMap<string, string>): Map<string, number> {
  const load = new Map<string, number>();
  for (const [resource, cycles] of facts.pressure) {
    const port = ids.get(resource);
    if (port !== undefined && cycles > 1e-6) load.set(port, cycles);
  }
  return load;
}

/** The set of ports where the load is that of one micro-operation. */
function aloneSet(load: ReadonlyMap<string, number>): string[] {
  const even = load.size > 0 && [...load.values()].every((cycles) => Math.abs(cycles * load.size - 1) < 1e-3);
  return even ? [[...load.keys()].sort().join('')] : [];
}

function roughly(load: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    [...load].map(([port, cycles]) => [port, Math.round(cycles)] as const).filter(([, n]) => n > 0),
  );
}

interface Draft {
  readonly uops: ReadonlyMap<string, number>;
  readonly loads: number;
  readonly stores: number;
  /** As LLVM has it, a load included. */
  readonly latency: number;
  readonly microOps: number;
  readonly divider: number;
}

function draftOf(
  form: Representative,
  facts: LlvmFacts,
  all: ReadonlyMap<string, number>,
  llvm: Llvm,
  ports: Ports,
): Draft {
  const uops = new Map(all);
  const take = (set: string, count: number): number => {
    const taken = Math.min(uops.get(set) ?? 0, count);
    if (taken === uops.get(set)) uops.delete(set);
    else if (taken > 0) uops.set(set, uops.get(set)! - taken);
    return taken;
  };
  let loads = form.loads ? 1 : 0;
  let stores = form.stores ? 1 : 0;
  if (llvm.memoryFromOperands !== true) {
    stores = take(ports.storeData, 99);
    const addresses = take(ports.storeAddress, stores);
    if (addresses < stores) take(ports.load, stores - addresses);
    loads = take(ports.load, 99);
  }
  let divider = llvm.memoryFromOperands === true ? busy(uops, facts.microOps) : 0;
  for (const resource of llvm.dividers ?? []) divider = Math.max(divider, facts.pressure.get(resource) ?? 0);
  return { uops, loads, stores, latency: facts.latency, microOps: facts.microOps, divider };
}

/**
 * More cycles than there are micro-operations: AMD's models keep a port busy where it divides. Where any of several ports
 * would be busy they mean something else (LLVM has `sub r,i` at four cycles on four ports, and measurements one a cycle each).
 */
function busy(uops: Map<string, number>, microOps: number): number {
  const total = [...uops.values()].reduce((sum, count) => sum + count, 0);
  if (total <= Math.max(2, microOps)) return 0;
  const [set, count] = [...uops].reduce((most, each) => (each[1] > most[1] ? each : most));
  uops.set(set, Math.max(1, count - (total - microOps)));
  return set.length === 1 ? count : 0;
}

function compact(drafts: ReadonlyMap<string, Draft>, llvm: Llvm): unknown {
  const classes = new Map<string, number>();
  const table = new Map<string, Map<number, string[]>>();
  for (const [form, draft] of drafts) {
    const [mnemonic, operands] = split(form);
    const text = JSON.stringify(classOf(form, draft, drafts, llvm));
    let id = classes.get(text);
    if (id === undefined) {
      id = classes.size;
      classes.set(text, id);
    }
    const rows = table.get(mnemonic) ?? new Map<number, string[]>();
    table.set(mnemonic, rows);
    rows.set(id, [...(rows.get(id) ?? []), operands]);
  }
  return {
    note: `Generated by scripts/machine-tables.ts from llvm-mca ${llvmVersion()}, -mcpu=${llvm.cpu}: part of LLVM, Apache-2.0 WITH LLVM-exception.`,
    classes: [...classes.keys()].map((text) => JSON.parse(text)),
    forms: Object.fromEntries(
      [...table]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([mnemonic, rows]) => [
          mnemonic,
          Object.fromEntries([...rows].map(([id, operands]) => [id, operands.join(' ')])),
        ]),
    ),
  };
}

/** `[uops, latency, divider?, slots?]`, the latency without that of the load. */
function classOf(
  form: string,
  draft: Draft,
  drafts: ReadonlyMap<string, Draft>,
  llvm: Llvm,
): readonly (string | number)[] {
  const uops = [...draft.uops].map(
    ([set, count]) => `${count > 1 ? `${count}*` : ''}${llvm.widen?.[set] ?? set}`,
  );
  if (draft.loads > 0) uops.push(draft.loads > 1 ? `${draft.loads}*L` : 'L');
  if (draft.stores > 0) uops.push(draft.stores > 1 ? `${draft.stores}*S` : 'S');
  const computes = draft.uops.size > 0;
  const latency =
    !computes && (draft.loads > 0 || draft.stores > 0) ? 0 : computeLatency(form, draft, drafts, llvm);
  const fields: (string | number)[] = [uops.join('+'), latency];
  // What LLVM counts for AMD are macro-operations, which is what is dispatched; two or less follow from the operands.
  const macros = llvm.memoryFromOperands === true && draft.microOps > 2;
  if (draft.divider > 0 || macros) fields.push(Math.round(draft.divider));
  if (macros) fields.push(draft.microOps);
  return fields;
}

/** That of the form with a register in memory's place; else what remains when a load's is taken off. */
function computeLatency(form: string, draft: Draft, drafts: ReadonlyMap<string, Draft>, llvm: Llvm): number {
  if (draft.loads === 0) return Math.min(draft.latency, 100);
  const [mnemonic, operands] = split(form);
  const memory = /m(\d+)b?/.exec(operands);
  if (memory !== null) {
    const register = twin(mnemonic, operands, memory[0], drafts);
    if (register !== undefined) return register.latency;
  }
  const [general, x, y] = llvm.loadLatency;
  const load = /\by\b|\bz\b/.test(operands) ? y : /\bx\b|\bmm\b/.test(operands) ? x : general;
  return Math.max(1, Math.min(100, draft.latency - load));
}

function twin(
  mnemonic: string,
  operands: string,
  memory: string,
  drafts: ReadonlyMap<string, Draft>,
): Draft | undefined {
  const bits = memory.replace(/\D/g, '');
  for (const register of [`r${bits}`, 'x', 'y', 'z', 'mm', 'st']) {
    const form = `${mnemonic.replace('lock ', '')} ${operands.replace(memory, register)}`;
    const found = drafts.get(form);
    if (found !== undefined) return found;
  }
  return undefined;
}

function split(form: string): [mnemonic: string, operands: string] {
  const words = form.split(' ');
  const operands = words.at(-1)!;
  const bare = words.length === 1 || (words.length === 2 && /^(lock|rep)$/.test(words[0]));
  return bare ? [form, '-'] : [words.slice(0, -1).join(' '), operands];
}

/** One line for each class and each mnemonic: what changes shows in a diff. */
function printed({ table, ...rest }: { table: { note: string; classes: unknown[]; forms: object } }): string {
  const head = JSON.stringify(rest, null, 2)
    .replaceAll(/\{\n {6}"match"[^}]*\}/g, (row) => JSON.stringify(JSON.parse(row)))
    .slice(0, -2);
  const lines = (values: readonly string[]): string => values.map((each) => `      ${each}`).join(',\n');
  const classes = lines(table.classes.map((each) => JSON.stringify(each)));
  const rows = lines(
    Object.entries(table.forms).map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`),
  );
  return `${head},\n  "table": {\n    "note": ${JSON.stringify(table.note)},\n    "classes": [\n${classes}\n    ],\n    "forms": {\n${rows}\n    }\n  }\n}\n`;
}
