import { LINK_SLOT, LINK_TABLE, LINK_TABLE_SLOTS, MEMORY_PAGES } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { LOG_ENTRY, type TagLog } from './tag-code.ts';

/** Half of the slots at most have a place. */
const MOST_PLACES = LINK_TABLE_SLOTS / 2;
/** Instructions whose entries in the log fit the host's second-level cache. */
const CACHED = 1 << 14;
/** So many links of as many instructions, and the next ones are loaded before: for fewer it takes longer to load all than to wait for each. */
const DENSE = 128;
/** Instructions whose entries lie in a line of the host's cache. */
const LINE = 64 / LOG_ENTRY;

/** Offsets in a slot: the place, how many links are there, and the number of the one that was read last. */
const COUNT = 4;
const LAST = 8;

export type HearLinks = (place: number, count: number, first: number) => void;

/**
 * Follows a chain backwards through the log of producers (tag-code.ts) and counts its links by their instructions' places, in a hash table of this memory: in
 * WebAssembly a link takes half the time that it takes JavaScript. Where links are dense, the log is brought into the cache before, part by part and
 * several lines at a time, for who follows a chain waits for each: without it a link took twice as long.
 */
export class LinkReader {
  private readonly slots: Int32Array;
  private readonly follow: (from: number, after: number, places: number) => number;

  constructor(memory: WebAssembly.Memory, log: TagLog) {
    this.slots = new Int32Array(memory.buffer, LINK_TABLE, (LINK_TABLE_SLOTS * LINK_SLOT) / 4);
    const module = new ModuleBuilder('links');
    module.importMemory('env', 'memory', MEMORY_PAGES);
    module.export('follow', module.define(follow(log)));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env: { memory } });
    this.follow = instance.exports.follow as LinkReader['follow'];
  }

  /** Follows a chain from an instruction on, by its number in tags, while it is behind `after`. Gives the number that comes then. */
  read(from: number, after: number, hear: HearLinks): number {
    let next = from;
    while (next > after) {
      next = this.follow(next, after, MOST_PLACES) >>> 0;
      this.drain(hear);
    }
    return next;
  }

  private drain(hear: HearLinks): void {
    const { slots } = this;
    for (let slot = 0; slot < slots.length; slot += LINK_SLOT / 4) {
      if (slots[slot] === 0) continue;
      hear(slots[slot], slots[slot + COUNT / 4] >>> 0, slots[slot + LAST / 4] >>> 0);
      slots[slot] = 0;
    }
  }
}

/** Pushes where the entry of a number is, relative to the log. */
function pushEntry(f: FunctionBuilder, log: TagLog, number: number): void {
  f.get(number);
  f.i32(log.slots - 1);
  f.op('i32.and');
  f.i32(Math.log2(LOG_ENTRY));
  f.op('i32.shl');
}

/** (number, number that it ends at, places that there is room for) -> the number where it ended. */
function follow(log: TagLog): FunctionBuilder {
  const f = new FunctionBuilder({ params: ['i32', 'i32', 'i32'], results: ['i32'] });
  const [next, after, room] = [0, 1, 2];
  const part = f.local('i32');
  const word = f.local('i64');
  const place = f.local('i32');
  const slot = f.local('i32');
  /** In the part before, and in this one. */
  const links = f.local('i32');
  const whole = f.block();
  const parts = f.loop();
  // Where the part ends: before its first number.
  f.get(after);
  f.get(next);
  f.i32(CACHED);
  f.op('i32.sub');
  f.get(next);
  f.get(after);
  f.op('i32.sub');
  f.i32(CACHED);
  f.op('i32.le_u');
  f.op('select');
  f.set(part);
  f.get(links);
  f.i32(DENSE);
  f.op('i32.ge_u');
  f.if();
  emitFetch(f, log, next, part);
  f.end();
  f.i32(0);
  f.set(links);
  const each = f.loop();
  pushEntry(f, log, next);
  f.memory('i64.load', log.at);
  f.tee(word);
  f.i64(32n);
  f.op('i64.shr_u');
  f.op('i32.wrap_i64');
  f.set(place);
  emitSlot(f, place, slot, room, whole);
  f.get(slot);
  f.get(slot);
  f.memory('i32.load', LINK_TABLE + COUNT);
  f.i32(1);
  f.op('i32.add');
  f.memory('i32.store', LINK_TABLE + COUNT);
  f.get(slot);
  f.get(next);
  f.memory('i32.store', LINK_TABLE + LAST);
  f.get(links);
  f.i32(1);
  f.op('i32.add');
  f.set(links);
  f.get(word);
  f.op('i32.wrap_i64');
  f.tee(next);
  f.get(part);
  f.op('i32.gt_u');
  f.brIf(each, 'likely');
  f.end();
  f.get(next);
  f.get(after);
  f.op('i32.gt_u');
  f.brIf(parts);
  f.end();
  f.end();
  f.get(next);
  return f;
}

/** Finds the slot that a place has, or gives it one; goes to `full` where there is no room. */
function emitSlot(f: FunctionBuilder, place: number, slot: number, room: number, full: number): void {
  const known = f.local('i32');
  f.get(place);
  // The golden ratio spreads neighbours (Knuth, The Art of Computer Programming, volume 3, 6.4).
  f.i32(0x9e37_79b1 | 0);
  f.op('i32.mul');
  f.i32(32 - Math.log2(LINK_TABLE_SLOTS));
  f.op('i32.shr_u');
  f.i32(Math.log2(LINK_SLOT));
  f.op('i32.shl');
  f.set(slot);
  const found = f.block();
  const probes = f.loop();
  f.get(slot);
  f.memory('i32.load', LINK_TABLE);
  f.tee(known);
  f.get(place);
  f.op('i32.eq');
  f.brIf(found, 'likely');
  f.get(known);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  f.get(room);
  f.op('i32.eqz');
  f.brIf(full);
  f.get(room);
  f.i32(1);
  f.op('i32.sub');
  f.set(room);
  f.get(slot);
  f.get(place);
  f.memory('i32.store', LINK_TABLE);
  f.get(slot);
  f.i32(0);
  f.memory('i32.store', LINK_TABLE + COUNT);
  f.br(found);
  f.end();
  f.get(slot);
  f.i32(LINK_SLOT);
  f.op('i32.add');
  f.i32((LINK_TABLE_SLOTS - 1) * LINK_SLOT);
  f.op('i32.and');
  f.set(slot);
  f.br(probes);
  f.end();
  f.end();
}

/** Loads a word of each line of the log that numbers behind `part` and up to `next` have. */
function emitFetch(f: FunctionBuilder, log: TagLog, next: number, part: number): void {
  const at = f.local('i32');
  const sum = f.local('i32');
  f.get(next);
  f.set(at);
  const lines = f.loop();
  f.get(sum);
  pushEntry(f, log, at);
  f.memory('i32.load', log.at);
  f.op('i32.xor');
  f.set(sum);
  f.get(at);
  f.i32(LINE);
  f.op('i32.sub');
  f.tee(at);
  f.get(part);
  f.op('i32.sub');
  f.i32(0);
  f.op('i32.gt_s');
  f.brIf(lines);
  f.end();
  // Lest the loads be left out.
  f.i32(0);
  f.get(sum);
  f.memory('i32.store', LINK_TABLE + LAST + 4);
}
