/** Random instructions of every form here and on the host's processor: `npm run differential`, see CONTRIBUTING.md. */
import { parseArgs } from 'node:util';
import { groupOf } from '../test/x86/differential/groups.ts';
import { type Divergence, differential } from '../test/x86/differential/run.ts';
import { differentialSequences } from '../test/x86/differential/sequences.ts';
import type { Form } from '../test/x86/native/forms.ts';

const USAGE = `npm run differential -- [options]

  Runs random cases of every instruction form that the decoder knows on this machine's processor, in the interpreter and in
  regions, and compares registers, flags, vectors, x87 state, MXCSR, memory and signals.

  --cases N      cases in all, shared evenly by the forms (default: 30000)
  --seed S       another draw (default: 1)
  --forms REGEX  only forms whose name matches, as in Add_rm32_r32
  --index I      only the I-th encoding of each form, as a divergence names it
  --sequences    instead of single instructions, sequences of two to six; --index I for the I-th alone
  --unsupported  list the forms that are not executed, by instruction set
`;

function main(): number {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '30000' },
      seed: { type: 'string', default: '1' },
      forms: { type: 'string' },
      index: { type: 'string' },
      sequences: { type: 'boolean', default: false },
      unsupported: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { cases, seed, forms, index } = values;
  const out = (line: string) => process.stdout.write(`${line}\n`);
  if (values.sequences) {
    const found = differentialSequences(
      Number(cases),
      Number(seed),
      index === undefined ? undefined : Number(index),
    );
    out(`${found.cases} sequences`);
    for (const { tier, text, index: at } of found.divergences.slice(0, 20)) {
      out(`${tier}: ${text}`);
      out(`  npm run differential -- --sequences --seed ${seed} --index ${at}`);
    }
    out(`${found.divergences.length} divergences (seed ${seed})`);
    return found.divergences.length === 0 ? 0 : 1;
  }
  const report = differential({
    cases: Number(cases),
    seed: Number(seed),
    ...(forms !== undefined && { forms: new RegExp(forms) }),
    ...(index !== undefined && { index: Number(index) }),
    progress: (done) => process.stderr.write(`${done} cases\n`),
  });
  for (const [name, group] of report.groups) out(`${name}: ${group.cases} cases of ${group.forms} forms`);
  if (values.unsupported) listUnsupported(report.unsupported, out);
  out(`${report.unsupported.length} forms are not supported, ${report.incomparable.length} not comparable`);
  if (report.missing.length > 0) out(`without a case: ${report.missing.map(({ name }) => name).join(' ')}`);
  tell(report.divergences, seed, out);
  return report.divergences.length + report.missing.length === 0 ? 0 : 1;
}

function listUnsupported(forms: readonly Form[], out: (line: string) => void): void {
  const groups = new Map<string, string[]>();
  for (const form of forms) groups.set(groupOf(form), [...(groups.get(groupOf(form)) ?? []), form.name]);
  for (const [name, names] of groups) out(`not supported, ${name}: ${names.join(' ')}`);
}

function tell(divergences: readonly Divergence[], seed: string, out: (line: string) => void): void {
  const first = new Map<string, Divergence>();
  for (const each of divergences) if (!first.has(each.form)) first.set(each.form, each);
  for (const { form, index, tier, text } of first.values()) {
    out(`${tier}: ${text}`);
    out(`  npm run differential -- --seed ${seed} --forms '^${form}$' --index ${index}`);
  }
  out(`${divergences.length} divergences in ${first.size} forms (seed ${seed})`);
}

process.exitCode = main();
