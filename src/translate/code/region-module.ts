import type { ValueType } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { HELPERS } from '../../x86/helpers.ts';
import { emitRegion } from '../emission/emit.ts';
import {
  CLOSE_TYPE,
  END_SLICE_TYPE,
  OPEN_TYPE,
  PUSH_LEAF_TYPE,
  REGION_TYPE,
  type RegionEnvironment,
  type RegionImports,
} from '../region-interface.ts';
import type { Region, RegionEntry } from '../regions/region.ts';
import { stackSetIn } from '../regions/stack-offsets.ts';
import type { Measure } from '../steps/measure.ts';
import { defineWayIn } from '../support/support.ts';

/** An entry of a region and the slot that it has for itself. */
export interface EntrySlot {
  readonly entry: RegionEntry;
  readonly slot: number;
}

/** A region on its way into a module. */
export interface RegionParts {
  readonly region: Region;
  readonly measure: Measure;
  readonly environment: RegionEnvironment;
  /** The slot that it is made for, and those of the entries that lead into it. */
  readonly slot: number;
  readonly entries: readonly EntrySlot[];
  /** Hears what locals hold. */
  readonly locals: Map<number, string>;
}

/** Defines a region and the ways into it, and places them in their slots. */
export function defineRegion(module: ModuleBuilder, parts: RegionParts): void {
  const { region, measure, environment, slot, entries, locals } = parts;
  const imports = importsOf(module, parts);
  const refuse =
    entries.length > 0 ? module.importFunction('env', 'refuseEntry', { params: ['i32'], results: [] }) : -1;
  const body = module.define(emitRegion(region, measure, imports, environment, slot, locals));
  module.place(slot, body);
  for (const way of entries) module.place(way.slot, defineWayIn(module, { body, refuse, ...way }));
}

function importsOf(module: ModuleBuilder, { region, environment }: RegionParts): RegionImports {
  const regionType = module.type(REGION_TYPE);
  const helpers = new Map<string, number>();
  for (const { lifted } of region.blocks)
    for (const name of lifted.helpers) {
      if (helpers.has(name)) continue;
      const helper = HELPERS.get(name);
      if (helper === undefined) throw new Error(`no helper ${name}`);
      helpers.set(name, module.importFunction('helper', name, helper));
    }
  const imported = (name: string, params: ValueType[], results: ValueType[]) =>
    module.importFunction('env', name, { params, results });
  const callsInLine = region.blocks.some(({ calls }) => calls !== undefined)
    ? {
        noteCall: imported('noteCall', ['i32', 'i32', 'i64'], []),
        countLeaves: imported('countLeaves', [], []),
        isLinking: imported('isLinking', ['i64'], ['i32']),
        leafLane: imported('leafLane', ['i32'], ['i32']),
        pushLeaf: module.importFunction('env', 'pushLeaf', PUSH_LEAF_TYPE),
        raiseSteps: imported('raiseSteps', [], []),
        storeStepInside: imported('storeStepInside', ['i64', 'i32', 'v128'], []),
      }
    : {
        noteCall: -1,
        countLeaves: -1,
        isLinking: -1,
        leafLane: -1,
        pushLeaf: -1,
        raiseSteps: -1,
        storeStepInside: -1,
      };
  return {
    regionType,
    lookup: imported('lookup', ['i64'], ['i32']),
    variant: imported('variant', ['i32'], ['i32']),
    openByCall: module.importFunction('env', 'openCarrying', OPEN_TYPE),
    openByJump: imported('openByJump', ['i32', 'i64'], []),
    enterHooked: imported('enterHooked', ['i32'], []),
    close: module.importFunction('env', 'closeCarrying', CLOSE_TYPE),
    setStack: region.blocks.some(({ lifted }) => stackSetIn(lifted) !== undefined)
      ? imported('setStack', ['i64'], [])
      : -1,
    ...callsInLine,
    endSlice: module.importFunction('env', 'endSliceCarrying', END_SLICE_TYPE),
    noteJump: imported('noteJump', ['i32', 'i32', 'i64'], []),
    noteExit: imported('noteExit', ['i32', 'i32'], []),
    service: imported('service', ['i32'], []),
    raise: imported('raise', ['i32', 'i32'], []),
    checkStore: region.blocks.some(({ lifted }) => lifted.statements.some(({ kind }) => kind === 'check'))
      ? imported('checkStore', ['i64', 'i32'], [])
      : -1,
    loadStep: imported('loadStep', ['i64', 'i32'], ['v128']),
    storeStep: imported('storeStep', ['i64', 'i32', 'v128'], []),
    countJump: environment.tally === undefined ? -1 : imported('countJump', ['i32', 'i64'], []),
    probed: environment.probes === undefined ? -1 : imported('probed', [], []),
    helpers,
  };
}
