import { describe, expect, it } from 'vitest';
import { haveTools, linesOf, parseFile, programCompiler } from './fixtures/tools.ts';
import type { Image, Segment } from './image.ts';
import { stubRanges } from './plt.ts';
import { functionIndex } from './symbols.ts';

const compile = programCompiler();

/** Every shape of program that we run, as binutils sees it. */
const SHAPES: readonly (readonly [string, string, readonly string[]])[] = [
  ['gcc', 'dynamic PIE', ['-O2', '-pie', '-fPIE']],
  ['gcc', 'dynamic at a fixed address', ['-O0', '-no-pie']],
  ['gcc', 'static', ['-O2', '-static']],
  ['gcc', 'static PIE', ['-O2', '-static-pie']],
  ['gcc', 'stripped', ['-O2', '-s']],
  ['gcc', 'non-lazy with branch tracking', ['-O2', '-fcf-protection', '-Wl,-z,ibtplt', '-Wl,-z,now']],
  ['clang', 'dynamic PIE', ['-O2', '-pie', '-fPIE']],
  ['clang', 'static', ['-O0', '-static']],
  ['musl-gcc', 'dynamic', ['-O2']],
  ['musl-gcc', 'static', ['-O2', '-static']],
];

describe.each(SHAPES)('%s, %s', (compiler, _, flags) => {
  const isAvailable = haveTools(compiler, 'readelf', 'objdump');
  it.skipIf(!isAvailable)('agrees with readelf and objdump', () => {
    const path = compile(compiler, flags);
    const image = parseFile(path);
    expect(image.segments.map(describeSegment)).toEqual(readelfSegments(path));
    // Without symbols, start-up code still says where main is.
    const found = typedFunctions(image, path).filter(
      (key) => !flags.includes('-s') || !key.endsWith(' main'),
    );
    expect(found).toEqual(readelfFunctions(path));
    expect(image.buildId).toBe(readelfValue(path, '-n', /Build ID: ([0-9a-f]+)/));
    expect(image.interpreter).toBe(readelfValue(path, '-l', /interpreter: ([^\]]+)\]/));
    const needed = linesOf('readelf', ['-dW', path]).flatMap(
      (line) => /\(NEEDED\).*\[(.+)\]/.exec(line)?.[1] ?? [],
    );
    expect(image.needed).toEqual(needed);
    expect(hexOf(image.entry)).toBe(readelfValue(path, '-h', /Entry point address: +(0x[0-9a-f]+)/));
    expect(image.compilers.some((text) => text.includes('GCC') || text.includes('clang'))).toBe(true);
    const isInPlt = stubRanges(image);
    for (const { address, isStub } of objdumpFunctions(path)) expect(isInPlt(address)).toBe(isStub);
  });
});

describe('without section headers', () => {
  it.skipIf(!haveTools('gcc', 'readelf'))(
    'functions come from the dynamic symbols, whichever hash table covers them',
    () => {
      for (const style of ['gnu', 'sysv']) {
        const path = compile('gcc', ['-O2', '-shared', '-fPIC', `-Wl,--hash-style=${style}`]);
        const whole = parseFile(path);
        const bytes = whole.bytes.slice();
        bytes.fill(0, 0x28, 0x30);
        bytes.fill(0, 0x3a, 0x40);
        const dynamic = linesOf('readelf', ['--dyn-syms', '-W', path]).flatMap(functionOfLine);
        expect(dynamic.length).toBeGreaterThan(3);
        const image = parseFile(path, bytes);
        const named = image.functions.filter(({ name }) => name !== undefined);
        expect(named.map(keyOf).sort()).toEqual(dynamic.sort());
        expect(image.buildId).toBe(whole.buildId);
        expect(functionIndex(image).named('main')[0]).toMatchObject({ name: 'main' });
      }
    },
  );
});

it.skipIf(!haveTools('gcc'))('a local function carries the name of its source file', () => {
  const image = parseFile(compile('gcc', ['-O0']));
  expect(
    functionIndex(image)
      .named('helper')
      .map((f) => f.file)
      .sort(),
  ).toEqual(['program.c', 'table.c']);
});

const hexOf = (value: number) => `0x${value.toString(16)}`;

function describeSegment(s: Segment): string {
  const flags = [s.readable ? 'R' : '', s.writable ? 'W' : '', s.executable ? 'E' : ''].join('');
  return [s.offset, s.address, s.fileSize, s.memorySize].map(hexOf).concat(flags).join(' ');
}

function readelfSegments(path: string): readonly string[] {
  const pattern = /^ +LOAD +(\w+) (\w+) \w+ (\w+) (\w+) ([RWE ]{3})/;
  return linesOf('readelf', ['-lW', path]).flatMap((line) => {
    const match = pattern.exec(line);
    if (match === null) return [];
    const numbers = match.slice(1, 5).map((text) => hexOf(Number(text)));
    return [[...numbers, match[5]!.replaceAll(' ', '')].join(' ')];
  });
}

const keyOf = (f: { name?: string; address: number; size: number }) => `${f.address} ${f.size} ${f.name}`;

/** A line of `readelf -sW`: number, value, size (hexadecimal when large), type, binding, visibility, section, name. */
function functionOfLine(line: string): readonly string[] {
  const match = /^ +\d+: (\w+) +(\w+) (FUNC|IFUNC) +\w+ +\w+ +(\w+) (\S+)/.exec(line);
  if (match === null || match[4] === 'UND' || match[4] === 'ABS') return [];
  const name = match[5]!.replace(/(.)@.*/, '$1');
  return [keyOf({ name, address: Number(`0x${match[1]}`), size: Number(match[2]) })];
}

function readelfFunctions(path: string): readonly string[] {
  return [...new Set(linesOf('readelf', ['-sW', path]).flatMap(functionOfLine))].sort();
}

/** Our functions without the untyped labels, which readelf calls NOTYPE. */
function typedFunctions(image: Image, path: string): readonly string[] {
  const labels = new Set(
    linesOf('readelf', ['-sW', path]).flatMap(
      (line) => /NOTYPE +GLOBAL +\w+ +\d+ (\S+)/.exec(line)?.[1] ?? [],
    ),
  );
  return image.functions
    .filter(({ name }) => name !== undefined && !labels.has(name))
    .map(keyOf)
    .sort();
}

function readelfValue(path: string, option: string, pattern: RegExp): string | undefined {
  return pattern.exec(linesOf('readelf', [option, '-W', path]).join('\n'))?.[1];
}

/** The functions that objdump finds in the disassembly; those named "...@plt" are stubs. */
function objdumpFunctions(path: string): readonly { address: number; isStub: boolean }[] {
  return linesOf('objdump', ['-d', '--no-show-raw-insn', path]).flatMap((line) => {
    const match = /^([0-9a-f]{16}) <(.+)>:$/.exec(line);
    // objdump names the common first stub after the second one or after the section.
    return match === null
      ? []
      : [{ address: Number(`0x${match[1]}`), isStub: /@plt(-0x10)?$|^\.plt/.test(match[2]!) }];
  });
}
