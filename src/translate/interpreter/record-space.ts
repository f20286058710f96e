import { Failure } from '../../base/failure.ts';
import { RECORDS, RECORDS_END } from '../../guest/layout.ts';

const MOST_WASTED = 0x100_0000;
const RECORDS_FULL = RECORDS + 0.75 * (RECORDS_END - RECORDS);

/** Memory for records; what is used stays used, so that records which run may be forgotten. */
export class RecordSpace {
  private next = RECORDS;
  private wasted = 0;

  /** Whether it is time to throw all records away, because many are of code that was written over, or few fit in any more. */
  get isWornOut(): boolean {
    return this.wasted >= MOST_WASTED || this.next >= RECORDS_FULL;
  }

  /** So many bytes are in use for nothing: others lead through them, so that they stay. */
  waste(bytes: number): void {
    this.wasted += bytes;
  }

  /** 4-byte aligned. */
  take(bytes: number): number {
    const at = this.next;
    this.next += (bytes + 3) & ~3;
    if (this.next > RECORDS_END)
      throw new Failure(
        'guest',
        'records-exhausted',
        'the program has more code than can be followed (about 5 million instructions)',
      );
    return at;
  }
}
