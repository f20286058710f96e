import type { Expression, SourceFunction, Statement } from './syntax.ts';

/** A function's name without the namespaces and classes that it is in. */
export const plainName = (name: string): string => name.split('::').at(-1)!;

/** Whether what a loop does after an iteration changes the variable. */
export function stepsName(after: Expression, name: string): boolean {
  if (after.kind === 'comma') return after.parts.some((each) => stepsName(each, name));
  return (
    (after.kind === 'step' || after.kind === 'assign') &&
    after.target.kind === 'name' &&
    after.target.name === name
  );
}

/** A case's statements up to the `break` that ends it. */
export function withoutBreak(body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((each): readonly Statement[] => {
    if (each.kind === 'jump' && each.to === 'break') return [];
    if (each.kind === 'block') return [{ kind: 'block', body: withoutBreak(each.body) }];
    return [each];
  });
}

const MOST_INLINED_STATEMENTS = 40;
const smallness = new WeakMap<SourceFunction, boolean>();

/** Without loops and not long. */
export function isSmall(callee: SourceFunction): boolean {
  let small = smallness.get(callee);
  if (small === undefined) {
    let count = 0;
    const visit = (list: readonly Statement[]): boolean =>
      list.every((each) => {
        if (++count > MOST_INLINED_STATEMENTS) return false;
        switch (each.kind) {
          case 'block':
            return visit(each.body);
          case 'if':
            return visit(each.yes.body) && visit(each.no?.body ?? []);
          case 'expression':
          case 'declare':
            return true;
          case 'jump':
            return each.to === 'return';
          default:
            return false;
        }
      });
    small = visit(callee.body);
    smallness.set(callee, small);
  }
  return small;
}

/** The first and last line of a statement, as far as it tells. */
export function linesOf(statement: Statement): readonly [number, number] {
  switch (statement.kind) {
    case 'loop':
      return [statement.loop.line, statement.loop.endLine];
    case 'if':
      return [statement.line, (statement.no ?? statement.yes).endLine];
    case 'switch':
      return [statement.line, statement.cases.at(-1)?.endLine ?? statement.line];
    case 'block': {
      const [first] = statement.body;
      return first === undefined ? [0, 0] : [linesOf(first)[0], linesOf(statement.body.at(-1)!)[1]];
    }
    default:
      return [statement.line, statement.line];
  }
}
