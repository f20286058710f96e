// iced-x86 as a bundler can take it apart: its package is one CommonJS file, of which every start would run all.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * An esbuild plugin. The package's file becomes a module in which only what the sources mention is left, with its tables of
 * numbers as enums, whose uses esbuild replaces by the numbers. Its WebAssembly is compiled when it is first called, and the names of
 * instructions are one string: a program that was measured before needs neither.
 */
export function iced(sources) {
  return {
    name: 'iced',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]iced-x86[/\\]iced_x86\.js$/ }, ({ path }) => ({
        contents: moduleOf(readFileSync(path, 'utf8'), require(path), wordsOf(sources)),
        loader: 'ts',
      }));
      onLoad({ filter: /[/\\]x86[/\\]iced-names\.ts$/ }, () => ({
        contents: namesOf(require('iced-x86')),
        loader: 'ts',
      }));
    },
  };
}

function wordsOf(sources) {
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return new Set(files.flatMap((name) => readFileSync(join(sources, name), 'utf8').match(/\w+/g) ?? []));
}

/** In place of src/x86/iced-names.ts. */
function namesOf({ Mnemonic, CpuidFeature }) {
  const namesByNumber = (numbers) => Object.values(numbers).filter((value) => typeof value === 'string');
  const text = (numbers) => JSON.stringify(namesByNumber(numbers).join(' '));
  return `
    const finder = (text: string) => {
      let names: string[] | undefined;
      return (): string[] => (names ??= text.split(' '));
    };
    const mnemonics = finder(${text(Mnemonic)});
    const features = finder(${text(CpuidFeature)});
    export const mnemonicName = (number: number): string => mnemonics()[number].toLowerCase();
    export const featureName = (number: number): string => features()[number];
    let numbers: Map<string, number> | undefined;
    export const mnemonicCalled = (name: string): number | undefined =>
      (numbers ??= new Map(mnemonics().map((each, number) => [each, number]))).get(name);
  `;
}

function moduleOf(text, exported, mentioned) {
  const contents = text
    .replace(
      "imports['__wbindgen_placeholder__'] = module.exports;",
      "const glue = {};\nimports['__wbindgen_placeholder__'] = glue;",
    )
    .replace(/^module\.exports\.(\w+) = Object\.freeze\(\{[\s\S]*?\}\);$/gm, (_, name) =>
      enumOf(name, exported[name]),
    )
    .replace(/^module\.exports\.([A-Z]\w*) = \1;$/gm, 'export { $1 };')
    .replace(/^module\.exports\.(__wb\w+) = function/gm, 'glue.$1 = function')
    .replace(/^module\.exports\.(\w+) = function/gm, 'export const $1 = function')
    .replace(
      /^const bytes = (.*);\n\nconst wasmModule = (.*);\nconst wasmInstance = (.*);\nwasm = wasmInstance\.exports;\nmodule\.exports\.__wasm = wasm;$/m,
      `const called = () => {
        if (wasm === undefined) {
          const bytes = $1;
          const wasmModule = $2;
          wasm = $3.exports;
        }
        return wasm;
      };`,
    )
    .replace(/\bwasm\.(?=\w)/g, 'called().')
    // What the package itself calls begins with __wb or __.
    .replace(/^ {4}(?:(?:static|get|set) )?(\w+)\(.*\) \{\n[\s\S]*?^ {4}\}\n/gm, (member, name) =>
      name.startsWith('__') || mentioned.has(name) ? member : '',
    );
  if (contents.includes('module.exports') || !contents.includes('const called ='))
    throw new Error('the package iced-x86 is written in another way now');
  return contents;
}

/** Its tables of numbers as a module. */
export function icedNumbers() {
  return Object.entries(require('iced-x86'))
    .filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'object')
    .map(([name, numbers]) => enumOf(name, numbers))
    .join('\n');
}

function enumOf(name, numbers) {
  const members = Object.entries(numbers).filter(([key]) => !/^\d/.test(key));
  return `export enum ${name} {\n${members.map(([key, number]) => `  ${key} = ${number},`).join('\n')}\n}`;
}
