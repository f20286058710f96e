import { describe, expect, it } from 'vitest';
import { haveTools, linesOf } from '../elf/fixtures/tools.ts';
import { parseImage } from '../elf/parse.ts';
import { readDebugFile } from './debug-files.ts';
import { demangle } from './demangle.ts';

describe('a mangled name', () => {
  it.each([
    ['_ZN3geo3sumEi', 'geo::sum(int)'],
    ['_ZN3FooC1Ei', 'Foo::Foo(int)'],
    ['_ZZ4mainENKUliE_clEi', 'main::{lambda(int)#1}::operator()(int) const'],
    ['_Z3fooi.constprop.0', 'foo(int) [clone .constprop.0]'],
    ['_ZN12_GLOBAL__N_14workEv', '(anonymous namespace)::work()'],
    ['_ZN4prog7compute17h0123456789abcdefE', 'prog::compute'],
    ['_RNvC6_123foo3bar', '123foo::bar'],
    ['_RNCNvCs4fqI2P2rA04_4prog4main0B3_', 'prog::main::{closure#0}'],
  ])('%s is %s', (symbol, name) => {
    expect(demangle(symbol)).toBe(name);
  });

  it('that cannot be read stays as it is', () => {
    for (const name of ['_Z', '_ZN', '_R', '_RNv', '_Runtime', `_Z1f${'P'.repeat(40_000)}i`, '_Z\u{1f600}'])
      expect(demangle(name)).toBe(name);
  });

  it('of a thousand bytes that stands for a gigabyte stays as it is, soon and again and again', () => {
    const start = performance.now();
    for (let times = 0; times < 40; times++) {
      let name = `_Z1f4pairIiiE`;
      for (let i = 0; i < 26; i++) {
        const at = i.toString(36).toUpperCase();
        name += `S_IS${at}_S${at}_E`;
      }
      const hostile = name + times;
      expect(demangle(hostile)).toBe(hostile);
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

const LIBRARY = '/usr/lib/x86_64-linux-gnu/libstdc++.so.6';

describe.skipIf(!haveTools('c++filt'))('the functions of libstdc++', () => {
  it('are named as binutils names them, but for return types and typedefs of std', () => {
    const bytes = readDebugFile(LIBRARY);
    if (bytes === undefined) return expect(haveTools('g++')).toBe(false);
    const symbols = parseImage(LIBRARY, bytes).functions.flatMap(({ name }) =>
      name?.startsWith('_Z') ? [name] : [],
    );
    expect(symbols.length).toBeGreaterThan(3000);
    const theirs = linesOf('c++filt', [], `${symbols.join('\n')}\n`);
    const plain = (name: string): string =>
      name
        .replace(
          /std::(?:__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> >/g,
          'std::string',
        )
        .replace(/std::basic_(istream|ostream|iostream)<char, std::char_traits<char> >/g, 'std::$1');
    const same = symbols.filter((symbol, i) => {
      const [ours, expected] = [plain(demangle(symbol)), plain(theirs[i])];
      return ours === expected || expected.endsWith(` ${ours}`);
    });
    // The rest are thunks, which the two describe in other words, and conversions to types of std.
    expect(same.length / symbols.length).toBeGreaterThan(0.9);
  });
});
