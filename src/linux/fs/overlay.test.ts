import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBytes, toText } from '../bytes.ts';
import { freshMemory, Guest } from '../fixtures/guest.ts';
import type { Change } from '../ports.ts';

/**
 * The model: paths below the working directory → text, or null for a directory. It knows nothing of nodes, origins
 * and whiteouts; the guest's tree must show the same after any sequence of operations, and so must the host's tree
 * after the changes have been carried out on it.
 */
type Model = Map<string, string | null>;

const START: Readonly<Record<string, string | null>> = {
  d: null,
  'd/x': 'dx',
  'd/e': null,
  'd/e/y': 'dey',
  f: 'file f',
  g: 'file g',
};

const NAMES = ['d', 'e', 'f', 'g', 'x', 'y'];
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));

type Operation =
  | { readonly kind: 'save' | 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'mkdir' | 'rmdir' | 'unlink' | 'list'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('save' as const, 'append' as const),
    path,
    text: fc.string({ maxLength: 6, unit: 'grapheme-ascii' }),
  }),
  fc.record({
    kind: fc.constantFrom('mkdir' as const, 'rmdir' as const, 'unlink' as const, 'list' as const),
    path,
  }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
);

const parentOf = (name: string) => (name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '');
const isDirectory = (model: Model, name: string) => name === '' || model.get(name) === null;
const children = (model: Model, name: string) =>
  [...model.keys()]
    .filter((other) => parentOf(other) === name)
    .map((other) => other.slice(other.lastIndexOf('/') + 1))
    .sort();
const isBelow = (name: string, ancestor: string) => name === ancestor || name.startsWith(`${ancestor}/`);

/** Whether the operation succeeds; the model is changed accordingly. */
function applyToModel(model: Model, operation: Operation): boolean {
  const { path } = operation;
  if (!isDirectory(model, parentOf(path))) return false;
  const current = model.get(path);
  switch (operation.kind) {
    case 'save':
    case 'append':
      if (current === null) return false;
      model.set(path, operation.kind === 'append' ? (current ?? '') + operation.text : operation.text);
      return true;
    case 'mkdir':
      if (current !== undefined) return false;
      model.set(path, null);
      return true;
    case 'rmdir':
      return current === null && children(model, path).length === 0 && model.delete(path);
    case 'unlink':
      return typeof current === 'string' && model.delete(path);
    case 'list':
      return current === null;
    case 'rename':
      return renameInModel(model, path, operation.to);
  }
}

function renameInModel(model: Model, from: string, to: string): boolean {
  const moved = model.get(from);
  if (moved === undefined || !isDirectory(model, parentOf(to))) return false;
  if (from === to) return true;
  const replaced = model.get(to);
  if (moved === null && isBelow(to, from)) return false;
  if (moved === null && (typeof replaced === 'string' || children(model, to).length > 0)) return false;
  if (moved !== null && replaced === null) return false;
  for (const [name, value] of [...model]) {
    if (!isBelow(name, from)) continue;
    model.delete(name);
    model.set(to + name.slice(from.length), value);
  }
  return true;
}

function applyToGuest(guest: Guest, operation: Operation): boolean {
  const { path } = operation;
  switch (operation.kind) {
    case 'save':
      return guest.save(path, operation.text) === 0;
    case 'append': {
      const descriptor = guest.call('openat', -100, path, 0o2101, 0o644);
      if (typeof descriptor === 'string') return false;
      guest.call('write', descriptor, operation.text, operation.text.length);
      return guest.call('close', descriptor) === 0;
    }
    case 'mkdir':
      return guest.call('mkdir', path, 0o755) === 0;
    case 'rmdir':
    case 'unlink':
      return guest.call(operation.kind, path) === 0;
    case 'list':
      return typeof guest.names(path) !== 'string';
    case 'rename':
      return guest.call('rename', path, operation.to) === 0;
  }
}

/** What the guest sees below its working directory. */
function seen(guest: Guest, directory = ''): [string, string | null][] {
  const names = guest.names(directory === '' ? '.' : directory);
  if (typeof names === 'string') throw new Error(`${directory}: ${names}`);
  return names.slice(2).flatMap((name): [string, string | null][] => {
    const full = directory === '' ? name : `${directory}/${name}`;
    const text = guest.contents(full);
    return text === 'EISDIR' ? [[full, null], ...seen(guest, full)] : [[full, text]];
  });
}

/** The host's tree after the changes, each carried out as its kind says and only where that is possible. */
function carriedOut(changes: readonly Change[]): Model {
  const host: Model = new Map(Object.entries(START));
  for (const change of changes) {
    const name = toText(change.path).slice('/home/me/project/'.length);
    switch (change.kind) {
      case 'delete':
        expect(host.has(name)).toBe(true);
        for (const other of [...host.keys()]) if (isBelow(other, name)) host.delete(other);
        break;
      case 'directory':
        expect(host.has(name)).toBe(false);
        expect(isDirectory(host, parentOf(name))).toBe(true);
        host.set(name, null);
        break;
      case 'file':
        expect(host.get(name)).not.toBe(null);
        expect(isDirectory(host, parentOf(name))).toBe(true);
        host.set(name, fromBytes(change.bytes));
        break;
      case 'link':
        throw new Error('no links here');
    }
  }
  return host;
}

const sorted = (model: Iterable<[string, string | null]>) => [...model].sort(([a], [b]) => (a < b ? -1 : 1));

const startFiles = Object.fromEntries(
  Object.entries(START).map(([name, text]) => [`/home/me/project/${name}`, text]),
);

describe('the overlay', () => {
  const memory = freshMemory();

  test('shows what a plain model of a file system shows, and its changes lead the host there', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
        const guest = new Guest({ memory, files: startFiles });
        const model: Model = new Map(Object.entries(START));
        for (const step of operations)
          expect([step, applyToGuest(guest, step)]).toEqual([step, applyToModel(model, step)]);
        expect(sorted(seen(guest))).toEqual(sorted(model));
        expect(sorted(carriedOut(guest.kernel.changes().inside))).toEqual(sorted(model));
      }),
      { numRuns: 300 },
    );
  });

  test('does not report a file that was only read, or opened for writing and left alone', () => {
    const guest = new Guest({ memory, files: startFiles });
    guest.contents('f');
    guest.call('openat', -100, 'g', 2, 0);
    guest.names('d');
    expect(guest.kernel.changes()).toEqual({ inside: [], outside: [] });
  });

  test('keeps the mode of a changed file and gives new ones theirs', () => {
    const guest = new Guest({ memory, files: startFiles });
    guest.save('f', 'changed');
    guest.save('new', 'text');
    guest.call('chmod', 'new', 0o755);
    const changes = guest.kernel.changes().inside;
    expect(
      changes.map((change) => [toText(change.path), 'mode' in change ? change.mode : undefined]),
    ).toEqual([
      ['/home/me/project/f', undefined],
      ['/home/me/project/new', 0o755],
    ]);
  });

  test('names what was written outside the working directory, but for /tmp and devices', () => {
    const guest = new Guest({ memory, files: { '/var/log/x': 'log', '/home/me/other': 'o' } });
    guest.save('/var/log/x', 'new');
    guest.save('../made', 'new');
    guest.call('unlink', '/home/me/other');
    guest.save('/tmp/scratch', 'new');
    guest.save('/dev/shm/scratch', 'new');
    expect(guest.kernel.changes()).toEqual({
      inside: [],
      outside: ['/home/me/made', '/home/me/other', '/var/log/x'],
    });
  });

  test('works where the working directory is the root of the host', () => {
    const guest = new Guest({ memory, files: startFiles, directory: '/' });
    guest.save('w/top', 'text');
    expect(guest.contents('/top')).toBe('text');
    expect(guest.kernel.changes().inside.map((change) => toText(change.path))).toEqual(['/top']);
  });

  test('keeps nothing of what was written to the system, also where the working directory is above it', () => {
    const guest = new Guest({ memory, files: { ...startFiles, '/usr/lib/x': 'x' }, directory: '/' });
    guest.save('top', 'text');
    guest.save('/usr/lib/x', 'other');
    const { inside, outside } = guest.kernel.changes();
    expect(inside.map((change) => toText(change.path))).toEqual(['/top']);
    expect(outside).toEqual(['/usr/lib/x']);
  });
});

describe('/tmp', () => {
  const files = { '/tmp/left/over': 'old', '/tmp/given/input': 'data', '/tmp/build/main.c': 'main' };

  test('starts empty whatever the host has there', () => {
    const guest = new Guest({ files });
    expect(guest.names('/tmp')).toEqual(['.', '..']);
    expect(guest.contents('/tmp/left/over')).toBe('ENOENT');
    guest.save('/tmp/mine', 'new');
    expect(guest.names('/tmp')).toEqual(['.', '..', 'mine']);
  });

  test('lets the guest read what the command mentions, without listing it', () => {
    const guest = new Guest({ files, mentions: ['--input=/tmp/given/input'] });
    expect(guest.contents('/tmp/given/input')).toBe('data');
    expect(guest.contents('/tmp/left/over')).toBe('ENOENT');
    expect(guest.names('/tmp')).toEqual(['.', '..']);
  });

  test('shows what the command names from a directory in it', () => {
    for (const mention of ['../given/input', '--input=.././/../tmp/given/input', 'x:./../given/input:']) {
      const guest = new Guest({ files, directory: '/tmp/build', mentions: [mention] });
      expect([guest.contents('../given/input'), guest.contents('../left/over')]).toEqual(['data', 'ENOENT']);
    }
  });

  test('may hold the working directory', () => {
    const guest = new Guest({ files, directory: '/tmp/build' });
    expect(guest.contents('main.c')).toBe('main');
    expect(guest.contents('/tmp/build/main.c')).toBe('main');
    guest.save('out', 'text');
    expect(guest.kernel.changes().inside.map((change) => toText(change.path))).toEqual(['/tmp/build/out']);
  });
});
