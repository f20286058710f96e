import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { keepBytecode, takeFlagsBack, withFirstFlags } from '../v8.ts';
import { digestBy, keep, keptDirectory, makeRoom, readKept } from './directory.ts';
import { notePart } from './part-digests.ts';

/** How Node loads files with some ending: whoever wants to load them in another way puts a function of their own there. */
type Loader = (module: NodeJS.Module, path: string) => void;
const { _extensions: loaders, wrap } = Module as unknown as {
  readonly _extensions?: Record<string, Loader>;
  readonly wrap?: (source: string) => string;
};

/** Milliseconds after which a process has called most of what is ever called. */
const LONG = 1000;

/**
 * Keeps what V8 made of this program's parts (scripts/build.mjs) for the next process: a seventh of the smallest measurement. Node's
 * own cache (`module.enableCompileCache`) is filled when a file is loaded, hence has no code of functions that are called later.
 * Not for the action: its process has the job's token after a build that may be hostile has run, and code is read from there. Who builds with the command line has the
 * build's trust already.
 */
export function keepCompiledCode(): void {
  const directory = keptDirectory();
  if (directory === undefined || loaders === undefined || wrap === undefined) return;
  const parts = dirname(fileURLToPath(import.meta.url));
  const others = loaders['.js'];
  loaders['.cjs'] = (module, path) => {
    const part = dirname(path) === parts ? readPart(path, wrap) : undefined;
    // What imports modules while it runs is to be loaded by Node.
    if (part === undefined || part.source.includes('import(')) others(module, path);
    else runKept(module, path, part, directory);
  };
}

interface Part {
  readonly source: Buffer;
  /** It is within what Node puts around it. */
  readonly wrapped: Buffer;
}

/** Not put together from strings: V8 copies those once more, 0.9 MB of the engine. */
function readPart(path: string, wrap: (source: string) => string): Part {
  const [before, after] = wrap('\0').split('\0');
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const wrapped = Buffer.allocUnsafe(before.length + size + after.length);
    const source = wrapped.subarray(before.length, before.length + size);
    wrapped.write(before);
    wrapped.write(after, before.length + size);
    for (let done = 0; done < size; ) {
      const read = readSync(descriptor, source, done, size - done, done);
      if (read === 0) throw new Error(`${path} became shorter while it was read: run the command again`);
      done += read;
    }
    return { source, wrapped };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Loads what a measurement needs of Node. Its compiled code comes with Node, and V8 takes it as long as no flag was changed: 4 ms less. Not
 * before a part of this program is loaded, for what is done without one.
 */
function nodesOwn(load: NodeJS.Require): typeof import('node:crypto') {
  void process.stdout;
  void process.stderr;
  performance.now();
  return load('node:crypto') as typeof import('node:crypto');
}

function runKept(module: NodeJS.Module, path: string, { source, wrapped }: Part, directory: string): void {
  const load = createRequire(path);
  const { createHash } = nodesOwn(load);
  keepBytecode();
  const digest = digestBy(createHash);
  // V8 takes code only where the flags are those with which it was kept, and some parts are loaded while a program is measured.
  const tag = withFirstFlags(cachedDataVersionTag);
  const known = digest(source).toString('hex');
  notePart(path, known);
  const name = `${basename(path)}-${known}-${tag}`;
  // What a process that lasted has left serves all; until there is one, what a short one has left.
  const [long, short] = ['long', 'short'].map((kind) => join(directory, `${name}-${kind}`));
  const place = existsSync(long) ? long : short;
  const content = readKept(place, digest);
  const script = withFirstFlags(
    () => new Script(wrapped.toString(), { filename: path, ...(content && { cachedData: content }) }),
  );
  const isKept = content !== undefined && script.cachedDataRejected !== true;
  process.once('exit', () => {
    const left = performance.now() < LONG ? short : long;
    if (isKept && (place === long || left === short)) return;
    takeFlagsBack();
    if (cachedDataVersionTag() !== tag) return;
    keep(left, [script.createCachedData()], digest);
    makeRoom(directory);
  });
  script.runInThisContext().call(module.exports, module.exports, load, module, path, dirname(path));
}
