import type { Expression, Loop, Statement } from './syntax.ts';

const cache = new WeakMap<Loop, ReadonlySet<string>>();

/** Whether a call may change a variable that is its argument at the position. */
export type Changes = (callee: string, position: number) => boolean;

/** Names of the variables that a loop changes, itself or in loops inside it. */
export function assignedIn(loop: Loop, changes: Changes): ReadonlySet<string> {
  let names = cache.get(loop);
  if (names === undefined) {
    const found = new Set<string>();
    statements([...loop.before, ...loop.body], found, changes);
    if (loop.test !== undefined) expression(loop.test, found, changes);
    if (loop.after !== undefined) expression(loop.after, found, changes);
    names = found;
    cache.set(loop, names);
  }
  return names;
}

function statements(list: readonly Statement[], names: Set<string>, changes: Changes): void {
  for (const each of list)
    switch (each.kind) {
      case 'expression':
        expression(each.value, names, changes);
        break;
      case 'declare':
        if (each.value !== undefined) expression(each.value, names, changes);
        break;
      case 'block':
        statements(each.body, names, changes);
        break;
      case 'if':
        expression(each.test, names, changes);
        statements(each.yes.body, names, changes);
        if (each.no !== undefined) statements(each.no.body, names, changes);
        break;
      case 'switch':
        expression(each.on, names, changes);
        for (const { body } of each.cases) statements(body, names, changes);
        break;
      case 'loop':
        for (const name of assignedIn(each.loop, changes)) names.add(name);
        break;
      case 'jump':
        if (each.value !== undefined) expression(each.value, names, changes);
        break;
      case 'label':
      case 'opaque':
        break;
    }
}

function expression(root: Expression, names: Set<string>, changes: Changes): void {
  const stack: Expression[] = [root];
  for (let each = stack.pop(); each !== undefined; each = stack.pop())
    switch (each.kind) {
      case 'assign':
      case 'step':
        if (each.target.kind === 'name') names.add(each.target.name);
        else if (each.target.kind === 'opaque') stack.push(each.target);
        stack.push(each.target);
        if (each.kind === 'assign') stack.push(each.value);
        break;
      case 'index':
        stack.push(each.base, ...each.subscripts);
        break;
      case 'member':
        stack.push(each.base);
        break;
      case 'deref':
      case 'unary':
      case 'cast':
        stack.push(each.of);
        break;
      case 'address':
        // Whoever has its address may change it.
        if (each.of.kind === 'name') names.add(each.of.name);
        stack.push(each.of);
        break;
      case 'binary':
        stack.push(each.left, each.right);
        break;
      case 'choose':
        stack.push(each.test, each.yes, each.no);
        break;
      case 'call':
        for (const [i, argument] of each.args.entries())
          if (argument.kind === 'name' && changes(each.callee, i)) names.add(argument.name);
        stack.push(...each.args);
        break;
      case 'aggregate':
        for (const { value } of each.parts) stack.push(value);
        break;
      case 'comma':
      case 'opaque':
        stack.push(...each.parts);
        break;
      case 'number':
      case 'name':
        break;
    }
}
