/** What the files of one folder may import besides their own folder and base/. */
export interface Layer {
  readonly name: string;
  /** Layers, or `*\/ports.ts` for the ports of any folder. */
  readonly layers: readonly string[];
  /** Packages and node: modules, with their subpaths; `node:*` is all of Node. */
  readonly packages: readonly string[];
  readonly why: string;
}

/**
 * The files that put the parts together on a real machine. They are a layer of their own, above all others, so that
 * everything else in cli/ and action/ meets the outside only through a port and can be tested with a fake one.
 */
export const WIRING: ReadonlySet<string> = new Set([
  'cli/entry.ts',
  'cli/gate-host.ts',
  'cli/start.ts',
  'action/entry.ts',
  'action/start.ts',
  'action/host-gate.ts',
  'worker/bounding.ts',
  'worker/engine.ts',
  'worker/entry.ts',
  'worker/measure.ts',
]);

/** From what runs a program, through what a run left behind, to what judges it and tells of it. */
export const LAYERS: readonly Layer[] = [
  layer('base', [], [], 'What everybody may know must know nobody.'),

  // The run side: what executes.
  layer('elf', [], [], 'A file format is a fact about bytes. Its one need, inflating, is a port.'),
  layer('guest', [], [], 'The address space and its layout are numbers that all of the run side agrees on.'),
  layer('wasm', [], [], 'A writer of modules knows nothing of who writes them.'),
  layer('ir', [], [], 'The operations must not lean to one instruction set, nor to one way of running them.'),
  layer(
    'x86',
    ['ir'],
    ['iced-x86'],
    'An instruction set is a table into the IR; a second one stands beside it.',
  ),
  layer('translate', ['x86', 'ir', 'wasm', 'guest'], [], 'Lowers lifted code; the layout gives addresses.'),
  layer(
    'linux',
    ['guest', 'elf'],
    [],
    'System calls see memory and files; what instructions are, they do not.',
  ),
  layer(
    'emulator',
    ['translate', 'x86', 'ir', 'wasm', 'guest', 'linux', 'elf', 'observation'],
    [],
    'The one place where the run-side parts meet. What it found leaves it as an Observation.',
  ),

  // Where the sides meet: plain data.
  layer('observation', [], [], 'The record of a run is data; it must outlive the engine that wrote it.'),
  layer(
    'profile',
    [],
    ['zod/mini'],
    'A baseline in a repository must be readable without anything that made it.',
  ),
  layer('machines', [], ['zod/mini'], 'What processors are, as data with sources: true without any program.'),
  layer(
    'source',
    [],
    ['web-tree-sitter'],
    'What a text asks for does not depend on any machine or run; the parser’s files come through a port.',
  ),
  layer(
    'ksr',
    [],
    [],
    'Listings of another machine are text; what they mean for bounds is for analysis to say.',
  ),
  layer(
    'analysis',
    ['observation', 'profile', 'machines', 'source', 'elf', 'x86', 'ksr'],
    [],
    'Turns a run into a profile; elf and x86 give source lines and what instructions are, nothing that runs.',
  ),

  // The judge side: what compares and tells.
  layer('diff', ['profile'], [], 'Facts about two profiles, without an opinion.'),
  layer('gate', ['diff', 'profile'], [], 'The opinion: limits applied to facts.'),
  layer('config', ['gate'], ['yaml', 'zod/mini'], 'The words of the user; limits are the gate’s.'),
  layer(
    'report',
    ['gate', 'diff', 'profile'],
    [],
    'Tells a verdict; changing a sentence changes no verdict.',
  ),
  layer(
    'comment',
    [],
    [],
    'Which comment to write is a decision about text and authors, whatever the text is.',
  ),

  // Above both.
  layer(
    'pipeline',
    [
      'analysis',
      'config',
      'diff',
      'elf',
      'emulator',
      'gate',
      'ksr',
      'linux',
      'machines',
      'observation',
      'profile',
      'source',
      'x86',
    ],
    [],
    'Orders the stages and declares what it needs of the outside as ports; it imports no host.',
  ),
  layer(
    'cli',
    ['pipeline', 'config', 'gate', 'machines', 'report', 'profile'],
    ['commander'],
    'A front end: options in, text out.',
  ),
  layer(
    'action',
    ['pipeline', 'config', 'gate', 'report', 'profile', 'comment'],
    ['node:crypto', 'node:path'],
    'The other front end: inputs in; comment, summary and outputs out.',
  ),
  layer(
    'host',
    ['*/ports.ts'],
    ['node:*', '@actions/artifact', '@actions/core', '@actions/github', 'zod/mini'],
    'The only folder that touches the outside. It fulfils ports and knows nothing of what is done with them.',
  ),
  layer(
    'wiring',
    ['cli', 'action', 'host', 'pipeline', 'profile'],
    ['node:fs', 'node:path'],
    'Gives the front ends this machine; nothing imports it.',
  ),
];

/** The pairs that must stay apart even through a third: what executes and what judges meet in data only. */
export const RUN_SIDE = ['elf', 'guest', 'wasm', 'ir', 'x86', 'translate', 'linux', 'emulator'];
export const JUDGE_SIDE = ['diff', 'gate', 'config', 'report', 'comment'];

/** May read the clock, the process and Node; everywhere else these enter through a port. */
export const IMPURE = ['host', 'cli', 'action', 'wiring'];

export function layerOf(file: string): string {
  return WIRING.has(file) ? 'wiring' : file.split('/')[0];
}

function layer(name: string, layers: readonly string[], packages: readonly string[], why: string): Layer {
  return { name, layers, packages, why };
}

/** The folders of the two largest layers: none imports one that comes after it. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  translate: [
    'regions',
    'lowering',
    'steps',
    'counts',
    'contexts',
    'strings',
    'measures',
    'emission',
    'support',
    'interpreter',
    'stored',
    'code',
  ],
  emulator: [
    'machine',
    'memory',
    'counts',
    'code',
    'contexts',
    'threads',
    'processes',
    'slices',
    'pass',
    'chains',
  ],
};
