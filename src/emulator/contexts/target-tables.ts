import {
  CALL_TARGET_BITS,
  CALL_TARGETS,
  JUMP_SPAN_BITS,
  JUMP_SPANS,
  JUMP_TARGET_BITS,
  JUMP_TARGETS,
} from '../../guest/layout.ts';
import { wasUsed } from '../../guest/used-places.ts';
import { spanEntry } from '../../translate/contexts/finding.ts';
import { JUMP, SPAN, TARGET } from '../../translate/contexts/records.ts';

/** What generated code looks up of targets of calls and jumps (see translate/contexts/finding.ts): direct-mapped caches, empty where they are zero. */
export class TargetTables {
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private hasCalls: boolean;
  private hasJumps: boolean;

  constructor(buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
    this.bytes = new Uint8Array(buffer);
    this.hasCalls = wasUsed(buffer, CALL_TARGETS);
    this.hasJumps = this.hasCalls;
  }

  forget(): void {
    this.forgetCalls();
    if (!this.hasJumps) return;
    this.hasJumps = false;
    this.clear(JUMP_TARGETS, JUMP_TARGET_BITS);
    this.clear(JUMP_SPANS, JUMP_SPAN_BITS);
  }

  forgetCalls(): void {
    if (!this.hasCalls) return;
    this.hasCalls = false;
    this.clear(CALL_TARGETS, CALL_TARGET_BITS);
  }

  setCall(entry: number, key: number, target: number, record: number, edge: number): void {
    this.hasCalls = true;
    this.setWord(entry + TARGET.key, key);
    this.setWord(entry + TARGET.target, target);
    this.setWord(entry + TARGET.function, record);
    this.setWord(entry + TARGET.edge, edge);
  }

  setJump(entry: number, from: number, target: number, verdict: number): void {
    this.hasJumps = true;
    this.setWord(entry + JUMP.from, from);
    this.setWord(entry + JUMP.target, target);
    this.setWord(entry + JUMP.verdict, verdict);
  }

  /** Targets of the jump within the span are in its own function. */
  setSpan(from: number, { start, end }: { readonly start: number; readonly end: number }): void {
    this.hasJumps = true;
    const entry = spanEntry(from);
    this.setWord(entry + SPAN.from, from);
    this.setWord(entry + SPAN.start, start);
    this.setWord(entry + SPAN.length, end - start);
  }

  private clear(table: number, bits: number): void {
    this.bytes.fill(0, table, table + 16 * (1 << bits));
  }

  private setWord(at: number, value: number): void {
    this.view.setInt32(at, value, true);
  }
}
