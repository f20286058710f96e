import { afterAll, beforeAll, expect, test } from 'vitest';
import { printCount as count } from '../../src/report/numbers.ts';
import { toolchainMissing } from '../summation/program.ts';
import { Product, serialised, WorkingCopy } from './example.ts';

// What no instruction count can see, from the source to the report: Sum2 with a longer chain and the same instructions.
const withToolchain = test.skipIf(toolchainMissing());

let product: Product;
let copy: WorkingCopy;
beforeAll(() => {
  product = new Product();
  copy = new WorkingCopy();
});
afterAll(() => {
  product?.remove();
  copy?.remove();
});

withToolchain(
  'a chain twice as long in as many instructions blocks, and the report names the line',
  ({ skip }) => {
    expect(product.run(copy.directory, 'update')).toMatchObject({ status: 0 });
    copy.commit('Baselines');
    expect(product.run(copy.directory, 'check')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Unchanged: both targets are the same binary with the same numbers\.\n/),
    });

    const { text, line } = serialised(copy.read('sum2.c'));
    copy.write('sum2.c', text);
    const { status, stdout } = product.run(copy.directory, 'check', '--format', 'json');
    const report = JSON.parse(stdout);
    expect({ status, outcome: report.outcome, outcomes: outcomesOf(report) }).toEqual({
      status: 1,
      outcome: 'regression',
      outcomes: { Sum: 'passed', Sum2: 'regression' },
    });
    const { base, head } = functionOf(report, 'Sum2');
    // Another compiler may need another register copy for it; then there is nothing to see here.
    if (process.env.REQUIRE_ORACLES !== '1')
      skip(head.instructions !== base.instructions, 'this gcc makes another number of instructions of it');
    expect(head.instructions).toBe(base.instructions);
    expect(head.cycles - base.cycles).toBeGreaterThan(990);
    expect(head.cycles - base.cycles).toBeLessThan(1010);

    const markdown = product.run(copy.directory, 'check', '--format', 'markdown');
    expect(markdown.status).toBe(1);
    const [verdict = ''] = markdown.stdout.split('\n');
    expect(verdict).toMatch(
      /^### ❌ Regression in `Sum2`: cycles of the whole run \+\d\d\.\d% \([\d,]+ → [\d,]+\)/,
    );
    expect(rowOf(markdown.stdout, '`Sum2` | `Sum2`')).toEqual([
      count(base.instructions),
      expect.stringMatching(
        new RegExp(`^${count(base.cycles)} → ${count(head.cycles)} \\*\\*\\+9\\d\\.\\d%\\*\\* ❌$`),
      ),
      expect.stringMatching(/^[\d.]+ → [\d.]+ -\d\d\.\d%$/),
    ]);
    expect(markdown.stdout).toContain(
      `**Why \`Sum2\`:** the longest dependence chain of \`Sum2\` grew from ${count(base.cycles)} to ${count(head.cycles)} links. \`sum2.c:${line}\` in \`Sum2\` has `,
    );
    expect(markdown.stdout).toContain(`| **\`sum2.c:${line}\`** in \`Sum2\` |`);

    // Nothing but the edit is left behind in the repository.
    expect(copy.changes()).toBe(' M sum2.c\n');
  },
);

function outcomesOf(report: { targets: { target: string; outcome: string }[] }): Record<string, string> {
  return Object.fromEntries(report.targets.map(({ target, outcome }) => [target, outcome]));
}

interface Counts {
  readonly instructions: number;
  readonly cycles: number;
}

interface FunctionRow {
  readonly name: string;
  readonly base: Counts;
  readonly head: Counts;
}

function functionOf(
  report: { targets: { target: string; functions: FunctionRow[] }[] },
  name: string,
): FunctionRow {
  const target = report.targets.find((each) => each.target === name);
  return target!.functions.find((each) => each.name === name)!;
}

/** The cells after the given ones. */
function rowOf(markdown: string, start: string): string[] {
  const row = markdown.split('\n').find((each) => each.startsWith(`| ${start} | `));
  return row === undefined ? [] : row.slice(start.length + 5, -2).split(' | ');
}
