import { type Random, randomFrom } from './random.ts';

const OPERATORS = ['+', '-', '*', '&', '|', '^'];

function expression(random: Random, depth: number): string {
  if (depth === 0) {
    const leaves = ['a', 'b', 'i', 't->left', 't->right', 't->values[i & 7]', String(1 + random.below(999))];
    return leaves[random.below(leaves.length)];
  }
  const operator = OPERATORS[random.below(OPERATORS.length)];
  return `(${expression(random, depth - 1)} ${operator} ${expression(random, depth - 1 - random.below(depth))})`;
}

function statement(random: Random, depth: number): string {
  const inner = (): string => statement(random, depth - 1);
  switch (depth === 0 ? 0 : random.below(5)) {
    case 1:
      return `if (${expression(random, 1)} > ${expression(random, 1)}) { ${inner()} } else { ${inner()} }`;
    case 2:
      return `for (int i = 0; i < ${2 + random.below(60)}; i++) { ${inner()} ${inner()} }`;
    case 3:
      return `switch (b & 3) { case 0: ${inner()} break; case 1: ${inner()} break; default: ${inner()} }`;
    default:
      return `a = ${expression(random, 2)}; t->values[b & 7] ^= ${expression(random, 1)};`;
  }
}

/** Preprocessed C for the compiler proper: functions with loops, branches and calls of earlier functions. */
export function generatedUnit(seed: number, functions: number): string {
  const random = randomFrom(seed);
  const lines = ['struct t { long left, right; unsigned values[8]; struct t *next; };'];
  for (let n = 0; n < functions; n++) {
    const call = n === 0 ? '' : `b += f${random.below(n)}(t->next, a, b);`;
    const body = Array.from({ length: 3 }, () => statement(random, 2)).join('\n  ');
    lines.push(
      `long f${n}(struct t *t, long a, long b) {\n  int i = b & 31;\n  ${body}\n  ${call}\n  return a - b;\n}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
