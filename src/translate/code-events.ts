import type { Fault } from '../ir/node.ts';
import type { ServiceSite } from './region-interface.ts';

/** What generated code asks of its surroundings; each is an import of every region's module. */
export interface CodeEvents {
  /** The slice is over. Tells whether the run loop must have its turn; otherwise FUEL holds the next slice's. */
  endSlice(): boolean;
  service(site: ServiceSite): void;
  raise(fault: Fault, address: number): void;
  /** An instruction that we do not know was reached. */
  unsupported(instruction: string): void;
  pageFault(address: bigint, isWrite: number): void;
  /** Faults unless so many bytes may be written. */
  checkStore(address: bigint, size: number): void;
  /** Before bytes at a place are stored, some of them in the page. */
  prepareStore(page: number, place: number, size: number): void;
  addBytes(page: number): void;
  /** Bytes at a place are loaded, some of them in a page of which nothing is known here. Gives where their largest step is; 0 where nothing is known at all. */
  recall(place: number, size: number): number;
  /** Bytes are accessed at addresses without steps. Gives where in memory they are, or does not return. */
  beyond(address: bigint, size: number, isWrite: number): number;
  /** The same of bytes at a place that cannot be accessed as they are: the same place, where it is not for the reason that they are far. */
  away(address: bigint, size: number, isWrite: number): number;
  /** Whether the pass is to stop at a certain instruction: then no region is made while generated code runs on with fuel in locals. */
  isToStop(): boolean;
  /** A region of so many instructions was made. */
  translated(instructions: number): void;
  /** A probe stops control: FUEL must say that the slice is over. */
  probed(): void;
}
