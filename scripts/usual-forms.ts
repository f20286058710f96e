// Finds the forms of instructions that programs have in common, for scripts/usual-forms.txt, from which the build makes
// handlers (src/translate/interpreter/prepare.ts).
//
//   npm run usual-forms -- FILE      FILE: a command a line, run by the shell's rules for words but no others
import { readFileSync } from 'node:fs';
import { DEFAULT_ISA } from '../src/config/config.ts';
import { hostMeasuring } from '../src/host/measuring.ts';
import { measureWith } from '../src/pipeline/measure.ts';
import { Handlers } from '../src/translate/interpreter/handlers.ts';
import { CodeReader, type Instruction } from '../src/x86/decode.ts';
import type { CodeInfo } from '../src/x86/lift/form.ts';
import { formsOf } from './prepare-handlers.ts';

/** A form that fewer of the programs have is left to them. */
const LEAST_PROGRAMS = 3;

const programsOf = new Map<string, Set<string>>();
let running = '';

/** The one that decoded last. */
let reader: CodeReader | undefined;

const { decode } = CodeReader.prototype;
CodeReader.prototype.decode = function (address: number) {
  reader = this;
  return decode.call(this, address);
};

const { formOf } = Handlers.prototype;
Handlers.prototype.formOf = function (instruction: Instruction, info: CodeInfo, top: number) {
  const form = formOf.call(this, instruction, info, top);
  if (form.kind === 'handled' && !info.fpu && this.reader.keyOf(instruction, info, top) >= 0) {
    const bytes = reader!.bytes(Number(instruction.ip), instruction.length);
    const text = Buffer.from(bytes).toString('hex');
    const programs = programsOf.get(text) ?? new Set();
    programsOf.set(text, programs.add(running));
  }
  return form;
};

for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  if (line === '') continue;
  running = line;
  const [program, ...args] = line.split(' ');
  const measure = measureWith(hostMeasuring('0'));
  await measure(
    {
      program,
      args,
      workingDirectory: process.cwd(),
      env: {},
      stdin: { kind: 'empty' },
      isa: DEFAULT_ISA,
      depth: 1,
      listsCalls: false,
      functions: [],
      chains: [],
      writes: 'discard',
      sourceRoot: process.cwd(),
    },
    { stdout: () => {}, stderr: () => {} },
  );
  console.error(`${line}: ${programsOf.size} encodings so far`);
}

// Several encodings are of one form: the first by bytes stands for it.
const encodings = [...programsOf.keys()].sort();
const programs = new Map<number, { readonly text: string; readonly by: Set<string> }>();
for (const [i, number] of formsOf(encodings).entries()) {
  const known = programs.get(number) ?? { text: encodings[i], by: new Set() };
  for (const name of programsOf.get(encodings[i])!) known.by.add(name);
  programs.set(number, known);
}
for (const { text, by } of programs.values()) if (by.size >= LEAST_PROGRAMS) console.log(text);
