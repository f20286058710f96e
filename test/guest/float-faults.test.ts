import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants as os, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { oracleMissing } from './builds.ts';
import { emulate } from './emulate.ts';

/** A program that unmasks exceptions and then raises one. */
const BODIES: Readonly<Record<string, string>> = {
  'SSE divides by zero': 'feenableexcept(FE_DIVBYZERO); volatile double r = one / zero;',
  'SSE divides zero by zero': 'feenableexcept(FE_INVALID); volatile double r = zero / zero;',
  'SSE overflows in single precision': 'feenableexcept(FE_OVERFLOW); volatile float r = (float)large;',
  'SSE is inexact': 'feenableexcept(FE_INEXACT); volatile double r = one / three;',
  'SSE compares with a NaN':
    'volatile double nan = __builtin_nan(""); feenableexcept(FE_INVALID); volatile int r = nan < one;',
  'SSE raises what is masked':
    'feenableexcept(FE_DIVBYZERO); volatile double r = one / three + large * large;',
  'SSE raises what was masked again':
    'feenableexcept(FE_DIVBYZERO); fedisableexcept(FE_DIVBYZERO); volatile double r = one / zero;',
  'x87 divides by zero':
    'feenableexcept(FE_DIVBYZERO); volatile long double r = 1 / lzero; volatile long double s = r + 1;',
  'x87 is inexact, and nothing waits for it until fwait':
    'feenableexcept(FE_INEXACT); __asm__ volatile("fld1; fldpi; fdivrp; fwait");',
  'x87 has an exception that was raised before it was unmasked':
    'volatile long double r = 1 / lzero; feenableexcept(FE_DIVBYZERO); r = r + 1;',
  'a handler is told the reason, each time':
    'struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER }; sigaction(SIGFPE, &action, 0);' +
    'volatile double r; volatile long double l; feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);' +
    'if (sigsetjmp(back, 1) == 0) r = one / zero; if (sigsetjmp(back, 1) == 0) r = zero / zero;' +
    'if (sigsetjmp(back, 1) == 0) r = large * large; if (sigsetjmp(back, 1) == 0) { l = 1 / lzero; l = l + 1; }' +
    'return codes % 251;',
  'an exception is raised by hand': 'feenableexcept(FE_INVALID); feraiseexcept(FE_INVALID);',
};

const source = (body: string) => `#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static volatile unsigned codes;
static void handler(int number, siginfo_t *info, void *context) {
  codes = codes * 16 + info->si_code;
  siglongjmp(back, 1);
}
static volatile double zero = 0, one = 1, three = 3, large = 1e300;
static volatile long double lzero = 0;
int main(void) {
  ${body}
  return 7;
}
`;

describe.skipIf(oracleMissing('gcc'))(
  'a program that unmasks floating-point exceptions ends as on the processor',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ilp-gate-faults-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    it.each(Object.entries(BODIES))('where %s', async (name, body) => {
      const program = join(folder, name.replaceAll(/\W+/g, '-'));
      writeFileSync(`${program}.c`, source(body));
      execFileSync('gcc', ['-O1', '-static', '-w', '-o', program, `${program}.c`, '-lm']);
      const { status, signal } = spawnSync(program);
      const native = signal === null ? `exit ${status}` : `signal ${os.signals[signal]}`;
      const { exit } = await emulate({ program, args: [], env: {}, directory: folder });
      expect(exit).toBe(native);
    });
  },
);
