import wabt from 'wabt';
import * as layout from '../../src/guest/layout.ts';
import { VARIABLES } from '../../src/x86/state.ts';

const { readWasm } = await wabt();

/**
 * The region's function of a module in WebAssembly's text format, for reading: an effect and what it is computed from on one
 * line, locals, imported functions and places in memory by name.
 */
export function wasmText(bytes: Uint8Array, locals: ReadonlyMap<number, string>): readonly string[] {
  // Not `code_metadata`, the branches' hints: wabt 1.0.39 prints memory that it has freed.
  const module = readWasm(bytes, { simd: true, tail_call: true, check: true });
  const lines = module.toText({ foldExprs: false, inlineExport: false }).split('\n');
  module.destroy();
  const imports = lines.flatMap((line) => /\(import "\w+" "([\w.]+)" \(func/.exec(line)?.[1] ?? []);
  const from = lines.findIndex((line) => /^ {2}\(func/.test(line)) + 1;
  // Behind it are its ways in, which are all alike.
  const to = lines.findIndex((line, i) => i >= from && /^ {2}\((elem|func)/.test(line));
  const body = lines.slice(from, to < 0 ? undefined : to).filter((line) => !/^ *\(local/.test(line));
  return joined(body.map((line) => named(line, locals, imports)));
}

/** Instructions that leave nothing on the stack end a line, and so do those where control may go elsewhere. */
const ENDS = /^(local\.set|.*\.store|drop|unreachable|return|br|block|loop|if|else|end|call|return_call)/;

/** The number of a region's slot, which depends on what else was made before. */
const SLOT = /i32\.const \d+(?= (call \$endSlice|call \$noteExit|.*call \$noteJump|(return_)?call_indirect))/;

function joined(lines: readonly string[]): string[] {
  const out: string[] = [];
  let current: string | undefined;
  const flush = () => {
    if (current !== undefined) out.push(current.replace(SLOT, 'i32.const SLOT'));
    current = undefined;
  };
  for (const line of lines) {
    const depth = line.length - line.trimStart().length;
    const text = line.trim().replace(/^unreachable\)$/, 'unreachable');
    if (text === ')' || text === '') continue;
    current = current === undefined ? ' '.repeat(depth - 4) + text : `${current} ${text}`;
    if (ENDS.test(text)) flush();
  }
  flush();
  return out;
}

function named(line: string, locals: ReadonlyMap<number, string>, imports: readonly string[]): string {
  return line
    .replace(/ align=1$/, '')
    .replace(/ {2};; label = (@\d+)/, ' $1')
    .replace(/ \d+ \(;(@\d+);\)/g, ' $1')
    .replace(/^( *local\.\w+) (\d+)/, (_, what, local) => `${what} $${locals.get(Number(local)) ?? local}`)
    .replace(/^( *(?:return_)?call) (\d+)/, (_, what, index) => `${what} $${imports[Number(index)] ?? index}`)
    .replace(/offset=(\d+)/, (_, offset) => `offset=${placeName(Number(offset))}`);
}

const WORDS: Readonly<Record<string, number>> = {
  FUEL: layout.FUEL,
  ENTRY: layout.ENTRY,
  ENTRY_TARGET: layout.ENTRY_TARGET,
  NEAR: layout.NEAR,
  CONTEXT_SLOT: layout.CONTEXT_SLOT,
  CONTEXT_OPENS: layout.CONTEXT_OPENS,
  HOST_STACK: layout.HOST_STACK,
  MAXIMUM: layout.MAXIMUM,
  FLOOR: layout.FLOOR,
  TAG_CLOCK: layout.TAG_CLOCK,
};
/** Tables, by what begins last before a place. */
const TABLES: readonly (readonly [string, number])[] = [
  ['PERMISSIONS', layout.PERMISSIONS],
  ['BYTE_PAGES', layout.BYTE_PAGES],
  ['JUMP_TABLES', layout.JUMP_TABLES],
  ['QUIET_PAGES', layout.QUIET_PAGES],
  ['SHADOW', layout.SHADOW],
];

/** A place in memory by what lies there (src/guest/layout.ts): a variable, the step of a location with an apostrophe. */
function placeName(offset: number): string {
  const variable = (offset - layout.VALUES) / 16;
  if (variable in VARIABLES) return VARIABLES[variable].name;
  const location = (offset - layout.STEPS) / 16;
  const owner = VARIABLES.find((each) => each.location === location);
  if (owner !== undefined) return `${owner.name}'`;
  const word = Object.entries(WORDS).find(([, at]) => at === offset);
  if (word !== undefined) return word[0];
  const table = TABLES.findLast(([, at]) => offset >= at);
  if (table === undefined) return String(offset);
  const [name, at] = table;
  return offset === at ? name : `${name}+${offset - at}`;
}
