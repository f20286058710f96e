import type { Branch, Expression, Loop, Statement } from './syntax.ts';

/**
 * Makes loops of jumps back and branches of jumps ahead, so that nobody else has to know labels. What remains goes somewhere
 * that no loop or branch can say, and is left as `elsewhere`.
 */
export function withoutLabels(list: readonly Statement[]): readonly Statement[] {
  return hasLabels(list) ? structured(list, NOWHERE, 0) : list;
}

const NOWHERE: ReadonlySet<string> = new Set();
/** Labels inside each other; deeper ones stay jumps, since what reads them is recursive. */
const DEEPEST = 60;
/** Statements of a list with labels; each label looks through those behind it. */
const MOST_STATEMENTS = 4000;

function hasLabels(list: readonly Statement[]): boolean {
  return list.some((each) => each.kind === 'label' || insideOf(each).some(hasLabels));
}

/** `behind` are labels that a jump reaches by leaving the loop around it. */
function structured(
  list: readonly Statement[],
  behind: ReadonlySet<string>,
  depth: number,
): readonly Statement[] {
  if (depth > DEEPEST || list.length > MOST_STATEMENTS) return list.filter(({ kind }) => kind !== 'label');
  const result: Statement[] = [];
  for (let i = 0; i < list.length; i++) {
    const each = list[i];
    if (each.kind === 'label') {
      const last = list.findLastIndex((other, at) => at > i && jumpsTo(other, each.name));
      if (last < 0) continue;
      result.push(loopOf(each, list.slice(i + 1, last + 1), reachedBy(behind, list, last), depth));
      i = last;
      continue;
    }
    const ahead = each.kind === 'if' ? branchAhead(each, list, i) : skipAhead(each, list, i);
    if (ahead !== undefined) {
      result.push(...structured(ahead.statements, reachedBy(behind, list, ahead.last), depth + 1));
      i = ahead.last;
      continue;
    }
    if (each.kind === 'jump' && each.label !== undefined && behind.has(each.label))
      result.push({ ...each, to: 'break' });
    else
      result.push(
        withInside(each, (inner, isLoop) =>
          structured(inner, isLoop ? reachedBy(behind, list, i) : behind, depth + 1),
        ),
      );
  }
  return result;
}

const reachedBy = (
  behind: ReadonlySet<string>,
  list: readonly Statement[],
  last: number,
): ReadonlySet<string> => new Set([...behind, ...labelsOf(list.slice(last + 1))]);

/** What a label and the last jump back to it enclose. */
function loopOf(
  label: Extract<Statement, { kind: 'label' }>,
  body: readonly Statement[],
  after: ReadonlySet<string>,
  depth: number,
): Statement {
  const last = body.at(-1)!;
  const endLine = last.kind === 'if' ? last.yes.endLine : (startOf(last) ?? label.line);
  const make = (form: Loop['form'], test: Expression | undefined, list: readonly Statement[]): Statement => ({
    kind: 'loop',
    loop: {
      line: label.line,
      endLine,
      form,
      before: [],
      test,
      body: structured(goingOn(list, label.name), after, depth + 1),
      after: undefined,
      trips: undefined,
    },
  });
  const isBack = (each: Statement | undefined): boolean =>
    each?.kind === 'jump' && each.to === 'elsewhere' && each.label === label.name;
  if (isBack(last)) return make('while', undefined, body.slice(0, -1));
  if (last.kind === 'if' && last.no === undefined) {
    const way = unwrapped(last.yes.body);
    if (way.length === 1 && isBack(way[0])) return make('do', last.test, body.slice(0, -1));
  }
  return make('while', undefined, [...body, { kind: 'jump', to: 'break', value: undefined, line: endLine }]);
}

/** Jumps to the label go on with the next iteration. */
function goingOn(list: readonly Statement[], label: string): readonly Statement[] {
  return list.map((each) => {
    if (each.kind === 'jump' && each.to === 'elsewhere' && each.label === label)
      return { ...each, to: 'continue' as const };
    return withInside(each, (inner, isLoop) => (isLoop ? inner : goingOn(inner, label)));
  });
}

interface Ahead {
  readonly statements: readonly Statement[];
  /** The last statement of the list that is in them. */
  readonly last: number;
}

/** `if (c) { a; goto l; } b; l:` is `if (c) a; else b; l:`. */
function branchAhead(
  each: Extract<Statement, { kind: 'if' }>,
  list: readonly Statement[],
  i: number,
): Ahead | undefined {
  const body = unwrapped(each.yes.body);
  const to = targetOf(body.at(-1), list, i);
  if (to < 0) return undefined;
  const between = list.slice(i + 1, to);
  // Other jumps to the label end this branch as well.
  const rest = [...(each.no?.body ?? []), ...between, list[to]];
  const line = each.no?.line ?? startOf(between[0]) ?? each.line;
  const endLine = Math.max(line, each.no?.endLine ?? line, startOf(list[to]) ?? line);
  return {
    statements: [
      {
        ...each,
        yes: { ...each.yes, body: body.slice(0, -1) },
        no: rest.length === 1 ? undefined : { body: rest, line, endLine },
      },
    ],
    last: to - 1,
  };
}

/** What is between a jump and its label behind it is not reached, if no other jump comes there. */
function skipAhead(each: Statement, list: readonly Statement[], i: number): Ahead | undefined {
  const to = targetOf(each, list, i);
  if (to < 0 || list.slice(i + 1, to).some(({ kind }) => kind === 'label')) return undefined;
  return { statements: [], last: to - 1 };
}

/** Where in the list, behind `i`, a jump goes to; -1 for what is no such jump. */
function targetOf(jump: Statement | undefined, list: readonly Statement[], i: number): number {
  if (jump?.kind !== 'jump' || jump.to !== 'elsewhere' || jump.label === undefined) return -1;
  return list.findIndex((each, at) => at > i && each.kind === 'label' && each.name === jump.label);
}

const unwrapped = (body: readonly Statement[]): readonly Statement[] =>
  body.length === 1 && body[0].kind === 'block' ? body[0].body : body;

const startOf = (statement: Statement | undefined): number | undefined =>
  statement === undefined || statement.kind === 'block'
    ? undefined
    : statement.kind === 'loop'
      ? statement.loop.line
      : statement.line;

const labelsOf = (list: readonly Statement[]): readonly string[] =>
  list.flatMap((each) => (each.kind === 'label' ? [each.name] : []));

function jumpsTo(statement: Statement, label: string): boolean {
  if (statement.kind === 'jump') return statement.to === 'elsewhere' && statement.label === label;
  return insideOf(statement).some((list) => list.some((each) => jumpsTo(each, label)));
}

function insideOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case 'block':
      return [statement.body];
    case 'if':
      return [statement.yes.body, statement.no?.body ?? []];
    case 'switch':
      return statement.cases.map(({ body }) => body);
    case 'loop':
      return [statement.loop.body];
    default:
      return [];
  }
}

/** The statement with the lists in it changed. */
function withInside(
  statement: Statement,
  change: (list: readonly Statement[], isLoop: boolean) => readonly Statement[],
): Statement {
  const branch = (each: Branch): Branch => ({ ...each, body: change(each.body, false) });
  switch (statement.kind) {
    case 'block':
      return { ...statement, body: change(statement.body, false) };
    case 'if':
      return {
        ...statement,
        yes: branch(statement.yes),
        no: statement.no === undefined ? undefined : branch(statement.no),
      };
    case 'switch':
      return { ...statement, cases: statement.cases.map(branch) };
    case 'loop':
      return { ...statement, loop: { ...statement.loop, body: change(statement.loop.body, true) } };
    default:
      return statement;
  }
}
