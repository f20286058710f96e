import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Instruction, Mnemonic } from 'iced-x86';
import { ISA_LEVELS, type IsaLevel } from '../../src/base/isa-level.ts';
import { REFUSED_CALLS } from '../../src/linux/calls/refused.ts';
import { SYSCALL_ROWS } from '../../src/linux/calls/table.ts';
import { extensionName } from '../../src/x86/extension.ts';
import { treatmentOf } from '../../src/x86/lift/rows.ts';
import { requiredLevel } from '../../src/x86/required-level.ts';
import type { Language } from '../corpus/cases.ts';
import { withInstruction } from '../x86/differential/draw.ts';
import { groupOf } from '../x86/differential/groups.ts';
import { hasTreatment } from '../x86/differential/run.ts';
import { liftCase } from '../x86/native/emulated.ts';
import { everyForm, example, type Form } from '../x86/native/forms.ts';
import { Random } from '../x86/native/random.ts';

/** What is supported, in words for the README, from what the code knows. */
const ATTEMPTS = 12;

/** Undefined for what the decoder never gives: `fstcw` is `fwait` and `fnstcw` to it. */
function isExecuted(form: Form): boolean | undefined {
  const random = new Random(form.code);
  const lifts = hasTreatment(form);
  for (let i = 0; i < ATTEMPTS; i++) {
    const made = exampleOf(form, random);
    if (made === undefined) continue;
    if (withInstruction(made.code, ({ code }) => code !== form.code)) return undefined;
    if (!lifts) return false;
    if (liftCase(made).terminator.kind !== 'unsupported') return true;
  }
  return false;
}

/** Whether our processor has the form only to fault: user code may not execute it, or no processor shown has it. */
function isRefused({ code }: Form): boolean {
  const instruction = new Instruction();
  instruction.code = code;
  const { alwaysFaults } = treatmentOf(instruction);
  instruction.free();
  return alwaysFaults;
}

/** Undefined where the generator knows no operands for the form. */
function exampleOf(form: Form, random: Random) {
  try {
    return example(form, random);
  } catch {
    return undefined;
  }
}

interface Group {
  readonly name: string;
  level: IsaLevel | 'of no level';
  readonly features: readonly string[];
  readonly executed: Form[];
  readonly missing: Form[];
}

function groups(): Group[] {
  const found = new Map<string, Group>();
  for (const form of everyForm()) {
    const executed = isExecuted(form);
    if (executed === undefined || (executed && isRefused(form))) continue;
    const name = groupOf(form);
    const group = found.get(name) ?? {
      name,
      level: levelOf(form, name),
      features: form.features,
      executed: [],
      missing: [],
    };
    // tzcnt is executed as bsf by processors without BMI1, and so in no level alone.
    const level = levelOf(form, name);
    if (level !== 'of no level') group.level = level;
    found.set(name, group);
    (executed ? group.executed : group.missing).push(form);
  }
  return [...found.values()].sort((x, y) => (x.name < y.name ? -1 : 1));
}

const BASELINE = new Set(['integer', 'x87', 'MMX', 'SSE', 'SSE2']);

function levelOf({ code }: Form, name: string): Group['level'] {
  const instruction = new Instruction();
  instruction.code = code;
  const level = requiredLevel(instruction);
  instruction.free();
  return level !== 'x86-64' || BASELINE.has(name) ? level : 'of no level';
}

const shown = (name: string): string => name.replaceAll('_', '.');

function mnemonicsOf(forms: readonly Form[]): string {
  const names = new Set(forms.map(({ mnemonic }) => `\`${Mnemonic[mnemonic].toLowerCase()}\``));
  return [...names].sort().join(', ');
}

function instructionTable(): string[] {
  const all = groups();
  const rows = [...ISA_LEVELS, 'of no level'].map((level) => {
    const ofLevel = all.filter((group) => group.level === level && group.executed.length > 0);
    const left = ofLevel.flatMap(({ missing }) => missing);
    const names = ofLevel.map(({ name }) => name).filter((name) => !name.includes(' and '));
    return `| ${level} | ${names.map(shown).join(', ')} | ${mnemonicsOf(left)} |`;
  });
  const executed = all.reduce((sum, group) => sum + group.executed.length, 0);
  const without = new Set(
    all
      .filter((group) => group.executed.length === 0)
      .flatMap(({ features }) => features.flatMap((feature) => extensionName(feature) ?? [])),
  );
  return [
    `**Instructions.** ${executed} encodings, each compared with a processor on random operands:`,
    '',
    '| level | executed | forms that are not |',
    '|---|---|---|',
    ...rows,
    '',
    `Not executed, but named with the compiler's flag that avoids them: ${[...without].sort().join(', ')}.`,
  ];
}

function systemCalls(): string[] {
  const refused = new Set(REFUSED_CALLS.map(({ name }) => name));
  const names = (wanted: (name: string) => boolean) =>
    SYSCALL_ROWS.map(({ name }) => name)
      .filter(wanted)
      .sort()
      .join(', ');
  const count = SYSCALL_ROWS.length - refused.size;
  return [
    `<details><summary><b>System calls.</b> ${count} are performed, ${refused.size} refused as by a kernel without the feature; another one ends the run, with its name.</summary>`,
    '',
    `Performed: ${names((name) => !refused.has(name))}.`,
    '',
    `Refused: ${names((name) => refused.has(name))}.`,
    '',
    '</details>',
  ];
}

const NAMES: Readonly<Record<Language, string>> = {
  c: 'C',
  cpp: 'C++',
  fortran: 'Fortran',
  rust: 'Rust',
  go: 'Go',
};

function languages(): string {
  const corpus = fileURLToPath(new URL('../corpus/', import.meta.url));
  const programs = (Object.keys(NAMES) as Language[]).map(
    (language) => `${NAMES[language]} (${readdirSync(corpus + language).length})`,
  );
  return `**Languages.** Programs whose output and exit the tests compare with the processor's: ${programs.join(', ')}.`;
}

export const BEGIN = '<!-- support: written by `npm run support` -->';
export const END = '<!-- end of support -->';

/** The README with the part between the two comments as it should be. */
export function withSupport(readme: string): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (from < 0 || to < from) throw new Error('README.md has no place for what is supported');
  const lines = ['', ...instructionTable(), '', ...systemCalls(), '', languages(), '', ''];
  return readme.slice(0, from + BEGIN.length) + lines.join('\n') + readme.slice(to);
}
