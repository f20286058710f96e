/** The end of what a guest wrote, to be shown when it fails: its stderr, or its stdout when stderr is empty. */
export class OutputTail {
  private out = '';
  private err = '';
  private readonly decoders = { out: new TextDecoder(), err: new TextDecoder() };

  stdout(bytes: Uint8Array): void {
    this.out = keepEnd(this.out + this.decoders.out.decode(bytes.subarray(-KEPT * 4), { stream: true }));
  }

  stderr(bytes: Uint8Array): void {
    this.err = keepEnd(this.err + this.decoders.err.decode(bytes.subarray(-KEPT * 4), { stream: true }));
  }

  /** At most the last ten lines. */
  lines(): readonly string[] {
    const text = this.err.trim() === '' ? this.out : this.err;
    return text.trimEnd() === '' ? [] : text.trimEnd().split('\n').slice(-10);
  }
}

const KEPT = 2000;

function keepEnd(text: string): string {
  return text.length > KEPT ? text.slice(-KEPT) : text;
}
