import type { CallProfile, Profile } from '../profile/profile.ts';
import { diffBounds } from './bounds.ts';
import { diffChains } from './chains.ts';
import type { CalleeList, Diff } from './diff.ts';
import { diffEnvironment, sameBinary } from './environment.ts';
import { diffFunctions } from './functions.ts';

export function diffProfiles(base: Profile, head: Profile): Diff {
  const functions = diffFunctions(base, head);
  const renamed = new Map(
    functions.flatMap((each) => (each.kind === 'renamed' ? [[each.base.name, each.head.name] as const] : [])),
  );
  const sameTotals =
    base.total.instructions === head.total.instructions && base.total.cycles === head.total.cycles;
  const sameCommand = JSON.stringify(base.command) === JSON.stringify(head.command);
  const bounds = diffBounds(base, head, renamed);
  return {
    ...(head.target === undefined ? {} : { target: head.target }),
    binary: sameBinary(base.environment, head.environment) ? 'same' : 'different',
    counts: sameTotals && functions.every((each) => each.kind === 'unchanged') ? 'same' : 'different',
    environment: diffEnvironment(base.environment, head.environment),
    ...(sameCommand ? {} : { command: { base: base.command, head: head.command } }),
    total: { base: base.total, head: head.total },
    functions,
    chains: diffChains(base.chains, head.chains, renamed),
    callees: calleesOf(head.calls),
    ...(bounds === undefined ? {} : { bounds }),
  };
}

function calleesOf(roots: readonly CallProfile[]): CalleeList[] {
  const callees = new Map<string, Set<string>>();
  const pending = [...roots];
  for (let call = pending.pop(); call !== undefined; call = pending.pop()) {
    const names = callees.get(call.function) ?? new Set<string>();
    callees.set(call.function, names);
    for (const child of call.calls) {
      names.add(child.function);
      pending.push(child);
    }
  }
  return [...callees]
    .map(([caller, names]) => ({ caller, callees: [...names].sort() }))
    .sort((a, b) => (a.caller < b.caller ? -1 : 1));
}
