import {
  CONTEXT_ASKS,
  CONTEXT_FUNCTIONS,
  CONTEXT_HELD,
  CONTEXT_LIMIT,
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  CONTEXT_STACK,
  CONTEXT_TOP,
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
import { Stack, Stacks } from './stacks.ts';

/** Contexts of a stack that was left: their frames, and the lanes that measure some of them, a bit each. */
interface LeftContexts {
  /** In order of leaving. */
  readonly id: number;
  readonly frames: Uint8Array;
  readonly lanes: number;
}

/** The stacks of a thread and the contexts on them. */
export interface ThreadStacks {
  readonly stacks: Stacks;
  /** Of a stack that was entered from another one: the frame below those of its contexts, and whether these are deeper or less deep than when they opened. */
  readonly below: Map<Stack, { readonly frame: number; readonly isMoved: boolean }>;
  readonly left: Map<Stack, LeftContexts>;
}

export const threadStacks = (own: Stack): ThreadStacks => ({
  stacks: new Stacks(own),
  below: new Map(),
  left: new Map(),
});

/** What it knows of the thread that runs. */
interface StackContextsParts {
  readonly view: DataView;
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
 */
export class StackContexts {
  /** Layers that were met so far. */
  layers = 1;
  private readonly parts: StackContextsParts;
  private readonly bytes: Uint8Array;
  private nextId = 0;

  constructor(parts: StackContextsParts) {
    this.parts = parts;
    this.bytes = new Uint8Array(parts.view.buffer);
  }

  /** Code has set rsp. */
  set(before: number, rsp: number): void {
    this.goTo(this.parts.thread().stacks.after(before, rsp));
  }

  /** A signal's handler begins on the alternate stack. */
  enterAlternate(before: number, start: number, end: number): void {
    const { stacks } = this.parts.thread();
    const known = stacks.entered.find((stack) => stack.kind === 'alternate');
    stacks.present.note(before);
    this.goTo(known ?? Stack.alternate(start, end));
  }

  private goTo(stack: Stack): void {
    const { stacks } = this.parts.thread();
    const { entered } = stacks;
    if (stack === stacks.present) return;
    if (entered.includes(stack)) while (stacks.present !== stack) this.leave();
    else {
      // What was called on the alternate stack ends with it; nothing is to be kept of a stack without contexts.
      while (entered.length > 1 && (stacks.present.kind === 'alternate' || this.isEmpty)) this.leave();
      this.enter(stack);
    }
    this.share();
  }

  /** Whether there is no context on the present stack, which was entered from another one. */
  private get isEmpty(): boolean {
    return this.top === this.frameBelow;
  }

  private get frameBelow(): number {
    const { stacks, below } = this.parts.thread();
    return below.get(stacks.present)!.frame;
  }

  private leave(): void {
    const { thread, opener, moved } = this.parts;
    const { stacks, below, left } = thread();
    const stack = stacks.present;
    const boundary = this.frameBelow;
    if (stack.kind === 'alternate') opener.finish(boundary);
    const { top } = this;
    if (top > boundary) {
      const id = this.nextId++;
      let lanes = 0;
      for (let frame = boundary + FRAME.size; frame <= top; frame += FRAME.size) {
        if (this.word(frame, FRAME.layer) === 0) this.setWord(frame, FRAME.layer, 1);
        const lane = this.parts.view.getInt16(frame + FRAME.lane, true);
        if (lane >= 0) lanes |= 1 << lane;
      }
      moved({ kind: 'left', id, depth: this.word(boundary, FRAME.depth) });
      left.set(stack, { id, frames: this.bytes.slice(boundary + FRAME.size, top + FRAME.size), lanes });
      stacks.left.add(stack);
    }
    stacks.entered.pop();
    below.delete(stack);
    const from = boundary - FRAME.size;
    for (const field of [FRAME.key, FRAME.children]) this.setWord(from, field, this.word(boundary, field));
    this.top = from;
  }

  private enter(stack: Stack): void {
    const { thread, moved, edgeFor, stackFull, view } = this.parts;
    const { stacks, below, left } = thread();
    const from = this.top;
    const boundary = from + FRAME.size;
    const contexts = left.get(stack);
    const first = boundary + FRAME.size;
    const end = first + (contexts?.frames.length ?? 0);
    if (end > CONTEXT_FUNCTIONS) stackFull();
    this.bytes.copyWithin(boundary, from, boundary);
    view.setBigInt64(boundary + FRAME.slot, OTHER_STACK, true);
    view.setInt16(boundary + FRAME.lane, -1, true);
    this.top = boundary;
    stacks.entered.push(stack);
    let isMoved = false;
    if (contexts !== undefined) {
      left.delete(stack);
      stacks.left.delete(stack);
      this.bytes.set(contexts.frames, first);
      let depth = this.word(boundary, FRAME.depth);
      const key = this.word(boundary, FRAME.key);
      const isListed = key !== UNLISTED;
      moved({ kind: isListed ? 'entered' : 'dropped', id: contexts.id, depth });
      // Functions that are measured wherever they are entered have no depth.
      if (this.word(first, FRAME.home) > 0)
        for (let frame = first; frame < end; frame += FRAME.size) {
          this.setWord(frame, FRAME.depth, ++depth);
          view.setUint16(frame + FRAME.opens, this.opensAt(depth) ? 1 : 0, true);
          isMoved ||= this.word(frame, FRAME.home) !== depth;
          if (!isListed) this.unlist(frame);
        }
      if (this.word(first, FRAME.edge) !== 0) {
        const edge = key < FIRST_NODE ? UNLISTED_EDGE : edgeFor(key, this.word(first, FRAME.function));
        this.setWord(first, FRAME.edge, edge);
      }
      this.top = end - FRAME.size;
    }
    below.set(stack, { frame: boundary, isMoved });
  }

  /** What is in a call that is not listed is not listed either. */
  private unlist(frame: number): void {
    const key = this.word(frame, FRAME.key);
    if (key >= FIRST_NODE) this.parts.dropSums(key);
    this.setWord(frame, FRAME.key, UNLISTED);
    this.setWord(frame, FRAME.edge, UNLISTED_EDGE);
  }

  private opensAt(depth: number): boolean {
    const limit = this.parts.view.getInt32(CONTEXT_LIMIT, true);
    return depth > 0 && (limit < 0 || depth < limit);
  }

  /** Tells generated code what it asks of the innermost context and the present stack. */
  share(): void {
    const { view, thread, layer } = this.parts;
    const { stacks, below, left } = thread();
    const { top } = this;
    view.setBigInt64(CONTEXT_SLOT, view.getBigInt64(top + FRAME.slot, true), true);
    view.setInt32(CONTEXT_OPENS, view.getUint16(top + FRAME.opens, true), true);
    const { kind, known } = stacks.present;
    view.setBigInt64(STACK_LOW, kind === 'other' ? -1n : BigInt(known.start + 1), true);
    view.setBigInt64(STACK_HIGH, BigInt(known.end), true);
    const asks = layer > 1 || left.size > 0 || [...below.values()].some(({ isMoved }) => isMoved);
    view.setInt32(CONTEXT_ASKS, asks ? 1 : 0, true);
    let held = 0;
    for (const { lanes } of left.values()) held |= lanes;
    view.setInt32(CONTEXT_HELD, held, true);
  }

  /** The layer of a call that opens at a depth: the first that no other one of the depth has; 0 where there is none. */
  layerOf(depth: number): number {
    const { thread, view } = this.parts;
    const { below, left } = thread();
    let used = 1;
    const look = (frames: DataView, from: number, end: number) => {
      for (let frame = from; frame < end; frame += FRAME.size)
        if (frames.getInt32(frame + FRAME.home, true) === depth)
          used |= 1 << frames.getInt32(frame + FRAME.layer, true);
    };
    for (const { frames } of left.values())
      look(new DataView(frames.buffer, frames.byteOffset), 0, frames.length);
    // Those that have not moved are less deep.
    for (const { frame, isMoved } of below.values())
      if (isMoved)
        for (let at = frame; at <= this.top; at += FRAME.size)
          if (view.getInt32(at + FRAME.layer, true) > 0) look(view, at, at + FRAME.size);
    const layer = 31 - Math.clz32(~used & (used + 1));
    if (layer > MOST_LAYERS) return 0;
    this.layers = Math.max(this.layers, layer);
    return layer;
  }

  /** The thread has ended, and all its contexts with it. */
  finish(): void {
    const { thread, opener } = this.parts;
    const { stacks, left } = thread();
    const end = () => {
      opener.finish(this.frameBelow);
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
    const look = (frames: DataView, from: number, end: number) => {
      for (let frame = from; frame < end; frame += FRAME.size)
        if (frames.getBigInt64(frame + FRAME.slot, true) !== OTHER_STACK)
          visit(frames.getInt32(frame + FRAME.function, true));
    };
    look(this.parts.view, RUN_FRAME, this.top + FRAME.size);
    for (const { frames } of this.parts.thread().left.values())
      look(new DataView(frames.buffer, frames.byteOffset), 0, frames.length);
  }

  private get top(): number {
    return this.parts.view.getInt32(CONTEXT_TOP, true);
  }

  private set top(frame: number) {
    this.parts.view.setInt32(CONTEXT_TOP, frame, true);
  }

  private word(frame: number, field: number): number {
    return this.parts.view.getInt32(frame + field, true);
  }

  private setWord(frame: number, field: number, value: number): void {
    this.parts.view.setInt32(frame + field, value, true);
  }
}
