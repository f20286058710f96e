/** What follows memory that changes: shadow memory and translated code. */
export interface MemoryFollower {
  /** Before pages change hands. */
  remap(start: number, end: number): void;
  /** A far page that has been touched changes hands; `remap` hears of its frame. */
  unmapFar?(address: number): void;
  /** Mapped pages can be written from now on, or be executed, or no more. */
  forgetCode?(start: number, end: number): void;
  /** Pages in memory are mapped anew. */
  map?(start: number, end: number, permissions: number): void;
  /** A page comes to have steps. */
  noteShadow?(page: number): void;
  /** A page that has steps can be read from now on, or no more. */
  setReadable?(page: number, isReadable: boolean): void;
  /** Bytes were written by others than the guest's instructions: by system calls, or to a file that is shown there. */
  write?(start: number, end: number): void;
  /** Before the contents of a page become those of another, which is free. */
  move(from: number, to: number): void;
}
