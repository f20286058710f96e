/**
 * A hash of 53 bits over whole numbers: whether a schedule is in a state that it was in before is asked thousands of times,
 * and keeping the states themselves took most of the time. Two of a few thousand states share one by a chance of 1e-9.
 */
export class StateHash {
  private a = 0x2545f491;
  private b = 0x6c62272e;

  add(value: number): void {
    const a = Math.imul(this.a ^ value, 0x9e3779b1);
    this.a = a ^ (a >>> 15);
    const b = Math.imul((this.b + value) | 0, 0x85ebca6b);
    this.b = b ^ (b >>> 13) ^ this.a;
  }

  get value(): number {
    return (this.a >>> 0) * 2 ** 21 + ((this.b >>> 0) & 0x1fffff);
  }
}
