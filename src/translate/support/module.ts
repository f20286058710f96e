import type { Signature } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { type CachePlace, defineCachedLookup, defineLargeLookup } from '../cached-lookup.ts';
import type { Instruments } from '../instruments.ts';
import { does, type EngineLimits } from '../limits.ts';
import { importSpace } from '../space.ts';
import type { MemoryEvents } from '../steps/check-range.ts';
import type { Measure } from '../steps/measure.ts';
import { defineQuietPage } from '../steps/quiet-pages.ts';
import { defineNoted, SlowPaths } from '../steps/slow-paths.ts';
import { defineShortLoad, defineShortStore } from './edges.ts';
import { defineLoadStep, defineStoreStep } from './memory.ts';
import { defineNoteExit, defineNoteJump } from './misses.ts';
import { defineDispatch, defineEndSlice } from './support.ts';

export interface SupportOptions {
  readonly memory: WebAssembly.Memory;
  readonly measure: Measure;
  readonly limits: EngineLimits;
  readonly mxcsr: number;
  readonly jumpTargets: CachePlace;
  /** Where the larger cache behind it is. */
  readonly largeJumpCache: number;
  readonly counters: Instruments['counters'];
}

/** What all regions and handlers of a code cache call, in a module of its own; it imports what JavaScript does from `env`. */
export function instantiateSupport(
  env: WebAssembly.ModuleImports,
  options: SupportOptions,
): WebAssembly.ModuleImports {
  const { measure, limits, counters } = options;
  const module = new ModuleBuilder('support');
  importSpace(module);
  const resolve = module.importFunction('env', 'resolve', { params: ['i64'], results: ['i32'] });
  const serve = module.importFunction('env', 'serve', { params: ['i32'], results: [] });
  const memoryEvents: MemoryEvents = {
    pageFault: module.importFunction('env', 'pageFault', { params: ['i64', 'i32'], results: [] }),
    prepareStore: module.importFunction('env', 'prepareStore', {
      params: ['i32', 'i32', 'i32'],
      results: [],
    }),
    addBytes: module.importFunction('env', 'addBytes', { params: ['i32'], results: [] }),
    recall: module.importFunction('env', 'recall', { params: ['i32', 'i32'], results: ['i32'] }),
    beyond: module.importFunction('env', 'beyond', { params: ['i64', 'i32', 'i32'], results: ['i32'] }),
    away: module.importFunction('env', 'away', {
      params: ['i64', 'i32', 'i32'],
      results: ['i32'],
    }),
  };
  const placeOf = module.importFunction('env', 'placeOf', { params: ['i64'], results: ['i32'] });
  const [hearJump, hearCall] = ['hearJump', 'hearCall'].map((name) =>
    module.importFunction('env', name, { params: ['i32', 'i32', 'i32'], results: [] }),
  );
  const hearExit = module.importFunction('env', 'hearExit', { params: ['i32', 'i32'], results: [] });
  const notes = importNotes(module, env, options);
  const endSlice = module.importFunction('env', 'endSlice', { params: ['i32'], results: ['i32'] });
  const large = defineLargeLookup(module, resolve, options.largeJumpCache);
  const lookup = defineCachedLookup(module, large, options.jumpTargets);
  module.export('lookup', lookup);
  module.export('noteJump', defineNoteJump(module, { placeOf, hear: hearJump }, limits));
  module.export('noteCall', defineNoteJump(module, { placeOf, hear: hearCall }, limits));
  module.export('noteExit', defineNoteExit(module, hearExit, limits));
  module.export('endSliceCarrying', defineEndSlice(module, endSlice));
  module.export('dispatch', defineDispatch(module, lookup, options.mxcsr));
  const isShort = does(limits, 'short ways');
  const anyLoad = defineLoadStep(module, memoryEvents, measure.entry);
  const { mayBeIdle } = measure;
  const defineStore = (asksIdle: boolean): number => {
    const any = defineStoreStep(module, memoryEvents, measure.entry, asksIdle);
    const bytewise = does(limits, 'bytewise pages') ? limits : undefined;
    return isShort ? defineShortStore(module, any, measure.entry, { asksIdle, bytewise }) : any;
  };
  const loadStep = isShort ? defineShortLoad(module, anyLoad, measure.entry) : anyLoad;
  const storeStep = defineStore(mayBeIdle);
  const noted = (name: string, signature: Signature, work: number) =>
    counters.isOn ? defineNoted(module, signature, notes[name], work) : work;
  const load: Signature = { params: ['i64', 'i32'], results: ['v128'] };
  const store: Signature = { params: ['i64', 'i32', 'v128'], results: [] };
  module.export('loadStep', noted('noteLoad', load, loadStep));
  module.export('storeStep', noted('noteStore', store, storeStep));
  module.export('storeStepInside', noted('noteStore', store, mayBeIdle ? defineStore(false) : storeStep));
  const repeats = does(limits, 'repeated strings');
  module.export('service', repeats ? measure.defineService(module, { serve, loadStep, storeStep }) : serve);
  if (measure.hasQuietPages) module.export('quietPage', defineQuietPage(module, loadStep));
  const instance = new WebAssembly.Instance(
    new WebAssembly.Module(module.build(does(limits, 'branch hints'))),
    { env },
  );
  return instance.exports as WebAssembly.ModuleImports;
}

/** What the slow paths of memory accesses tell whoever counts them. */
function importNotes(
  module: ModuleBuilder,
  env: WebAssembly.ModuleImports,
  { memory, measure, counters }: SupportOptions,
): Record<string, number> {
  if (!counters.isOn) return {};
  const { noteLoad, noteStore } = new SlowPaths(memory.buffer, counters, measure.entry);
  Object.assign(env, { noteLoad, noteStore });
  const imported = (name: string) =>
    module.importFunction('env', name, { params: ['i32', 'i32', 'i32'], results: [] });
  return { noteLoad: imported('noteLoad'), noteStore: imported('noteStore') };
}
