import {
  CONTEXT_ASKS,
  CONTEXT_FUNCTIONS,
  CONTEXT_HELD,
  CONTEXT_LIMIT,
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  CONTEXT_STACK,
  CONTEXT_TOP,
  MAIN_STACK_START,
  STACK_HIGH,
  STACK_LOW,
} from '../../guest/layout.ts';
import type { ContextFunctions } from '../../translate/contexts/functions.ts';
import {
  FIRST_NODE,
  FRAME,
  MOST_LAYERS,
  OTHER_STACK,
  RUN_FRAME,
  UNLISTED,
  UNLISTED_EDGE,
} from '../../translate/contexts/records.ts';
import type { StackMove } from './call-tree.ts';
import { Stack, type StackRange, type Stacks } from './stacks.ts';

/** Contexts of a stack that was left. */
interface LeftContexts {
  /** In order of leaving. */
  readonly id: number;
  /** In the first bytes of a buffer that serves for others afterwards. */
  readonly frames: Int32Array;
  readonly size: number;
  /** A bit for each lane that measures one of them, and each depth, modulo 32, at which one has opened. */
  readonly lanes: number;
  readonly depths: number;
  /** Whether calls in them are listed, which may have ended. */
  readonly hasCalls: boolean;
}

/** The stacks of a thread and the contexts on them. */
export interface ThreadStacks {
  readonly stacks: Stacks;
  /** Of `stacks.entered`, but for the first: the frame below those of its contexts... */
  readonly below: number[];
  /** ...and, where these are deeper or less deep than when they opened, a bit for each depth, modulo 32, at which one has opened; else 0. */
  readonly moved: number[];
  readonly left: Map<Stack, LeftContexts>;
  /** Buffers for contexts of stacks that are left. */
  readonly buffers: Int32Array[];
}

export const threadStacks = (stacks: Stacks): ThreadStacks => ({
  stacks,
  below: [],
  moved: [],
  left: new Map(),
  buffers: [],
});

/** What it knows of the thread that runs. */
interface StackContextsParts {
  readonly buffer: ArrayBuffer;
  readonly opener: ContextFunctions;
  /** The layer that the pass measures. */
  readonly layer: number;
  readonly thread: () => ThreadStacks;
  /** Contexts have been left on a stack, or are there again. */
  readonly moved: (move: StackMove) => void;
  /** The sums in which a call of the function counts, by the key of the call that it is in. */
  readonly edgeFor: (key: number, fn: number) => number;
  /** Nobody asks for the sums any more that a call has by its key. */
  readonly dropSums: (key: number) => void;
  readonly stackFull: () => void;
}

/**
 * Contexts on several stacks (rule 9). Frames of all stacks that were entered one from the other lie above each other, so that the innermost
 * context is on top, with a frame between two stacks that looks like the one from where the upper one was entered but that it never
 * ends. When a stack is left, the frames of its contexts are kept elsewhere until it is entered again: then they are on top of
 * whatever is innermost by then, as deep as that makes them.
 *
 * Coroutines change stacks some million times a second: 0.15 µs for each, 1.1 before all of it were words and numbers.
 */
export class StackContexts {
  /** Layers that were met so far. */
  layers = 1;
  private readonly parts: StackContextsParts;
  private readonly words: Int32Array;
  private nextId = 0;

  constructor(parts: StackContextsParts) {
    this.parts = parts;
    this.words = new Int32Array(parts.buffer);
  }

  /** Code has set rsp. */
  set(before: number, rsp: number): void {
    const [own] = this.parts.thread().stacks.entered;
    if (own.kind === 'main') own.grow(this.words[MAIN_STACK_START >> 2] >>> 0);
    this.goTo(this.parts.thread().stacks.after(before, rsp));
  }

  /** A signal's handler begins on the alternate stack. */
  enterAlternate(before: number, range: StackRange): void {
    const { stacks } = this.parts.thread();
    const known = stacks.entered.find((stack) => stack.kind === 'alternate');
    stacks.present.note(before);
    this.goTo(known ?? Stack.alternate(range));
  }

  /** A stack of the thread is elsewhere now. */
  shift(stack: Stack, distance: number): void {
    const { stacks, below, left } = this.parts.thread();
    const at = stacks.entered.indexOf(stack);
    if (at > 0)
      shiftSlots(this.words, below[at - 1] + FRAME.size, below[at] ?? this.top + FRAME.size, distance);
    const kept = left.get(stack);
    if (kept !== undefined) shiftSlots(kept.frames, 0, kept.size, distance);
  }

  private goTo(stack: Stack): void {
    const { stacks } = this.parts.thread();
    const { entered } = stacks;
    if (stack !== stacks.present) {
      if (entered.includes(stack)) while (stacks.present !== stack) this.leave();
      else {
        // What was called on the alternate stack ends with it; nothing is to be kept of a stack without contexts.
        while (entered.length > 1 && (stacks.present.kind === 'alternate' || this.top === this.below))
          this.leave();
        this.enter(stack);
      }
    }
    this.share();
  }

  /** The frame below those of the present stack, which was entered from another one. */
  private get below(): number {
    const { below } = this.parts.thread();
    return below[below.length - 1];
  }

  private leave(): void {
    const { thread, opener } = this.parts;
    const now = thread();
    const { stacks } = now;
    const stack = stacks.present;
    const { below } = this;
    if (stack.kind === 'alternate') opener.finish(below);
    if (this.top > below) this.keep(stack, below);
    stacks.entered.pop();
    now.below.pop();
    now.moved.pop();
    const from = below - FRAME.size;
    // What counts for the context from where it was entered.
    this.words[(from + FRAME.key) >> 2] = this.words[(below + FRAME.key) >> 2];
    this.words[(from + FRAME.children) >> 2] = this.words[(below + FRAME.children) >> 2];
    this.words[CONTEXT_TOP >> 2] = from;
  }

  private keep(stack: Stack, below: number): void {
    const { thread, moved } = this.parts;
    const { stacks, left, buffers } = thread();
    const { words, top } = this;
    const id = this.nextId++;
    let lanes = 0;
    let depths = 0;
    let hasCalls = false;
    for (let frame = below + FRAME.size; frame <= top; frame += FRAME.size) {
      const layer = words[(frame + FRAME.layer) >> 2];
      if ((layer & LAYER) === 0) words[(frame + FRAME.layer) >> 2] = layer | 1;
      depths |= 1 << words[(frame + FRAME.home) >> 2];
      const lane = (words[(frame + FRAME.lane) >> 2] << 16) >> 16;
      if (lane >= 0) lanes |= 1 << lane;
      hasCalls ||= words[(frame + FRAME.children) >> 2] > 0 || (layer & HAS_OTHERS) !== 0;
    }
    if (hasCalls) moved({ kind: 'left', id, depth: words[(below + FRAME.depth) >> 2] });
    const size = top - below;
    let frames = buffers.pop();
    if (frames === undefined || 4 * frames.length < size)
      frames = new Int32Array(Math.max(USUAL_FRAMES, size >> 2));
    for (let i = 0, at = (below + FRAME.size) >> 2; i < size >> 2; i++, at++) frames[i] = words[at];
    const slot = FRAME.slot >> 2;
    stack.reach((frames[slot] >>> 0) + 2 ** 32 * frames[slot + 1]);
    left.set(stack, { id, frames, size, lanes, depths, hasCalls });
    stacks.left.add(stack);
  }

  private enter(stack: Stack): void {
    const { words } = this;
    const now = this.parts.thread();
    const { stacks, left } = now;
    const from = this.top;
    const below = from + FRAME.size;
    const contexts = left.size === 0 ? undefined : left.get(stack);
    if (below + FRAME.size + (contexts?.size ?? 0) > CONTEXT_FUNCTIONS) this.parts.stackFull();
    for (let i = from >> 2; i < below >> 2; i++) words[i + FRAME.size / 4] = words[i];
    words[(below + FRAME.slot) >> 2] = BETWEEN_LOW;
    words[((below + FRAME.slot) >> 2) + 1] = BETWEEN_HIGH;
    words[(below + FRAME.lane) >> 2] |= 0xffff;
    words[CONTEXT_TOP >> 2] = below;
    stacks.entered.push(stack);
    const isMoved = contexts !== undefined && this.resume(stack, contexts, below);
    now.below.push(below);
    now.moved.push(isMoved ? contexts.depths : 0);
  }

  /** Contexts are there again, above a frame. Tells whether they are as deep as when they opened. */
  private resume(stack: Stack, { id, frames, size, hasCalls }: LeftContexts, below: number): boolean {
    const { words } = this;
    const { thread, moved, edgeFor } = this.parts;
    const { stacks, left, buffers } = thread();
    left.delete(stack);
    stacks.left.delete(stack);
    const first = below + FRAME.size;
    const end = first + size;
    for (let i = 0, at = first >> 2; i < size >> 2; i++, at++) words[at] = frames[i];
    buffers.push(frames);
    let depth = words[(below + FRAME.depth) >> 2];
    const key = words[(below + FRAME.key) >> 2];
    const isListed = key !== UNLISTED;
    if (hasCalls) moved({ kind: isListed ? 'entered' : 'dropped', id, depth });
    let isMoved = false;
    // Functions that are measured wherever they are entered have no depth.
    if (words[(first + FRAME.home) >> 2] > 0)
      for (let frame = first; frame < end; frame += FRAME.size) {
        words[(frame + FRAME.depth) >> 2] = ++depth;
        const opens = (frame + FRAME.lane) >> 2;
        words[opens] = (words[opens] & 0xffff) | (this.opensAt(depth) ? 0x1_0000 : 0);
        isMoved ||= words[(frame + FRAME.home) >> 2] !== depth;
        if (!isListed) this.unlist(frame);
      }
    if (words[(first + FRAME.edge) >> 2] === 0) words[(below - FRAME.size + FRAME.layer) >> 2] |= HAS_OTHERS;
    else {
      const fn = words[(first + FRAME.function) >> 2];
      words[(first + FRAME.edge) >> 2] = key < FIRST_NODE ? UNLISTED_EDGE : edgeFor(key, fn);
    }
    words[CONTEXT_TOP >> 2] = end - FRAME.size;
    return isMoved;
  }

  /** What is in a call that is not listed is not listed either. */
  private unlist(frame: number): void {
    const { words } = this;
    const key = words[(frame + FRAME.key) >> 2];
    if (key >= FIRST_NODE) this.parts.dropSums(key);
    words[(frame + FRAME.key) >> 2] = UNLISTED;
    words[(frame + FRAME.edge) >> 2] = UNLISTED_EDGE;
  }

  private opensAt(depth: number): boolean {
    const limit = this.words[CONTEXT_LIMIT >> 2];
    return depth > 0 && (limit < 0 || depth < limit);
  }

  /** Tells generated code what it asks of the innermost context and the present stack. */
  share(): void {
    const { words } = this;
    const { thread, layer } = this.parts;
    const { stacks, moved, left } = thread();
    const { top } = this;
    words[CONTEXT_SLOT >> 2] = words[(top + FRAME.slot) >> 2];
    words[(CONTEXT_SLOT >> 2) + 1] = words[((top + FRAME.slot) >> 2) + 1];
    words[CONTEXT_OPENS >> 2] = words[(top + FRAME.lane) >> 2] >>> 16;
    const { kind, start, end } = stacks.present;
    this.setLong(STACK_LOW, kind === 'other' ? -1 : start + 1);
    this.setLong(STACK_HIGH, end);
    let asks = layer > 1 ? -1 : 0;
    for (const depths of moved) asks |= depths;
    let held = 0;
    if (left.size > 0)
      for (const { lanes, depths } of left.values()) {
        held |= lanes;
        asks |= depths;
      }
    words[CONTEXT_ASKS >> 2] = asks;
    words[CONTEXT_HELD >> 2] = held;
  }

  private setLong(at: number, value: number): void {
    this.words[at >> 2] = value | 0;
    this.words[(at >> 2) + 1] = Math.floor(value / 2 ** 32);
  }

  /** The layer of a call that opens at a depth: the first that no other one of the depth has; 0 where there is none. */
  layerOf(depth: number): number {
    const { words } = this;
    const { stacks, below, moved, left } = this.parts.thread();
    let used = 1;
    const look = (frames: Int32Array, from: number, end: number) => {
      for (let frame = from; frame < end; frame += FRAME.size)
        if (frames[(frame + FRAME.home) >> 2] === depth && !isBetween(frames, frame))
          used |= 1 << (frames[(frame + FRAME.layer) >> 2] & LAYER);
    };
    for (const { frames, size } of left.values()) look(frames, 0, size);
    // Those that have not moved are less deep.
    const first = moved.findIndex((depths) => depths !== 0);
    if (first >= 0) look(words, below[first], this.top + FRAME.size);
    const layer = 31 - Math.clz32(~used & (used + 1));
    // Those on the thread's own stack nest: there is always a layer for them.
    if (layer > MOST_LAYERS + (stacks.entered.length === 1 ? 1 : 0)) return 0;
    this.layers = Math.max(this.layers, layer);
    return layer;
  }

  /** The thread has ended, and all its contexts with it. */
  finish(): void {
    const { thread, opener } = this.parts;
    const { stacks, left } = thread();
    const end = () => {
      opener.finish(this.below);
      this.leave();
    };
    while (stacks.entered.length > 1) end();
    for (const stack of left.keys()) {
      this.enter(stack);
      end();
    }
    opener.finish(CONTEXT_STACK);
  }

  /** Visits the function of each context that is open. */
  eachFunction(visit: (fn: number) => void): void {
    const look = (frames: Int32Array, from: number, end: number) => {
      for (let frame = from; frame < end; frame += FRAME.size)
        if (!isBetween(frames, frame)) visit(frames[(frame + FRAME.function) >> 2]);
    };
    look(this.words, RUN_FRAME, this.top + FRAME.size);
    for (const { frames, size } of this.parts.thread().left.values()) look(frames, 0, size);
  }

  private get top(): number {
    return this.words[CONTEXT_TOP >> 2];
  }
}

function shiftSlots(frames: Int32Array, from: number, end: number, distance: number): void {
  for (let frame = from; frame < end; frame += FRAME.size) {
    const at = (frame + FRAME.slot) >> 2;
    const slot = (frames[at] >>> 0) + 2 ** 32 * frames[at + 1] + distance;
    frames[at] = slot | 0;
    frames[at + 1] = Math.floor(slot / 2 ** 32);
  }
}

/** Words of a buffer for contexts of a stack: more are open on few. */
const USUAL_FRAMES = (8 * FRAME.size) / 4;

/** In FRAME.layer: the layer, and that calls which began elsewhere may end in the context. */
const LAYER = 0xff;
const HAS_OTHERS = 0x100;

/** OTHER_STACK in words. */
const [BETWEEN_LOW, BETWEEN_HIGH] = [Number(BigInt.asIntN(32, OTHER_STACK)), Number(OTHER_STACK >> 32n)];

/** Whether a frame is one between two stacks. */
const isBetween = (frames: Int32Array, frame: number): boolean =>
  frames[((frame + FRAME.slot) >> 2) + 1] === BETWEEN_HIGH &&
  frames[(frame + FRAME.slot) >> 2] === BETWEEN_LOW;
