import { afterAll, describe, expect, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { measureFast } from './fast.ts';

/** Libraries that come and go: none takes the calls of one that was at its place before. */
describe.skipIf(isMissing('gcc'))('libraries that are unloaded', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const library = (name: string, times: number) =>
    workshop.compile(`int ${name}(int n) { for (int i = 0; i < ${times}; i++) n = n * 3 + 1; return n; }`, [
      '-O1',
      '-shared',
      '-fPIC',
    ]);

  it('each has its own functions, however often they take turns', () => {
    const [one, other] = [library('afun', 100), library('bfun', 200)];
    const program = workshop.compile(
      `#include <dlfcn.h>
      static int use(const char *path, const char *name) {
        void *library = dlopen(path, RTLD_NOW);
        int (*f)(int) = dlsym(library, name);
        int result = f(1);
        dlclose(library);
        return result;
      }
      int main(void) {
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += use("${one}", "afun") + use("${other}", "bfun");
        return sum == 0;
      }`,
      ['-O1'],
    );
    for (const functions of [[], ['afun'], ['bfun', 'afun']]) {
      const measured = measureFast(program, [], { depth: 3, functions, chains: [] });
      const found = measured.functions.map(({ entry, calls, instructions }) => ({
        name: measured.nameOf(entry),
        calls,
        instructions,
      }));
      const [a, b] = ['afun', 'bfun'].map((wanted) => found.filter(({ name }) => name === wanted));
      expect(a).toMatchObject([{ calls: 3 }]);
      expect(b).toMatchObject([{ calls: 3 }]);
      // The loops differ by their iterations alone, which have as many instructions in both.
      expect((b[0].instructions - a[0].instructions) % 300).toBe(0);
      expect(b[0].instructions).toBeGreaterThan(a[0].instructions);
    }
  });
});
