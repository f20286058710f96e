import type { Expression } from './syntax.ts';

/** The value of an expression of numbers and named constants; undefined where it is not one. */
export function constantOf(
  expression: Expression,
  named: (name: string) => Expression | undefined,
  depth = 0,
): number | undefined {
  if (depth > 100) return undefined;
  const of = (each: Expression): number | undefined => constantOf(each, named, depth + 1);
  switch (expression.kind) {
    case 'number':
      return Number.isNaN(expression.value) ? undefined : expression.value;
    case 'name': {
      const value = named(expression.name);
      return value === undefined ? undefined : of(value);
    }
    case 'cast':
      return of(expression.of);
    case 'unary': {
      const value = of(expression.of);
      if (value === undefined) return undefined;
      return expression.op === '-' ? -value : expression.op === '!' ? (value === 0 ? 1 : 0) : ~value;
    }
    case 'binary': {
      const left = of(expression.left);
      const right = of(expression.right);
      if (left === undefined || right === undefined) return undefined;
      switch (expression.op) {
        case '+':
          return left + right;
        case '-':
          return left - right;
        case '*':
          return left * right;
        case '/':
          if (right === 0) return undefined;
          return Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right;
        case '%':
          return right === 0 ? undefined : left % right;
        case '**':
          return left ** right;
        case '<<':
          return left * 2 ** right;
        case '>>':
          return Math.floor(left / 2 ** right);
        default:
          return undefined;
      }
    }
    case 'choose': {
      const test = of(expression.test);
      return test === undefined ? undefined : of(test !== 0 ? expression.yes : expression.no);
    }
    default:
      return undefined;
  }
}
