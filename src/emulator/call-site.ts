/** A system call: its instruction's address, where the guest goes on, and its number. */
export interface CallSite {
  readonly address: number;
  readonly next: number;
  readonly number: number;
}
