import type { CodeEvents } from '../../translate/code-events.ts';
import type { ContextEvents } from '../../translate/contexts/functions.ts';
import type { MemoryEvents } from '../memory/memory-events.ts';

/** The pass that runs in a code space now. */
export interface Occupant extends Omit<CodeEvents, 'translated' | keyof MemoryEvents> {
  readonly memoryEvents: MemoryEvents;
  readonly contexts: ContextEvents;
  /** Instructions the guest has retired. */
  executed(): number;
  /** Slices may overshoot by more than they did. The fuel is in memory, unless a variant was made. */
  overshootGrew(): void;
  entersFunction(from: number, target: number): boolean;
  /** Where the call tree begins. */
  isRoot(address: number): boolean;
  isNamed(address: number, name: string): boolean;
}

/** What generated code tells goes to whichever pass has the space at the time. */
export function eventsFor(
  occupant: () => Occupant,
  translated: (instructions: number) => void,
): { readonly code: CodeEvents; readonly contexts: ContextEvents } {
  return {
    code: {
      endSlice: () => occupant().endSlice(),
      service: (site) => occupant().service(site),
      raise: (fault, address) => occupant().raise(fault, address),
      unsupported: (instruction) => occupant().unsupported(instruction),
      pageFault: (address, isWrite) => occupant().memoryEvents.pageFault(address, isWrite),
      checkStore: (address, size) => occupant().memoryEvents.checkStore(address, size),
      prepareStore: (page, place, size) => occupant().memoryEvents.prepareStore(page, place, size),
      addBytes: (page) => occupant().memoryEvents.addBytes(page),
      recall: (place, size) => occupant().memoryEvents.recall(place, size),
      beyond: (address, size, isWrite) => occupant().memoryEvents.beyond(address, size, isWrite),
      away: (address, size, isWrite) => occupant().memoryEvents.away(address, size, isWrite),
      probed: () => occupant().probed(),
      isToStop: () => occupant().isToStop(),
      translated,
    },
    contexts: {
      placeOf: (address) => occupant().contexts.placeOf(address),
      learnCall: (key, target, entry) => occupant().contexts.learnCall(key, target, entry),
      learnJump: (from, target, entry) => occupant().contexts.learnJump(from, target, entry),
      learnHook: (address, entry) => occupant().contexts.learnHook(address, entry),
      leaveOut: (address, entry) => occupant().contexts.leaveOut(address, entry),
      layerOf: (depth) => occupant().contexts.layerOf(depth),
      stackSet: (before, rsp) => occupant().contexts.stackSet(before, rsp),
      startSums: () => occupant().contexts.startSums(),
      endSums: (key) => occupant().contexts.endSums(key),
      takeLog: () => occupant().contexts.takeLog(),
      stackFull: () => occupant().contexts.stackFull(),
      windowOpened: () => occupant().contexts.windowOpened(),
      windowClosed: () => occupant().contexts.windowClosed(),
    },
  };
}
