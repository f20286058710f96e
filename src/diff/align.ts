import type { ChainLink } from '../profile/profile.ts';
import { moduleOf } from './chain-lines.ts';

/**
 * Which link of the base's chain is which link of the head's. Addresses, registers and line numbers all shift with an
 * edit; what stays is the order of the links, the function and file they are in and the shape of the instruction. So
 * this is a heaviest common subsequence over those shapes, weighted by count, so that a loop's links are matched before
 * the start-up code's. Returns, for each head index, the base index or -1.
 */
export function alignLinks(
  base: readonly ChainLink[],
  head: readonly ChainLink[],
  renamed: ReadonlyMap<string, string>,
): Int32Array {
  const shared = sharedFiles(base, head);
  const baseKeys = base.map((link) => keyOf(link, renamed.get(link.function ?? '') ?? link.function, shared));
  const headKeys = head.map((link) => keyOf(link, link.function, shared));
  if (base.length * head.length > LARGEST_TABLE) return alignInOrder(baseKeys, headKeys);

  const width = head.length + 1;
  const best = new Float64Array((base.length + 1) * width);
  for (let i = base.length - 1; i >= 0; i -= 1) {
    for (let j = head.length - 1; j >= 0; j -= 1) {
      let value = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      if (baseKeys[i] === headKeys[j] && alike(base[i]!, head[j]!))
        value = Math.max(value, best[(i + 1) * width + j + 1]! + weight(base[i]!, head[j]!));
      best[i * width + j] = value;
    }
  }
  const matched = new Int32Array(head.length).fill(-1);
  for (let i = 0, j = 0; i < base.length && j < head.length; ) {
    const here = best[i * width + j]!;
    if (
      baseKeys[i] === headKeys[j] &&
      alike(base[i]!, head[j]!) &&
      here === best[(i + 1) * width + j + 1]! + weight(base[i]!, head[j]!)
    ) {
      matched[j] = i;
      i += 1;
      j += 1;
    } else if (here === best[(i + 1) * width + j]!) i += 1;
    else j += 1;
  }
  return matched;
}

/** 4 million cells are 32 MB and a few hundredths of a second. */
const LARGEST_TABLE = 4_000_000;

/** A link that carries its chain is not the one that the other chain passes a few times, whatever their shape. */
function alike(base: ChainLink, head: ChainLink): boolean {
  const [less, more] = base.share < head.share ? [base.share, head.share] : [head.share, base.share];
  return more < NOTABLE || less * 10 >= more;
}

const NOTABLE = 0.01;

function weight(base: ChainLink, head: ChainLink): number {
  return 1 + Math.min(base.count, head.count);
}

/** For chains too long for the table: the n-th link of a shape is the n-th link of that shape. */
function alignInOrder(baseKeys: readonly string[], headKeys: readonly string[]): Int32Array {
  const waiting = new Map<string, number[]>();
  for (const [index, key] of baseKeys.entries()) {
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [index]);
    else queue.push(index);
  }
  const taken = new Map<string, number>();
  return Int32Array.from(headKeys, (key) => {
    const nth = taken.get(key) ?? 0;
    taken.set(key, nth + 1);
    return waiting.get(key)?.[nth] ?? -1;
  });
}

/** A file that only one side has was renamed, left or joined the chain: its name then keeps nothing apart. */
function sharedFiles(
  base: readonly ChainLink[],
  head: readonly ChainLink[],
): ReadonlySet<string | undefined> {
  const before = new Set(base.map((link) => link.file));
  return new Set(head.map((link) => link.file).filter((file) => before.has(file)));
}

function keyOf(
  link: ChainLink,
  functionName: string | undefined,
  shared: ReadonlySet<string | undefined>,
): string {
  const file = shared.has(link.file) ? link.file : undefined;
  return `${functionName ?? link.file ?? moduleOf(link)}\0${file ?? ''}\0${instructionShape(link.instruction)}`;
}

/** The mnemonic and the kinds of its operands: `add rax, [rbx+8]` and `add rcx, [rdx]` are both `add r,m`. */
function instructionShape(instruction: string): string {
  const blank = instruction.search(/\s/);
  if (blank < 0) return instruction;
  const operands = instruction
    .slice(blank)
    .replace(/\[[^\]]*\]/g, '[]')
    .split(',');
  return `${instruction.slice(0, blank)} ${operands.map(operandKind).join(',')}`;
}

function operandKind(operand: string): string {
  const text = operand.trim().toLowerCase();
  if (text.includes('[')) return 'm';
  if (/^(?:[xyz]mm|mm|st|k)\d*/.test(text)) return 'v';
  return /^[-+]?\d/.test(text) || /^[0-9a-f]+h$/.test(text) ? 'i' : 'r';
}
