import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { keepBytecode, takeFlagsBack } from './v8.ts';

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
 * It lies in the temporary directory, which no guest sees. Code is read from there: only from a directory that nobody else can
 * write, and not where a build that may be hostile has run.
 */
export function keepCompiledCode(): void {
  const user = process.getuid?.();
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  if (user === undefined || NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return;
  if (loaders === undefined || wrap === undefined) return;
  const directory = join(tmpdir(), `ilp-gate-${user}`);
  if (!isOwn(directory, user)) return;
  keepBytecode();
  const parts = dirname(fileURLToPath(import.meta.url));
  const others = loaders['.js'];
  loaders['.cjs'] = (module, path) => {
    const source = dirname(path) === parts ? readFileSync(path) : undefined;
    // What imports modules while it runs is to be loaded by Node.
    if (source === undefined || source.includes('import(')) others(module, path);
    else runKept(module, path, source, wrap(source.toString()), directory);
  };
}

function runKept(module: NodeJS.Module, path: string, source: Buffer, code: string, directory: string): void {
  const load = createRequire(path);
  // Not before a part is loaded: it takes Node some time to make.
  const { createHash } = load('node:crypto') as typeof import('node:crypto');
  const digest: Digest = (bytes) => createHash('sha256').update(bytes).digest();
  const tag = cachedDataVersionTag();
  const name = `${basename(path)}-${digest(source).toString('hex')}-${tag}`;
  // What a process that lasted has left serves all; until there is one, what a short one has left.
  const [long, short] = ['long', 'short'].map((kind) => join(directory, `${name}-${kind}`));
  const kept = contentOf(long, digest) ?? contentOf(short, digest);
  const script = new Script(code, { filename: path, ...(kept && { cachedData: kept.content }) });
  const isKept = kept !== undefined && script.cachedDataRejected !== true;
  process.once('exit', () => {
    const place = performance.now() < LONG ? short : long;
    if (isKept && (kept.place === long || place === short)) return;
    // V8 takes code only where the flags are those with which it was kept.
    takeFlagsBack();
    if (cachedDataVersionTag() === tag) write(place, script.createCachedData(), digest);
  });
  script.runInThisContext().call(module.exports, module.exports, load, module, path, dirname(path));
}

type Digest = (bytes: Uint8Array) => Buffer;
const DIGEST = 32;

/** V8 trusts what it is given, so a file begins with the digest of the rest. */
function contentOf(place: string, digest: Digest): { place: string; content: Buffer } | undefined {
  try {
    const file = readFileSync(place);
    const content = file.subarray(DIGEST);
    return digest(content).equals(file.subarray(0, DIGEST)) ? { place, content } : undefined;
  } catch {
    return undefined;
  }
}

/** All of it or nothing; where that fails, the next process does without. */
function write(place: string, content: Buffer, digest: Digest): void {
  const temporary = `${place}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([digest(content), content]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, place);
  } catch {
    rmSync(temporary, { force: true });
  }
}

const WRITABLE_BY_OTHERS = 0o022;

/** Whether it is a directory that only this user writes; made where there is none. */
function isOwn(directory: string, user: number): boolean {
  try {
    const found = () => lstatSync(directory, { throwIfNoEntry: false });
    if (found() === undefined) mkdirSync(directory, { mode: 0o700 });
    const status = found();
    return status?.isDirectory() === true && status.uid === user && (status.mode & WRITABLE_BY_OTHERS) === 0;
  } catch {
    return false;
  }
}
