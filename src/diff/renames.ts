import type { CallProfile, FunctionProfile, Profile } from '../profile/profile.ts';
import type { FunctionPair, RenameReason } from './diff.ts';
import { unique } from './unique.ts';

/**
 * Which vanished function is which appeared one. Each rule asks for a match that is unique on both sides, so that
 * one accident cannot pair two strangers; stronger evidence goes first:
 *
 * 1. the name is the same but for what compilers decorate it with: parameters and template arguments, Rust's hash,
 *    gcc's `.isra.0`, `.part.1`, `.constprop.2`;
 * 2. calls, I and C are all the same, with at least MEANINGFUL instructions (tiny functions agree by chance);
 * 3. the same place in the call tree (the same callers, the same position among their calls), called as often, and
 *    I within a fifth.
 */
export function findRenames(input: {
  readonly vanished: readonly FunctionProfile[];
  readonly appeared: readonly FunctionProfile[];
  readonly base: Profile;
  readonly head: Profile;
}): Rename[] {
  const renames: Rename[] = [];
  let { vanished, appeared } = input;
  const pair = (
    because: RenameReason,
    keyOf: (side: 'base' | 'head') => (each: FunctionProfile) => string | undefined,
  ): void => {
    const before = uniqueDefined(vanished, keyOf('base'));
    const after = uniqueDefined(appeared, keyOf('head'));
    for (const [key, head] of after) {
      const base = before.get(key);
      if (base === undefined) continue;
      if (because === 'same-place' && !isNear(base.instructions, head.instructions)) continue;
      renames.push({ because, base, head });
      vanished = vanished.filter((each) => each !== base);
      appeared = appeared.filter((each) => each !== head);
    }
  };

  pair('same-name-but-for-decoration', () => (each) => undecorated(each.name));
  pair('same-counts', () => countsKey);
  if (vanished.length > 0 && appeared.length > 0) {
    const renamed = new Map(renames.map((each) => [each.base.name, each.head.name]));
    const places = {
      base: placesOf(input.base.calls, (name) => renamed.get(name) ?? name),
      head: placesOf(input.head.calls, (name) => name),
    };
    pair('same-place', (side) => (each) => {
      const place = places[side].get(each.name);
      return place === undefined ? undefined : `${place} x${each.calls}`;
    });
  }
  return renames;
}

export interface Rename extends FunctionPair {
  readonly because: RenameReason;
}

const MEANINGFUL = 50;

function countsKey(each: FunctionProfile): string | undefined {
  return each.instructions < MEANINGFUL ? undefined : `${each.calls} ${each.instructions} ${each.cycles}`;
}

function isNear(base: number, head: number): boolean {
  return Math.abs(head - base) * 5 <= Math.max(base, head);
}

/** The name without parameters, template arguments, Rust's hash and gcc's clone suffixes. */
export function undecorated(name: string): string {
  let bare = name
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/(?:\.(?:isra|part|constprop|cold|lto_priv|llvm)(?:\.\d+)?)+$/, '');
  if (/\boperator\b/.test(bare)) return bare;
  bare = bare.replace(/\(anonymous namespace\)::/g, '');
  const end = bare.search(/[(<]/);
  return end > 0 ? bare.slice(0, end) : bare;
}

/** Per function the position of its first call: the caller's name and how many different callees came before. */
function placesOf(roots: readonly CallProfile[], nameOf: (name: string) => string): Map<string, string> {
  const places = new Map<string, string>();
  const pending: { readonly caller: string; readonly calls: readonly CallProfile[] }[] = [
    { caller: '', calls: roots },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const seen = new Set<string>();
    for (const call of next.calls) {
      if (!seen.has(call.function)) {
        if (!places.has(call.function)) places.set(call.function, JSON.stringify([next.caller, seen.size]));
        seen.add(call.function);
      }
      if (call.calls.length > 0) pending.push({ caller: nameOf(call.function), calls: call.calls });
    }
  }
  return places;
}

function uniqueDefined<T>(values: readonly T[], key: (value: T) => string | undefined): Map<string, T> {
  return unique(
    values.filter((value) => key(value) !== undefined),
    (value) => key(value)!,
  );
}
