import type { Image } from '../../elf/image.ts';
import type { FunctionNames } from '../../elf/names.ts';
import { type Sweep, sweep } from '../../x86/sweep.ts';
import { type FunctionCode, functionsOf, type ImageBytes, imageBytes } from './code.ts';
import { type FlowGraph, flowGraph, mayLoop } from './graph.ts';
import { jumpTargetsOf } from './jump-targets.ts';
import { type Loops, loopsOf } from './natural-loops.ts';
import { type Callees, calleesOf } from './no-return.ts';

/** A function that has loops, with its graph. */
export interface LoopedFunction {
  readonly code: FunctionCode;
  readonly graph: FlowGraph;
  readonly loops: Loops;
  readonly frame: boolean;
}

export interface FoundLoops {
  readonly functions: readonly LoopedFunction[];
  readonly bytes: ImageBytes;
  readonly callees: Callees;
  /** Functions looked at, and instructions in them. */
  readonly functionCount: number;
  readonly instructionCount: number;
}

/** No compiler makes one so large; what claims to be is a damaged or hand-made symbol. */
const LARGEST_FUNCTION = 2 ** 26;

/**
 * Every loop of an image's functions; `wanted` chooses among them. Time grows with the code, about 100 ns an instruction.
 * `wanted` is asked with symbols, the result has names as users know them. `seenJumps` tells where the indirect jump at an address was seen to go, for those whose tables are not visible.
 */
export function findLoops(
  image: Image,
  externals: ReadonlyMap<number, string>,
  names: FunctionNames,
  wanted: (code: FunctionCode) => boolean,
  seenJumps: (address: number) => readonly number[] = () => [],
): FoundLoops {
  const bytes = imageBytes(image);
  const functions: LoopedFunction[] = [];
  let functionCount = 0;
  let instructionCount = 0;
  const all = functionsOf(image);
  const callees = calleesOf(image, all, externals, names, bytes);
  for (const code of all) {
    if (!wanted(code)) continue;
    functionCount++;
    const own = bytes.at(code.start, Math.min(code.end - code.start, LARGEST_FUNCTION));
    if (own.length === 0) continue;
    const swept = sweep(own, code.start);
    instructionCount += swept.instructions;
    if (!mayLoop(swept)) continue;
    const looped = loopsIn(code, swept, bytes, callees.neverReturns, seenJumps);
    if (looped.loops.loops.length + looped.loops.irreducible.length > 0)
      functions.push({
        ...looped,
        code: { ...code, name: code.name && names.shown(code.name) },
        frame: keepsFrame(own),
      });
  }
  return { functions, bytes, callees, functionCount, instructionCount };
}

function loopsIn(
  code: FunctionCode,
  swept: Sweep,
  bytes: ImageBytes,
  neverReturns: (target: number) => boolean,
  seenJumps: (address: number) => readonly number[],
): Omit<LoopedFunction, 'frame'> {
  const visible = jumpTargetsOf(swept, bytes);
  const jumpTargets: typeof visible = (event) => visible(event) ?? seenJumps(event.address);
  const graph = flowGraph(swept, { jumpTargets, neverReturns });
  return { code, graph, loops: loopsOf(graph.successors) };
}

/** Whether rbp points to the stack frame: `mov rbp,rsp` stands among the first instructions. */
function keepsFrame(code: Uint8Array): boolean {
  for (let i = 0; i + 2 < Math.min(code.length, 48); i++)
    if (
      code[i] === 0x48 &&
      ((code[i + 1] === 0x89 && code[i + 2] === 0xe5) || (code[i + 1] === 0x8b && code[i + 2] === 0xec))
    )
      return true;
  return false;
}
