import { EncodingKind, Instruction } from 'iced-x86';
import { Failure } from '../../../src/base/failure.ts';
import { treatmentOf } from '../../../src/x86/lift/rows.ts';
import { hostExecutes } from '../native/features.ts';
import { everyForm, type Form } from '../native/forms.ts';
import { runNative } from '../native/runner.ts';
import type { State } from '../native/state.ts';
import { isComparable } from '../native/undefined.ts';
import { comparedOf, differencesOf } from './compare.ts';
import { type Draw, draw, withInstruction } from './draw.ts';
import { Engine, type Outcome, TIERS, type Tier } from './engine.ts';
import { groupOf } from './groups.ts';

export interface DifferentialOptions {
  /** Cases in all, shared evenly by the forms: each form has one at least. */
  readonly cases: number;
  readonly seed: number;
  /** Of forms by their names. */
  readonly forms?: RegExp;
  /** Only this encoding of each form. */
  readonly index?: number;
  readonly progress?: (cases: number) => void;
}

export interface Group {
  readonly forms: number;
  readonly cases: number;
}

export interface Divergence {
  readonly form: string;
  readonly index: number;
  readonly tier: Tier;
  readonly text: string;
}

export interface Report {
  /** By the name of the instruction set. */
  readonly groups: ReadonlyMap<string, Group>;
  readonly divergences: readonly Divergence[];
  /** Names of forms that we do not execute. */
  readonly unsupported: readonly Form[];
  /** Names of forms that the host cannot judge. */
  readonly incomparable: readonly Form[];
  /** Forms for which no case could be made, which is a defect of the generator. */
  readonly missing: readonly Form[];
}

/** Encodings that run at once: their states take some kilobytes each. */
const BATCH = 2000;

/** Runs random cases of every form on the host's processor and in both tiers of the emulator. */
export function differential({ cases, seed, forms, index, progress }: DifferentialOptions): Report {
  const wanted = everyForm().filter((form) => forms === undefined || forms.test(form.name));
  const [supported, unsupported] = partition(wanted, hasTreatment);
  const [compared, incomparable] = partition(supported, (form) => isComparable(form) && hostExecutes(form));
  const engines = TIERS.map((tier) => new Engine(tier));
  const groups = new Map<string, { forms: number; cases: number }>();
  const divergences: Divergence[] = [];
  const refused = new Set<Form>();
  const met = new Set<Form>();
  let done = 0;
  let batch: Draw[] = [];
  const flush = () => {
    const expected = runNative(
      batch.flatMap(({ code, befores }) => befores.map((before) => ({ code, before }))),
    );
    let at = 0;
    for (const drawn of batch) {
      const hosts = expected.slice(at, at + drawn.befores.length);
      at += drawn.befores.length;
      const found = engines.map((engine, i) => judge(drawn, engine, hosts, TIERS[i]));
      if (found.includes('unsupported')) {
        refused.add(drawn.form);
        continue;
      }
      const group = groups.get(groupOf(drawn.form)) ?? { forms: 0, cases: 0 };
      if (!met.has(drawn.form)) group.forms++;
      met.add(drawn.form);
      group.cases += drawn.befores.length;
      groups.set(groupOf(drawn.form), group);
      for (const each of found) if (each !== 'unsupported') divergences.push(...each);
    }
    done += at;
    progress?.(done);
    batch = [];
  };
  const missing: Form[] = [];
  const share = cases / Math.max(1, compared.length);
  for (const form of compared) {
    let made = 0;
    for (let i = index ?? 0; made < share && (index === undefined || i === index); i++) {
      const drawn = draw(form, seed, i);
      if (drawn === undefined) break;
      made += drawn.befores.length;
      batch.push(drawn);
      if (batch.length >= BATCH) flush();
    }
    if (made === 0) missing.push(form);
  }
  if (batch.length > 0) flush();
  const byName = (x: Form, y: Form) => (x.name < y.name ? -1 : 1);
  return {
    groups: new Map([...groups].sort(([x], [y]) => (x < y ? -1 : 1))),
    divergences,
    unsupported: [...unsupported, ...[...refused].filter((form) => !met.has(form))].sort(byName),
    incomparable,
    missing: index === undefined ? missing : [],
  };
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Whether some row may know the form; AVX-512 and what was withdrawn have mnemonics in common with what is known. */
export function hasTreatment({ code, encoding }: Form): boolean {
  if (encoding !== EncodingKind.Legacy && encoding !== EncodingKind.VEX) return false;
  const instruction = new Instruction();
  instruction.code = code;
  const { row, service } = treatmentOf(instruction);
  instruction.free();
  return row !== undefined || service !== undefined;
}

function judge(
  drawn: Draw,
  engine: Engine,
  hosts: readonly State[],
  tier: Tier,
): Divergence[] | 'unsupported' {
  const tell = (text: string): Divergence => ({
    form: drawn.form.name,
    index: drawn.index,
    tier,
    text: `${drawn.text} (${Buffer.from(drawn.code).toString('hex')}): ${text}`,
  });
  let outcomes: Outcome[];
  try {
    outcomes = engine.run(drawn.code, drawn.befores, drawn.keepsStatus);
  } catch (problem) {
    if (problem instanceof Failure && problem.code === 'unsupported-floating-point-control')
      return 'unsupported';
    return [tell(`threw ${problem}`)];
  }
  if (outcomes.some((outcome) => 'unsupported' in outcome)) return 'unsupported';
  return withInstruction(drawn.code, (instruction) =>
    outcomes.flatMap((outcome, i) => {
      const compared = comparedOf(instruction, drawn.befores[i], drawn);
      const differences = differencesOf(compared, outcome as State, hosts[i]);
      return differences.length === 0 ? [] : [tell(`state ${i}: ${differences.slice(0, 6).join('; ')}`)];
    }),
  );
}
