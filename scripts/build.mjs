// Builds dist/: one file for the command line, one for the action, one for the processes that measure for either, a file for
// each module that sources import() when they need it, the WebAssembly of decoder and parsers beside them, all licences.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { iced } from './iced.mjs';
import { buildInTwo } from './later.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = process.argv[2] ?? join(root, 'dist');
/** For benchmarks: a source that stands in for translate/measures/lanes.ts. */
const lanes = process.argv[3];
const koffi = join(root, 'node_modules/@koromix/koffi-linux-x64/linux_x64/koffi.node');
if (!existsSync(koffi))
  throw new Error(
    `${koffi} is missing: npm installs it on Linux for x86-64 only, so run npm ci and build there`,
  );
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/**
 * Each is a bundle of its own, and all but the first three are loaded when something is imported from them: V8 looks through
 * every byte of a file before it runs the first (0.17 s for all of them).
 */
const parts = {
  cli: 'src/cli/entry.ts',
  action: 'src/action/entry.ts',
  worker: 'src/worker/entry.ts',
  bounding: 'src/worker/bounding.ts',
  measure: 'src/cli/measure.ts',
  'gate-commands': 'src/cli/gate-commands.ts',
  'gate-host': 'src/cli/gate-host.ts',
  'helper-processes': 'src/host/helper-processes.ts',
  bounds: 'src/cli/bounds.ts',
  'bounds-run': 'src/cli/bounds-run.ts',
  machines: 'src/cli/machines.ts',
  'bounds-summary': 'src/report/bounds-summary.ts',
  'html-report': 'src/report/html/profile-report.ts',
};
/** What measures, and what it needs to decode and to translate: most programs that were measured before ask for none of that. */
const measuring = {
  name: 'engine',
  entry: 'src/worker/engine.ts',
  later: 'translator',
  doors: [
    'iced-x86',
    'src/x86/iced-names.ts',
    'src/x86/format.ts',
    'src/x86/lift/rows.ts',
    'src/x86/lift/block.ts',
    'src/x86/stores.ts',
    'src/x86/status-use.ts',
    'src/translate/interpreter/handler.ts',
    'src/translate/regions/discover.ts',
    'src/translate/regions/calls-in-line.ts',
    'src/translate/regions/roots.ts',
    'src/translate/code/region-module.ts',
  ],
};
/** One class for all parts, which tell its instances from other errors. */
const shared = { failure: 'src/base/failure.ts' };

const options = {
  absWorkingDir: root,
  outdir: out,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  legalComments: 'none',
  // Dependencies find their files through import.meta.url, which a CommonJS bundle lacks.
  banner: { js: "const __bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': '__bundleUrl' },
  logLevel: 'warning',
};
const plugins = [
  iced(join(root, 'src')),
  { name: 'lanes', setup: replaceLanes },
  { name: 'machines', setup: keepMachinesApart },
  { name: 'parts', setup: keepPartsApart },
  { name: 'commander', setup: startNothing },
];
const { metafile } = await build({
  ...options,
  entryPoints: { ...parts, ...shared },
  metafile: true,
  plugins,
});
const metafiles = [metafile, ...(await buildInTwo({ root, ...options, plugins, ...measuring }))];
copyFileSync(join(root, 'node_modules/iced-x86/iced_x86_bg.wasm'), join(out, 'iced_x86_bg.wasm'));
await writeHandlers();
copyFileSync(join(root, 'node_modules/gecko-profiler-demangle/index_bg.wasm'), join(out, 'demangle.wasm'));
copyFileSync(koffi, join(out, 'koffi.node'));
const grammars = ['web-tree-sitter', 'tree-sitter-c', 'tree-sitter-cpp'];
for (const name of grammars)
  copyFileSync(join(root, `node_modules/${name}/${name}.wasm`), join(out, `${name}.wasm`));
// Packages of which only WebAssembly is there.
const apart = [...grammars.slice(1), 'gecko-profiler-demangle'];
// Of what comes without one.
const otherLicenses = ['src/machines/LICENSE.llvm.txt', 'src/host/LICENSE.koffi.txt'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
);
const separator = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  join(out, 'licenses.txt'),
  [
    licenses([
      ...metafiles.flatMap(({ inputs }) => Object.keys(inputs)),
      ...apart.map((name) => `node_modules/${name}/`),
    ]),
    ...otherLicenses,
  ].join(separator),
);

/** The handlers of usual forms, as the sources make them; src/host/prepared.ts reads them. */
async function writeHandlers() {
  await build({
    ...options,
    entryPoints: { prepare: 'scripts/prepare-handlers.ts' },
    plugins: [iced(join(root, 'src')), { name: 'lanes', setup: replaceLanes }],
  });
  const script = join(out, 'prepare.cjs');
  const { preparedFiles } = createRequire(import.meta.url)(script);
  rmSync(script);
  const encodings = readFileSync(join(root, 'scripts/usual-forms.txt'), 'utf8').trimEnd().split('\n');
  mkdirSync(join(out, 'handlers'));
  for (const [name, content] of preparedFiles(encodings)) writeFileSync(join(out, 'handlers', name), content);
}

function replaceLanes({ onLoad }) {
  if (lanes === undefined) return;
  const path = resolve(lanes);
  onLoad({ filter: /[/\\]src[/\\]translate[/\\]measures[/\\]lanes\.ts$/ }, () => ({
    contents: readFileSync(path, 'utf8'),
    loader: 'ts',
    resolveDir: dirname(path),
  }));
}

/** What is imported from a part is in that part's file. */
function keepPartsApart({ onResolve, onLoad }) {
  const all = { ...parts, [measuring.name]: measuring.entry };
  const fileOf = (parts, path) => Object.keys(parts).find((name) => parts[name] === path);
  onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path, resolveDir }) => {
    if (kind === 'entry-point') return undefined;
    const source = relative(root, join(resolveDir, path));
    const common = fileOf(shared, source);
    if (common !== undefined) return { path: `./${common}.cjs`, external: true };
    if (kind !== 'dynamic-import') return undefined;
    const name = fileOf(all, source);
    if (name !== undefined) return { path: name, namespace: 'part' };
    return { errors: [{ text: `${source} is imported when it is needed, so it is to be a part` }] };
  });
  // Node's import() of CommonJS would look through the file once more, for names of exports.
  onLoad({ filter: /^/, namespace: 'part' }, ({ path }) => ({
    contents: `module.exports = require(require('node:path').join(__dirname, ${JSON.stringify(`${path}.cjs`)}));`,
    loader: 'js',
  }));
}

/** Commander can start commands that are programs of their own. Ours are none, and Node's module for it takes 3 ms to load. */
function startNothing({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
    /[/\\]commander[/\\]/.test(importer) ? { path: 'child_process', namespace: 'nothing' } : undefined,
  );
  onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
}

/** Machine models stay files: in the bundle, V8 would look through them at every start (5 % of one). */
function keepMachinesApart({ onLoad }) {
  onLoad({ filter: /[/\\]src[/\\]machines[/\\][^/\\]+\.json$/ }, ({ path }) => {
    const name = basename(path);
    mkdirSync(join(out, 'machines'), { recursive: true });
    copyFileSync(path, join(out, 'machines', name));
    const file = `require('node:path').join(__dirname, 'machines', ${JSON.stringify(name)})`;
    return {
      contents: `module.exports = JSON.parse(require('node:fs').readFileSync(${file}, 'utf8'));`,
      loader: 'js',
    };
  });
}

/** The licence of every package whose code is in the bundles. */
function licenses(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match)
      packages.add(
        input.slice(0, input.indexOf(match[1], input.lastIndexOf('node_modules/')) + match[1].length),
      );
  }
  return [...packages]
    .sort()
    .map((directory) => {
      const manifest = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, directory)).find((name) => /^licen[cs]e/i.test(name));
      const text =
        file && existsSync(join(root, directory, file))
          ? readFileSync(join(root, directory, file), 'utf8').trim()
          : `License: ${manifest.license}`;
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
    })
    .join(separator);
}
