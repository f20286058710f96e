import { describe, expect, it } from 'vitest';
import { demangle } from '../host/demangle.ts';
import { FunctionNames, withoutParameters } from './names.ts';

const names = new FunctionNames(demangle);

describe('a function', () => {
  const SUM = '_ZN3geo3sumEi';
  it.each(['_ZN3geo3sumEi', 'geo::sum(int)', 'geo::sum'])('is meant by %s', (wanted) => {
    expect(names.means(wanted, SUM)).toBe(true);
  });

  it.each(['sum', 'sum(int)', 'geo::su', 'geo::sum(double)', 'geo', ''])('is not meant by "%s"', (wanted) => {
    expect(names.means(wanted, SUM)).toBe(false);
  });

  it('whose identifier the symbol does not spell out is found, too', () => {
    const pairs = [
      ['_Znwm', 'operator new'],
      ['_ZNSsC2ERKSs', 'std::string::string'],
      ['_ZN3FoocvbEv', 'Foo::operator bool'],
      ['_ZN3FooD1Ev', 'Foo::~Foo'],
      ['_ZZ4mainENKUliE_clEi', 'main::{lambda(int)#1}::operator()'],
      ['_ZN12_GLOBAL__N_14workEv', '(anonymous namespace)::work'],
      ['_Z1fIiEvT_', 'f<int>(int)'],
      ['_Z1fi.constprop.0', 'f(int)'],
      ['_Z1fi.constprop.0', 'f(int) [clone .constprop.0]'],
    ];
    for (const [symbol, wanted] of pairs)
      expect([wanted, names.means(wanted, symbol)]).toEqual([wanted, true]);
  });

  it('is not meant where its cold part is', () => {
    expect(names.means('geo::sum', '_ZN3geo3sumEi.cold')).toBe(false);
    expect(names.means('_ZN3geo3sumEi.cold', '_ZN3geo3sumEi.cold')).toBe(true);
  });

  it('of a very long name has a shorter one, which is found again and is its own', () => {
    const [one, two] = ['x', 'y'].map((middle) => 'a'.repeat(10_000) + middle + 'b'.repeat(10_000));
    const shown = names.shown(one);
    expect(shown.length).toBeLessThan(5000);
    expect(shown).not.toBe(names.shown(two));
    expect([names.means(shown, one), names.means(shown, two), names.means(one, one)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('of C is meant by its name alone', () => {
    expect(names.means('main', 'main')).toBe(true);
    expect(names.means('main', 'main2')).toBe(false);
  });
});

it.each([
  ['f', 'f'],
  ['f(int)', 'f'],
  ['f(int (*)(char))', 'f'],
  ['A::operator()(int) const', 'A::operator()'],
  ['A::f() const&', 'A::f'],
  ['f(int) [clone .part.0] [clone .cold]', 'f'],
  ['f [clone .part.0]', 'f'],
  ['<T as Trait>::f', '<T as Trait>::f'],
  ['main::{lambda(int)#1}', 'main::{lambda(int)#1}'],
  [')', ')'],
  ['', ''],
])('%s without parameters is %s', (name, bare) => {
  expect(withoutParameters(name)).toBe(bare);
});
