// Builds a part of the program as two files: the second one is loaded, in the middle of whatever goes on, when something of it is
// called for the first time. Sources know nothing of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Module } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { icedNumbers } from './iced.mjs';

const ICED = 'node_modules/iced-x86/iced_x86.js';

/**
 * `entry` is built as `name`.cjs, what nothing but its `doors` leads to as `later`.cjs. Doors are sources of which others import functions and
 * classes, of which they call none while they are evaluated themselves; to import anything else from a door is an error of the build. What both files need is in the first one, which hands it over, so
 * that there is nothing twice. Gives the metafiles of both.
 */
export async function buildInTwo({ root, name, entry, later, doors: sources, ...options }) {
  const doors = new Map(
    await functionsOf(
      root,
      sources.map((source) => (source === 'iced-x86' ? ICED : source)),
      options,
    ),
  );
  const whole = (file, contents, plugin, others) =>
    build({
      ...options,
      stdin: { contents, resolveDir: root, sourcefile: 'part.ts', loader: 'ts' },
      outdir: undefined,
      outfile: join(options.outdir, `${file}.cjs`),
      plugins: [plugin, ...options.plugins],
      metafile: true,
      ...others,
    });
  const first = (shared, others) =>
    whole(
      name,
      entryOf(entry, shared),
      { name: 'doors', setup: (hooks) => shutDoors(hooks, { root, doors, later }) },
      others,
    );

  const alone = await first(new Map(), { write: false });
  const sharable = new Set(Object.keys(alone.metafile.inputs).filter((path) => !path.includes(':')));
  const second = await whole(
    later,
    doorsOf(namesUsed(alone.metafile)),
    { name: 'shared', setup: (hooks) => takeShared(hooks, { root, sharable }) },
    {
      format: 'iife',
      globalName: 'part',
      banner: { js: `module.exports=(shared)=>{${options.banner.js}` },
      footer: { js: 'return part.doors;};' },
    },
  );
  // What is kept for later processes is named by the first file's digest, so that file names the second one's.
  const digest = createHash('sha256')
    .update(readFileSync(join(options.outdir, `${later}.cjs`)))
    .digest('hex');
  const banner = { js: `/* ${later}.cjs ${digest} */${options.banner.js}` };
  return [(await first(namesUsed(second.metafile), { banner })).metafile, second.metafile];
}

/** The names of functions and classes that each door exports. */
async function functionsOf(root, doors, options) {
  const contents = doorsOf(new Map(doors.map((door) => [door, undefined])));
  const stdin = { contents, resolveDir: root, sourcefile: 'doors.ts', loader: 'ts' };
  const { outputFiles } = await build({ ...options, stdin, outdir: undefined, write: false });
  const module = new Module('doors');
  module.filename = join(options.outdir, 'doors.cjs');
  module._compile(outputFiles[0].text, module.filename);
  return Object.entries(module.exports.doors).map(([door, values]) => [
    door,
    Object.keys(values).filter((key) => typeof values[key] === 'function'),
  ]);
}

/** A source that exports what doors export. */
function doorsOf(names) {
  const { imports, object } = objectOf(names);
  return [...imports, `export const doors = ${object};`].join('\n');
}

/** A source that exports what the entry does, and hands over what is shared once all of it is there. */
function entryOf(entry, shared) {
  const { imports, object } = objectOf(shared);
  return [
    `export * from './${entry}';`,
    `import { handOver } from 'later:load';`,
    ...imports,
    `handOver(() => (${object}));`,
  ].join('\n');
}

/** An object of what sources export, by source and name: what is named, or all of it. */
function objectOf(namesBySource) {
  const sources = [...namesBySource.keys()];
  const members = [...namesBySource.values()].map((names, i) =>
    names === undefined ? `s${i}` : `{ ${names.map((name) => `${name}: s${i}.${name}`).join(', ')} }`,
  );
  return {
    imports: sources.map((source, i) => `import * as s${i} from './${source}';`),
    object: `{ ${sources.map((source, i) => `'${source}': ${members[i]}`).join(', ')} }`,
  };
}

/** What a file uses of the other one, by source and name: each name has a module of its own. */
function namesUsed({ outputs }) {
  const names = new Map();
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, source, name] = /^name:(.*)#(\w+)$/.exec(path) ?? [];
      if (source !== undefined && bytesInOutput > 0) names.set(source, [...(names.get(source) ?? []), name]);
    }
  return names;
}

/** A module that has each name from a module of its own. */
const eachApart = (source, names) =>
  names.map((name) => `export { ${name} } from 'name:${source}#${name}';`).join('\n');

function findNames({ onResolve }) {
  onResolve({ filter: /^name:/ }, ({ path }) => ({
    path: path.slice(5),
    namespace: 'name',
    sideEffects: false,
  }));
}

/** In the first file, something of a door is a function that loads the second one, until that is loaded. */
function shutDoors(hooks, { root, doors, later }) {
  const { onResolve, onLoad } = hooks;
  onResolve({ filter: /\.ts$|^iced-x86$/ }, ({ path, resolveDir }) => {
    const source = path === 'iced-x86' ? ICED : relative(root, join(resolveDir, path));
    return doors.has(source) ? { path: source, namespace: 'shut', sideEffects: false } : undefined;
  });
  findNames(hooks);
  onResolve({ filter: /^later:load$/ }, ({ path }) => ({ path, namespace: 'later' }));
  onLoad({ filter: /^/, namespace: 'shut' }, ({ path }) => ({
    contents: `${path === ICED ? icedNumbers() : ''}\n${eachApart(path, doors.get(path))}`,
    loader: 'ts',
  }));
  onLoad({ filter: /^/, namespace: 'name' }, ({ path }) => {
    const [door, name] = path.split('#');
    return {
      contents: `import { ofDoor } from 'later:load';
        export let ${name} = ofDoor('${door}', '${name}', (opened) => { ${name} = opened; });`,
    };
  });
  onLoad({ filter: /^/, namespace: 'later' }, () => ({
    contents: `
      let shared, doors;
      const waiting = [];
      export function handOver(modules) { shared = modules; }
      function load() {
        if (doors === undefined) {
          doors = require(require('node:path').join(__dirname, '${later}.cjs'))(shared());
          for (const open of waiting) open();
        }
        return doors;
      }
      export function ofDoor(door, name, put) {
        waiting.push(() => put(doors[door][name]));
        return new Proxy(function () {}, {
          apply: (_, self, args) => Reflect.apply(load()[door][name], self, args),
          construct: (_, args) => Reflect.construct(load()[door][name], args),
          get: (_, key) => load()[door][name][key],
        });
      }`,
  }));
}

/** In the second file, modules of the first one are what that hands over. */
function takeShared(hooks, { root, sharable }) {
  const { onResolve, onLoad } = hooks;
  findNames(hooks);
  onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
    const source = relative(root, join(resolveDir, path));
    return sharable.has(source) ? { path: source, namespace: 'shared', sideEffects: false } : undefined;
  });
  onLoad({ filter: /^/, namespace: 'shared' }, async ({ path }) => ({
    contents: eachApart(path, await exportsOf(root, path)),
  }));
  onLoad({ filter: /^/, namespace: 'name' }, ({ path }) => {
    const [source, name] = path.split('#');
    return { contents: `export const ${name} = shared['${source}'].${name};` };
  });
}

/** The names of the values that a source exports. */
async function exportsOf(root, path) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    outdir: '.',
    format: 'esm',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)[0].exports;
}
