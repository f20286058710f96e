import type { Range, ServiceEffects } from '../../x86/service.ts';
import type { ParkedSteps } from './parked-steps.ts';

/** A location and the bytes of memory that hold its value. */
export interface SavedLocation {
  readonly location: number;
  readonly range: Range;
}

export interface HandlerFrame {
  /** Carried unchanged, and these bytes with it. */
  readonly saved: readonly SavedLocation[];
  /** All that the kernel wrote: where it holds no location's value, it has the step of the last retired instruction... */
  readonly written: readonly Range[];
  /** ...and so have the locations that the handler finds set. */
  readonly set: readonly number[];
}

/**
 * The measurement's side of everything that happens outside generated code: instructions that run as services, memory
 * that changes hands, contexts that open and close. One implementation for each kind of generated measurement.
 */
export interface Ledger {
  /** A run begins: nothing was written, nothing is mapped. */
  start(): void;
  /** Applies the dependences of one instruction that ran as a service (rules 4, 5 and 8). */
  apply(effects: ServiceEffects, address: number): void;
  /** The range holds a new mapping: its bytes count as never written. */
  forget(start: number, end: number): void;
  /** Steps of the registers of threads that are not running. */
  readonly parked: ParkedSteps;
  /** Puts those of the running thread there: another one is to run. */
  park(): Uint8Array;
  /** Prepares the shadow of a page for stores from generated code. */
  preparePage(page: number): void;
  addBytes(page: number): void;
  /** Finds the largest step of bytes some of whose pages are out of the memory, and puts it where it tells; 0 where none are. */
  recall(place: number, size: number): number;
  /** A signal's handler is entered (rule 8). */
  enterHandler(frame: HandlerFrame): void;
  /** It returns: locations take back what the bytes that hold their values have. */
  leaveHandler(saved: readonly SavedLocation[]): void;
  /** What a page of memory holds is to be held by another, of which nothing is known. */
  move(from: number, to: number): void;
  /** A page with steps can be read from now on, or no more: what finds steps there does not ask. */
  setReadable(page: number, isReadable: boolean): void;
}
